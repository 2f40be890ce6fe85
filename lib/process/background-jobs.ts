import { sweepLogins } from "@/lib/accounts/logins";
import { sweepThrottle } from "@/lib/accounts/sign-in";
import { startReaper } from "@/lib/billing/reaper";
import { repairHeldTotals } from "@/lib/billing/reconcile";
import { compactRollups } from "@/lib/billing/rollups";
import { maintainStoredResponses, maintainTables } from "@/lib/db/partitions";
import type { Runtime } from "@/lib/gateway/runtime";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/kernel/durations";
import { oneAtATime } from "./one-at-a-time";
import type { OpenedRuntime } from "./open-runtime";
import { closeStatements } from "./statement-closing";
import { oneAfterTheOther, startMaintenance } from "./table-maintenance";

const ALERTS_MS = 5 * SECOND_MS;
const CLOSING_MS = MINUTE_MS;

/**
 * Starts the background jobs of a process: the reaper, hourly reconciliation, compaction of the roll-ups and expiry of
 * the stored responses, daily table maintenance, alerts every five seconds, and the closing of statements. Returns a
 * function that stops them.
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
  const close = oneAtATime(() => closeStatements(runtime, instanceId));
  const closing = setInterval(() => void close(), CLOSING_MS);
  void close();
  return async () => {
    clearInterval(watching);
    clearInterval(closing);
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
