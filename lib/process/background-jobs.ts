import { sweepLogins, sweepThrottle } from "@/lib/accounts/sign-in";
import { startReaper } from "@/lib/billing/reaper";
import { repairHeldTotals } from "@/lib/billing/reconcile";
import { compactRollups } from "@/lib/billing/rollups";
import { maintainStoredResponses, maintainTables } from "@/lib/db/partitions";
import type { Runtime } from "@/lib/gateway/runtime";
import { DAY_MS, HOUR_MS, SECOND_MS } from "@/lib/kernel/clock";
import { nodeReport } from "@/lib/router/health-report";
import type { OpenedRuntime } from "./open-runtime";
import { oneAfterTheOther, startMaintenance } from "./table-maintenance";

const ALERTS_MS = 5 * SECOND_MS;

/**
 * Starts the background jobs of a process: the reaper, hourly reconciliation, compaction of the roll-ups and expiry of
 * the stored responses, daily table maintenance, and every five seconds what admins are told of. Returns a function that stops them.
 */
export function startBackgroundJobs({ runtime, instanceId, replicas }: OpenedRuntime): () => Promise<void> {
  const { db, log, settings, clock } = runtime;
  const reaper = startReaper({
    database: db,
    instanceId,
    onHeartbeat: (live) => replicas.setLiveCount(live),
    onExpired: (count) => log.warn({ count }, "expired holds were released"),
    onError: (error) => log.error({ err: error }, "the reaper failed"),
  });
  const reconciling = setInterval(() => void reconcileLedger(runtime), HOUR_MS);
  const compacting = setInterval(() => void compact(runtime), HOUR_MS);
  void compact(runtime);
  const inTurn = oneAfterTheOther();
  const stopResponses = startMaintenance({
    table: "stored responses",
    everyMs: HOUR_MS,
    run: () =>
      inTurn(async () => {
        const maintained = await maintainStoredResponses(db, settings.responsesStoreHours, clock.date());
        await runtime.responses.limits.check();
        return maintained;
      }),
    log,
  });
  const stopLog = startMaintenance({
    table: "request log",
    everyMs: DAY_MS,
    run: () => inTurn(() => maintainTables(db, settings.logRetentionDays, clock.date())),
    log,
  });
  const sweepSignIns = async () => {
    try {
      await sweepThrottle(db);
      await sweepLogins(db, clock.date());
    } catch (error) {
      log.error({ err: error }, "the removal of old sign-ins failed");
    }
  };
  const sweeping = setInterval(() => void sweepSignIns(), DAY_MS);
  void sweepSignIns();
  const watching = setInterval(() => void runtime.alerts.watch(), ALERTS_MS);
  void runtime.alerts.watch();
  return async () => {
    clearInterval(watching);
    await runtime.alerts.stop();
    clearInterval(reconciling);
    clearInterval(compacting);
    clearInterval(sweeping);
    stopResponses();
    stopLog();
    await reaper.stop();
  };
}

/**
 * Compares the counters with their records. Held totals are recomputed from the open holds; wrong usage is only logged.
 * Source: docs/reliability.md#s2-5.
 */
async function reconcileLedger({ db, log, ledgerChecks }: Runtime): Promise<void> {
  try {
    const { ok, mismatches } = await ledgerChecks.get(0);
    if (ok) return;
    log.error({ mismatches }, "the counters do not match the ledger; see /api/admin/reconcile");
    const repairedKeys = await repairHeldTotals(db);
    if (repairedKeys.length > 0) log.warn({ repairedKeys }, "the held totals of these keys were repaired");
  } catch (error) {
    log.error({ err: error }, "the reconciliation failed");
  }
}

/** Makes statistics faster; they are correct without it. */
async function compact({ db, log }: Runtime): Promise<void> {
  try {
    await compactRollups(db);
  } catch (error) {
    log.error({ err: error }, "the compaction of the roll-ups failed");
  }
}

/** Registers the gauges that are read at each scrape. Source: docs/contract.md#s9. */
export function registerGauges(runtime: Runtime): void {
  const { metrics, drain, ledger, limiter, health, catalog } = runtime;
  metrics.gauge("requests_in_flight", "Requests begun and not ended", [], (gauge) =>
    gauge.set(drain.inFlight),
  );
  metrics.gauge("overloaded", "1 while new calls are refused because of overload", [], (gauge) =>
    gauge.set(runtime.admission.overloaded ? 1 : 0),
  );
  metrics.gauge("ledger_waiting", "Holds and settlements waiting for the database", [], (gauge) =>
    gauge.set(ledger.status().waiting),
  );
  metrics.gauge(
    "responses_stored_bytes",
    "What all stored responses take, as far as this process knows",
    [],
    (gauge) => gauge.set(runtime.responses.limits.totalBytes),
  );
  metrics.gauge("spool_depth", "Settlements on the local disk only", [], (gauge) =>
    gauge.set(ledger.status().spooled),
  );
  metrics.gauge(
    "limiter_degraded",
    "1 while the shared store of limits is unavailable",
    ["backend"],
    (gauge) => {
      const { backend, degraded } = limiter.status();
      gauge.set({ backend }, degraded ? 1 : 0);
    },
  );
  metrics.gauge("node_in_flight", "Attempts in flight", ["node"], (gauge) => {
    for (const node of catalog.current.nodes.values()) {
      gauge.set({ node: node.name }, nodeReport(health, node).inFlight);
    }
  });
  metrics.gauge("node_available", "1 while the node may be called", ["node", "state"], (gauge) => {
    gauge.reset();
    for (const node of catalog.current.nodes.values()) {
      const { state } = nodeReport(health, node);
      gauge.set({ node: node.name, state }, state === "healthy" || state === "degraded" ? 1 : 0);
    }
  });
}

/**
 * Serializes the runs of `work`: callers that arrive during a run share one run after it. Throws: what the work throws.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const run = (): Promise<void> => {
    running = work().finally(() => {
      running = null;
    });
    return running;
  };
  const runNext = (): Promise<void> => {
    next = null;
    return run();
  };
  return () => {
    if (next !== null) return next;
    if (running === null) return run();
    next = running.then(runNext, runNext);
    return next;
  };
}
