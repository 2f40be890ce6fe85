import type { Database, Session } from "@/lib/db/database";
import { advisoryLocks } from "@/lib/db/locks";
import { countLiveInstances, DEAD_AFTER_SECONDS, recordHeartbeat } from "@/lib/db/replicas";
import { onlyRow } from "@/lib/db/rows";
import { failpoint } from "@/lib/kernel/failpoint";

const INTERVAL_MS = 10_000;

const MAX_PER_SWEEP = 1_000;

/** A running reaper. */
export interface Reaper {
  /** Stops the reaper; resolves after the current sweep. */
  stop(): Promise<void>;
}

/**
 * Records a heartbeat of this process and sweeps expired holds, every ten seconds. Errors go to `onError`; the next run
 * tries again.
 * Source: docs/reliability.md#s2-5.
 */
export function startReaper(options: {
  database: Database;
  instanceId: string;
  onExpired(count: number): void;
  /** Called after each heartbeat with the number of live processes. */
  onHeartbeat?(live: number): void;
  onError(error: unknown): void;
  intervalMs?: number;
}): Reaper {
  const { database, instanceId, onExpired, onHeartbeat, onError, intervalMs = INTERVAL_MS } = options;
  let running = Promise.resolve();
  const runOnce = async (): Promise<void> => {
    try {
      await recordHeartbeat(database, instanceId);
      onHeartbeat?.(await countLiveInstances(database));
      const expired = await sweepHolds(database, instanceId);
      if (expired > 0) onExpired(expired);
    } catch (error) {
      onError(error);
    }
  };
  let busy = false;
  const tick = (): void => {
    if (busy) return;
    busy = true;
    running = runOnce().finally(() => {
      busy = false;
    });
  };
  tick();
  const timer = setInterval(tick, intervalMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

/**
 * Releases holds that will not be settled: expired ones, and those of processes without a recent heartbeat. One process
 * sweeps at a time. Returns how many holds it released.
 */
export async function sweepHolds(database: Database, instanceId: string): Promise<number> {
  if (database.kind === "embedded") return sweep(database, ofOtherInstances, [instanceId]);
  return database.session(async (session) => {
    const rows = await session.query<{ leader: boolean }>("SELECT pg_try_advisory_lock($1) AS leader", [
      advisoryLocks.reaper,
    ]);
    if (!onlyRow(rows).leader) return 0;
    // The lock ends with the session, which closes its connection.
    await session.query("SET lock_timeout = '1s'");
    return sweep(session, ofDeadInstances, [instanceId, DEAD_AFTER_SECONDS]);
  });
}

/** Only one process at a time uses the embedded database, so all holds of other processes are abandoned. */
const ofOtherInstances = "h.owner_instance <> $1";

const ofDeadInstances = `h.owner_instance <> $1 AND NOT EXISTS (
  SELECT 1 FROM instances i WHERE i.id = h.owner_instance AND i.heartbeat_at > now() - make_interval(secs => $2))`;

async function sweep(session: Session, abandoned: string, params: (string | number)[]): Promise<number> {
  const candidates = await session.query<{ request_id: string }>(
    `SELECT h.request_id FROM usage_holds h
     WHERE h.state = 'held' AND (h.expires_at < now() OR (${abandoned}))
     ORDER BY h.expires_at LIMIT ${MAX_PER_SWEEP}`,
    params,
  );
  let expired = 0;
  for (const { request_id } of candidates) {
    const rows = await session.query<{ done: boolean }>("SELECT quota_expire($1) AS done", [request_id]);
    if (onlyRow(rows).done) expired++;
    failpoint?.("reaper-swept");
  }
  return expired;
}
