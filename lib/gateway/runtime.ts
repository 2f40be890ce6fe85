import type { Balances, GatewayKey } from "@/lib/accounts/gateway-key";
import type { Drain } from "@/lib/admission/drain";
import type { FloodGuard } from "@/lib/admission/flood-guard";
import type { Limiter } from "@/lib/admission/limiter";
import type { Ledger } from "@/lib/billing/ledger";
import type { TokenCounter } from "@/lib/billing/token-counter";
import type { Settings } from "@/lib/config/env";
import type { Secrets } from "@/lib/config/secrets";
import type { Database } from "@/lib/db/database";
import type { Clock } from "@/lib/kernel/clock";
import type { ConcurrencyLimiter, FairSemaphore, Semaphore } from "@/lib/kernel/concurrency";
import type { Log } from "@/lib/ops/log";
import type { EventLoopMonitor, Metrics } from "@/lib/ops/metrics";
import type { CatalogStore } from "@/lib/router/catalog-store";
import type { Health } from "@/lib/router/health";
import type { StickyNodes } from "@/lib/router/order";
import type { Pools } from "@/lib/upstream/pools";
import type { DecodeSemaphore } from "./decode-semaphore";
import type { KeyCache } from "./key-cache";

/** The parts that exist once per process. Source: docs/architecture.md#s1-9. */
export interface Runtime {
  settings: Settings;
  secrets: Secrets;
  /** Key for reasoning tags and hashed user ids, as text. */
  provenanceKey: string;
  clock: Clock;
  /** In [0, 1). */
  random: () => number;
  log: Log;
  metrics: Metrics;
  drain: Drain;
  /** Limits the requests in flight of each key, from arrival to reply. */
  requestsPerKey: ConcurrencyLimiter;
  /** Limits the generations in flight of each key that have passed the rate limits. */
  generationsPerKey: ConcurrencyLimiter;
  /** Bounds the compressed bodies that are decompressed at once. */
  bodyDecoders: DecodeSemaphore;
  /** Bounds the upstream responses that are read on after their client has disconnected. */
  disconnectDrains: Semaphore;
  /** Bounds the reports and searches of pages that read much of the database. */
  reports: FairSemaphore;
  loop: EventLoopMonitor;
  db: Database;
  catalog: CatalogStore;
  keys: KeyCache<GatewayKey>;
  limiter: Limiter;
  flood: FloodGuard;
  ledger: Ledger;
  /** Remaining quota of keys and accounts, known without asking the database. */
  balances: Balances;
  health: Health;
  sticky: StickyNodes;
  pools: Pools;
  /** Counts tokens off the main thread. */
  tokens: TokenCounter;
}

const slot = Symbol.for("tollgate.runtime");
const shared = globalThis as typeof globalThis & { [slot]?: Runtime }; // the one slot both module graphs see

/** The process's runtime. Throws: Error before it is set; modules must not call it at import time. */
export function runtime(): Runtime {
  const found = shared[slot];
  if (found === undefined) throw new Error("the runtime was used before the server started");
  return found;
}

/** True once the runtime is set. */
export function hasRuntime(): boolean {
  return shared[slot] !== undefined;
}

/** Puts the runtime in its slot; undefined clears it. */
export function setRuntime(value: Runtime | undefined): void {
  if (value === undefined) delete shared[slot];
  else shared[slot] = value;
}
