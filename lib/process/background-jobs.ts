import { sweepThrottle } from "@/lib/accounts/sign-in-throttle";
import { compactRollups } from "@/lib/billing/compact-rollups";
import { startReaper } from "@/lib/billing/reaper";
import { reconcile, repairHeldTotals } from "@/lib/billing/reconcile";
import { maintainTables } from "@/lib/db/partitions";
import type { Runtime } from "@/lib/gateway/runtime";
import type { OpenedRuntime } from "./open-runtime";

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/**
 * Starts the background jobs of a process: the reaper, hourly reconciliation and compaction of the roll-ups, daily
 * table maintenance. Returns a function that stops them.
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
  const maintain = async () => {
    try {
      await maintainTables(db, settings.logRetentionDays, clock.date());
      await sweepThrottle(db);
    } catch (error) {
      log.error({ err: error }, "the maintenance of the tables failed");
    }
  };
  const maintaining = setInterval(() => void maintain(), DAY_MS);
  void maintain();
  return async () => {
    clearInterval(reconciling);
    clearInterval(compacting);
    clearInterval(maintaining);
    await reaper.stop();
  };
}

/**
 * Compares the counters with their records. Held totals are recomputed from the open holds; wrong usage is only logged.
 * Source: docs/reliability.md#s2-5.
 */
async function reconcileLedger({ db, log }: Runtime): Promise<void> {
  try {
    const { ok, mismatches } = await reconcile(db);
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
