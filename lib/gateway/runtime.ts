import type { GatewayKey } from "@/lib/accounts/gateway-key";
import type { Balances } from "@/lib/accounts/key-balance";
import type { KnownBudgets } from "@/lib/accounts/known-budgets";
import type { Alerts } from "@/lib/admin/alerts";
import type { Notices } from "@/lib/admin/announcements";
import type { Admission } from "@/lib/admission/admission";
import type { Drain } from "@/lib/admission/drain";
import type { Limiter } from "@/lib/admission/limiter";
import type { ExpectedUse } from "@/lib/billing/expected-use";
import type { Ledger } from "@/lib/billing/ledger";
import type { TokenCounter } from "@/lib/billing/prompt-tokens";
import type { LedgerChecks } from "@/lib/billing/reconcile";
import type { Settings } from "@/lib/config/env";
import type { Secrets } from "@/lib/config/secrets";
import type { Database } from "@/lib/db/database";
import type { CachedRead } from "@/lib/kernel/cached-read";
import type { Clock } from "@/lib/kernel/clock";
import type { Deadlines } from "@/lib/kernel/deadlines";
import type { FairSemaphore } from "@/lib/kernel/fair-semaphore";
import type { Semaphore } from "@/lib/kernel/semaphore";
import type { EventLoopMonitor } from "@/lib/ops/event-loop-monitor";
import type { Log } from "@/lib/ops/log";
import type { Metrics } from "@/lib/ops/metrics";
import type { Refusals } from "@/lib/ops/refusals";
import type { ModelSpeed } from "@/lib/reports/model-speeds";
import type { Uptime } from "@/lib/reports/uptime";
import type { CatalogStore } from "@/lib/router/catalog-store";
import type { Health } from "@/lib/router/health";
import type { StickyNodes } from "@/lib/router/sticky-nodes";
import type { TokenSources } from "@/lib/upstream/credentials/token-sources";
import type { Pools } from "@/lib/upstream/pools";
import type { KeyCache } from "./key-cache";
import type { ResponseStore } from "./responses-state/store";

/**
 * The parts that the stages of the gateway use. Created once at start and passed in, so that tests create their own.
 * Source: docs/architecture.md#s1-9.
 */
export interface Gateway {
  readonly settings: Pick<
    Settings,
    | "allowPrivateUpstreams"
    | "compatibility"
    | "corsOrigins"
    | "maxBodyBytes"
    | "responsesEchoInstructions"
    | "trustProxy"
  >;
  readonly secrets: Pick<Secrets, "credentials" | "reasoning">;
  /** Key for reasoning tags and hashed user ids, as text. */
  readonly provenanceKey: string;
  readonly clock: Clock;
  /** The timer for everything that may wait too long. */
  readonly deadlines: Deadlines;
  /** In [0, 1). */
  readonly random: () => number;
  readonly log: Pick<Log, "error" | "debug">;
  readonly metrics: Pick<Metrics, "replied" | "settled" | "budgetOverran">;
  readonly refusals: Pick<Refusals, "sent">;
  readonly drain: Drain;
  readonly admission: Admission;
  /** Bounds the compressed bodies that are decompressed at once. */
  readonly bodyDecoders: FairSemaphore;
  /** Bounds the bulk work that small requests cause in this process. */
  readonly bulkWork: FairSemaphore;
  /** Bounds the upstream responses that are read on after their client has disconnected. */
  readonly disconnectDrains: Semaphore;
  readonly db: Database;
  readonly catalog: Pick<CatalogStore, "current">;
  readonly keys: Pick<KeyCache<GatewayKey>, "peek" | "get">;
  readonly limiter: Pick<Limiter, "admit" | "enlarge" | "correct" | "refund" | "peek" | "peekAccount">;
  readonly ledger: Pick<Ledger, "hold" | "settle">;
  /** Remaining quota of keys and accounts, known without a query. */
  readonly balances: Balances;
  /** What is used of the rules of keys, known without a query. */
  readonly knownBudgets: KnownBudgets;
  /** What requests use of the most that they may use. */
  readonly expectedUse: ExpectedUse;
  readonly health: Pick<Health, "availability" | "begin">;
  readonly sticky: StickyNodes;
  readonly pools: Pick<Pools, "get" | "outboundProxy">;
  /** Access with the credentials of clouds. */
  readonly tokenSources: TokenSources;
  /** The stored responses of Responses clients. */
  readonly responses: ResponseStore;
  /** Counts tokens off the main thread. */
  readonly tokens: Pick<TokenCounter, "count">;
}

/** The parts that exist once per process. Source: docs/architecture.md#s1-9. */
export interface Runtime extends Gateway {
  settings: Settings;
  secrets: Secrets;
  log: Log;
  metrics: Metrics;
  refusals: Refusals;
  admission: Admission;
  bodyDecoders: FairSemaphore;
  /** Bounds the reports and searches of pages, which read much of the database. */
  reports: FairSemaphore;
  /** The announcements and other notices of admins. */
  notices: CachedRead<Notices>;
  /** Posts alerts to the address that an admin has set. */
  alerts: Alerts;
  /** The uptime of each model. */
  uptime: CachedRead<Uptime>;
  /** The speed of each model. */
  speeds: CachedRead<ReadonlyMap<string, ModelSpeed>>;
  /** Whether balances and ledger agree. */
  ledgerChecks: LedgerChecks;
  loop: EventLoopMonitor;
  catalog: CatalogStore;
  keys: KeyCache<GatewayKey>;
  limiter: Limiter;
  ledger: Ledger;
  health: Health;
  pools: Pools;
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
