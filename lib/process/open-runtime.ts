import { randomUUID } from "node:crypto";
import path from "node:path";
import { findKeysByHash, type GatewayKey } from "@/lib/accounts/gateway-key";
import { Balances } from "@/lib/accounts/key-balance";
import { KnownBudgets } from "@/lib/accounts/known-budgets";
import { type AlertParts, Alerts } from "@/lib/admin/alerts";
import { readNotices } from "@/lib/admin/announcements";
import { Admission } from "@/lib/admission/admission";
import { Drain } from "@/lib/admission/drain";
import { FloodGuard } from "@/lib/admission/flood-guard";
import type { Limiter } from "@/lib/admission/limiter";
import { MemoryLimiter } from "@/lib/admission/memory";
import { RedisTroubles } from "@/lib/admission/redis-trouble";
import { ExpectedUse } from "@/lib/billing/expected-use";
import { Ledger } from "@/lib/billing/ledger";
import type { LedgerEvent } from "@/lib/billing/ledger-event";
import { TokenCounter } from "@/lib/billing/prompt-tokens";
import { LedgerChecks } from "@/lib/billing/reconcile";
import type { Settings } from "@/lib/config/env";
import { checkFingerprints } from "@/lib/config/key-fingerprints";
import { loadSecrets } from "@/lib/config/secrets";
import type { Database } from "@/lib/db/database";
import { KEYS_CHANNEL, readKeyAnnouncement } from "@/lib/db/key-announcements";
import { makePrivate, privacyNotes } from "@/lib/db/private-directory";
import { isOldestInstance } from "@/lib/db/replicas";
import { DECODING } from "@/lib/gateway/decode-body";
import { MAX_DISCONNECT_DRAINS } from "@/lib/gateway/deliver";
import { KeyCache } from "@/lib/gateway/key-cache";
import { ResponseStore } from "@/lib/gateway/responses-state/store";
import { StoreLimits } from "@/lib/gateway/responses-state/store-bounds";
import type { Runtime } from "@/lib/gateway/runtime";
import { CachedRead } from "@/lib/kernel/cached-read";
import { systemClock } from "@/lib/kernel/clock";
import { Deadlines } from "@/lib/kernel/deadlines";
import { MINUTE_MS, SECOND_MS } from "@/lib/kernel/durations";
import { FairSemaphore } from "@/lib/kernel/fair-semaphore";
import { Semaphore } from "@/lib/kernel/semaphore";
import { EventLoopMonitor } from "@/lib/ops/event-loop-monitor";
import { createLog, type Log } from "@/lib/ops/log";
import { Metrics } from "@/lib/ops/metrics";
import { Refusals } from "@/lib/ops/refusals";
import { readModelSpeeds } from "@/lib/reports/model-speeds";
import { readUptime, TroubledHours } from "@/lib/reports/uptime";
import { openCatalog } from "@/lib/router/catalog-store";
import { Health } from "@/lib/router/health";
import { StickyNodes } from "@/lib/router/sticky-nodes";
import { Pools } from "@/lib/upstream/pools";
import { openTokenSources } from "./open-token-sources";
import { startDatabase } from "./start-database";

/** A runtime, the id of this process's heartbeats, and the number of live processes. */
export interface OpenedRuntime {
  runtime: Runtime;
  instanceId: string;
  replicas: LiveReplicas;
}

/**
 * Opens the parts of the runtime in the order of their dependencies. Replays the spool of an earlier process before it
 * returns.
 * Throws: StartupError, DataDirectoryBusyError, the driver's errors. Source: docs/architecture.md#s1-9,
 * docs/reliability.md#s2-7.
 */
export async function openRuntime(settings: Settings): Promise<OpenedRuntime> {
  const log = createLog(settings.logLevel);
  for (const warning of [...settings.warnings, ...settings.unusedProxies]) log.warn(warning);
  for (const note of privacyNotes(settings.dataDir, makePrivate(settings.dataDir))) log.warn(note);
  const db = await startDatabase(settings, log);
  const secrets = await loadSecrets(settings);
  const { acceptNewKeys: acceptNew, replicas: configured } = settings;
  const say = (line: string) => log.warn(line);
  await checkFingerprints(db, secrets, { acceptNew, replicas: configured, say });
  const metrics = new Metrics();
  const instanceId = randomUUID();
  const ledger = await openLedger(settings, db, instanceId, { log, metrics });
  const clock = systemClock;
  const replicas = new LiveReplicas(settings.replicas, clock.nowMs);
  const balances = new Balances();
  const knownBudgets = new KnownBudgets();
  const keys = await openKeys(db, balances, knownBudgets);
  const health = new Health({
    now: clock.nowMs,
    random: Math.random,
    onEvent: (event) => log.warn(event, `a node is ${event.type}`),
  });
  const pools = new Pools(settings.outboundProxies);
  const catalog = await openCatalog(
    db,
    (error) => log.error({ err: error }, "the configuration could not be reloaded"),
    (snapshot) => {
      health.applySnapshot(snapshot);
      pools.retain(new Set(snapshot.nodes.keys()));
    },
  );
  const drain = new Drain();
  const loop = new EventLoopMonitor();
  const bounds = { flood: new FloodGuard(), random: Math.random, maxBodyBytes: settings.maxBodyBytes };
  const contact = () => runtime.notices.known?.contact ?? null;
  const admission = new Admission({ ...bounds, drain, loop, ledger, metrics, contact });
  const semaphores = openSemaphores(admission);
  const runtime: Runtime = {
    settings,
    secrets,
    provenanceKey: secrets.provenance.current.key.toString("base64url"),
    clock,
    deadlines: new Deadlines(clock.nowMs),
    random: Math.random,
    log,
    metrics,
    refusals: openRefusals(log, metrics),
    drain,
    admission,
    ...semaphores,
    ...openSharedReads(settings, db, semaphores.reports),
    alerts: openAlerts({ db, catalog, health, pools, log, settings }, instanceId),
    loop,
    db,
    catalog,
    keys,
    limiter: await openLimiter(settings, replicas, log),
    ledger,
    balances,
    knownBudgets,
    expectedUse: await openExpectedUse(db),
    health,
    sticky: new StickyNodes(clock.nowMs),
    pools,
    tokenSources: openTokenSources(pools, settings, { log, metrics }),
    responses: openResponses(settings, db, log, metrics),
    tokens: new TokenCounter(),
  };
  return { runtime, instanceId, replicas };
}

/**
 * One piece of bulk work of an account at a time, two in total; each permit then rests for as long as the work took, so
 * that bulk work uses only a part of the process's time. Source: docs/reliability.md#bulk.
 */
const BULK_WORK = { concurrency: 2, perAccount: 1, mostWaiting: 16, restShare: 1 };

/** The bounds for work that only few calls may do at once. */
function openSemaphores(
  admission: Admission,
): Pick<Runtime, "bodyDecoders" | "bulkWork" | "reports" | "disconnectDrains"> {
  return {
    bodyDecoders: new FairSemaphore({ ...DECODING, refusal: () => admission.ofCompressedBody() }),
    bulkWork: new FairSemaphore({
      ...BULK_WORK,
      refusal: () => admission.ofBulkWork("much large content is read"),
    }),
    reports: new FairSemaphore({ refusal: () => admission.ofBulkWork("many reports are running") }),
    disconnectDrains: new Semaphore(MAX_DISCONNECT_DRAINS),
  };
}

/** How long a change by another process may stay unnoticed. */
const NOTICES_FRESH_MS = 10 * SECOND_MS;

/** A median over days changes slowly. */
const SPEEDS_FRESH_MS = 5 * MINUTE_MS;

/** The values that many pages show, read once for all of them. */
function openSharedReads(
  settings: Settings,
  db: Database,
  reports: FairSemaphore,
): Pick<Runtime, "notices" | "uptime" | "speeds" | "ledgerChecks"> {
  const { nowMs, date } = systemClock;
  const troubledHours = new TroubledHours(db);
  const uptime = () => readUptime(db, troubledHours, settings.reportTimezone, date());
  const speeds = () => readModelSpeeds(db, date());
  return {
    notices: new CachedRead({ read: () => readNotices(db), freshMs: NOTICES_FRESH_MS, nowMs }),
    ledgerChecks: new LedgerChecks(db, systemClock),
    uptime: new CachedRead({ read: () => reports.run("uptime", uptime), freshMs: MINUTE_MS, nowMs }),
    speeds: new CachedRead({ read: () => reports.run("speeds", speeds), freshMs: SPEEDS_FRESH_MS, nowMs }),
  };
}

function openAlerts(parts: Omit<AlertParts, "date" | "isTeller">, instanceId: string): Alerts {
  const isTeller = () => isOldestInstance(parts.db, instanceId);
  return new Alerts({ ...parts, date: systemClock.date, isTeller });
}

const NEARLY_USED_UP_PERCENT = 90;

/** The averages begin with the newest requests of the log. */
async function openExpectedUse(db: Database): Promise<ExpectedUse> {
  const expectedUse = new ExpectedUse();
  await expectedUse.load(db);
  return expectedUse;
}

/** Opens the cache of keys; every look-up also updates the balance of its key and account, and what is used of its rules. */
async function openKeys(
  db: Database,
  balances: Balances,
  knownBudgets: KnownBudgets,
): Promise<KeyCache<GatewayKey>> {
  const find = async (hashes: readonly string[]) => {
    const found = await findKeysByHash(db, hashes);
    for (const key of found.values()) balances.update(key, key.balance, key.balance.account);
    await knownBudgets.refresh(
      db,
      [...found.values()].flatMap(({ budgets }) => budgets),
    );
    return found;
  };
  const keys = new KeyCache<GatewayKey>(
    {
      find,
      heardUntilMs: () => db.heardUntilMs(),
      // Other processes use the same balance; what they leave of it matters when little is left. Rules tell what is used.
      isVolatile: (key) => key.budgets.length > 0 || balances.usedPercent(key) > NEARLY_USED_UP_PERCENT,
      answers: (withinMs) => db.answers(withinMs),
    },
    systemClock,
  );
  const changed = (payload: string): void => {
    const announced = readKeyAnnouncement(payload);
    if (announced?.kind === "key") keys.invalidateKey(announced.id);
    else if (announced?.kind === "user") keys.invalidateUser(announced.id);
    else keys.clear();
  };
  await db.listen(KEYS_CHANNEL, changed, () => keys.clear());
  return keys;
}

/** Opens the ledger and replays the spool of an earlier process into the database. */
async function openLedger(
  { quotaStrict, dataDir }: Settings,
  database: Database,
  instanceId: string,
  { log, metrics }: { log: Log; metrics: Metrics },
): Promise<Ledger> {
  const ledger = await Ledger.open({
    database,
    instanceId,
    quotaStrict,
    spoolDirectory: path.join(dataDir, "spool"),
    onEvent: (event) => onLedgerEvent(event, log, metrics),
  });
  if (!(await ledger.recover())) log.error("the spool of an earlier process is not yet in the database");
  return ledger;
}

function openRefusals(log: Log, metrics: Metrics): Refusals {
  return new Refusals({
    count: (reason) => metrics.refusedFor(reason),
    warn: (fields, message) => log.warn(fields, message),
    date: systemClock.date,
  });
}

const MIB = 1_024 * 1_024;

function openResponses(settings: Settings, database: Database, log: Log, metrics: Metrics): ResponseStore {
  return new ResponseStore({
    database,
    hours: settings.responsesStoreHours,
    limits: new StoreLimits({
      database,
      bounds: {
        accountBytes: settings.responsesStoreAccountMib * MIB,
        totalBytes: settings.responsesStoreMib * MIB,
      },
      onEvicted: (bound, count) => metrics.evicted(bound, count),
      onError: (error) =>
        log.error({ err: error }, "the bound of the stored responses could not be kept this time"),
    }),
    now: systemClock.date,
    onUnstored: (reason, cause) => {
      metrics.unstored(reason);
      log.warn({ reason, err: cause }, "a response was not stored; its client was told so");
    },
  });
}

async function openLimiter(settings: Settings, replicas: LiveReplicas, log: Log): Promise<Limiter> {
  if (settings.redisUrl === null) return new MemoryLimiter();
  const { openRedisLimiter } = await import("@/lib/admission/redis");
  const troubles = new RedisTroubles((trouble) =>
    log.warn(`each process enforces its share of the limits: ${trouble}`),
  );
  return openRedisLimiter(settings.redisUrl, {
    liveReplicas: () => replicas.count,
    onAvailability: (available) => {
      if (!available) return; // the error that caused it has been reported
      troubles.recovered();
      log.warn("Redis is available again");
    },
    onError: (error) => troubles.see(error),
  });
}

/** Turns the ledger's events into log lines and metrics. */
function onLedgerEvent(event: LedgerEvent, log: Log, metrics: Metrics): void {
  switch (event.kind) {
    case "overrun":
      metrics.overran(event.model, event.microCents);
      return;
    case "replayed":
      log.info({ count: event.count }, "spooled settlements reached the database");
      return;
    case "spooled":
      log.warn({ requestId: event.requestId, err: event.cause }, "a settlement was written to the spool");
      return;
    case "release_queued":
      log.warn(
        { requestId: event.requestId, err: event.cause },
        "a hold of unknown outcome will be released",
      );
      return;
    case "spool_torn":
      log.warn({ files: event.files }, "the spool ended in a torn record, which was discarded");
      return;
    case "spool_refused":
      log.error(
        { requestId: event.requestId, err: event.cause },
        "the database refuses a spooled settlement; it is kept in refused.jsonl in the spool directory",
      );
      return;
    case "spool_failed":
      log.error({ err: event.cause }, "the spool has failed");
      return;
  }
}

const STARTUP_MS = 60_000;

/**
 * How many processes share each limit while Redis is unavailable: those with a recent heartbeat. In this process's
 * first minute it is at least the configured number, because others may be starting. Source: docs/reliability.md#s2-8.
 */
export class LiveReplicas {
  readonly #configured: number;
  readonly #now: () => number;
  readonly #startedMs: number;
  #liveCount: number;

  /** `configured`: the expected number of processes; `now`: a monotonic clock. Units: milliseconds. */
  constructor(configured: number, now: () => number) {
    this.#configured = configured;
    this.#now = now;
    this.#startedMs = now();
    this.#liveCount = configured;
  }

  /** The number of processes that share the limits; at least 1. */
  get count(): number {
    const isStarting = this.#now() - this.#startedMs < STARTUP_MS;
    return Math.max(1, this.#liveCount, isStarting ? this.#configured : 1);
  }

  /** Sets the number of live processes that the database reports. */
  setLiveCount(live: number): void {
    this.#liveCount = live;
  }
}
