import { sweepThrottle } from "@/lib/accounts/sign-in-throttle";
import { compactRollups } from "@/lib/billing/compact-rollups";
import { startReaper } from "@/lib/billing/reaper";
import { healHeld, reconcile } from "@/lib/billing/reconcile";
import { maintainTables } from "@/lib/db/partitions";
import type { Runtime } from "@/lib/gateway/runtime";
import type { OpenedRuntime } from "./open-runtime";

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/**
 * Starts the background work of a process: reaper, hourly reconciliation and folding of the roll-ups, daily
 * partitions. Returns what ends it.
 */
export function startBackgroundJobs({ runtime, instanceId, replicas }: OpenedRuntime): () => Promise<void> {
  const { db, log, settings, clock } = runtime;
  const reaper = startReaper({
    database: db,
    instanceId,
    onAlive: (live) => replicas.counted(live),
    onExpired: (count) => log.warn({ count }, "holds that nobody settled were given back"),
    onError: (error) => log.error({ err: error }, "the reaper failed"),
  });
  const reconciling = setInterval(() => void checkBooks(runtime), HOUR_MS);
  const folding = setInterval(() => void fold(runtime), HOUR_MS);
  void fold(runtime);
  const maintain = async () => {
    try {
      await maintainTables(db, settings.logRetentionDays, clock.date());
      await sweepThrottle(db);
    } catch (error) {
      log.error({ err: error }, "the upkeep of the tables failed");
    }
  };
  const maintaining = setInterval(() => void maintain(), DAY_MS);
  void maintain();
  return async () => {
    clearInterval(reconciling);
    clearInterval(folding);
    clearInterval(maintaining);
    await reaper.stop();
  };
}

/**
 * What is held follows from the open holds and is put right; what was used is only ever reported.
 * Source: docs/reliability.md#s2-5.
 */
async function checkBooks({ db, log }: Runtime): Promise<void> {
  try {
    const { ok, mismatches } = await reconcile(db);
    if (ok) return;
    log.error({ mismatches }, "the books do not agree; see /api/admin/reconcile");
    const healedKeys = await healHeld(db);
    if (healedKeys.length > 0) log.warn({ healedKeys }, "what these keys hold was put right");
  } catch (error) {
    log.error({ err: error }, "the books could not be checked");
  }
}

/** Statistics are right without it, only slower. */
async function fold({ db, log }: Runtime): Promise<void> {
  try {
    await compactRollups(db);
  } catch (error) {
    log.error({ err: error }, "the roll-ups could not be summed into longer ones");
  }
}
