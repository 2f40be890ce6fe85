import { failpoint } from "@/lib/kernel/failpoint";
import type { Database, Session } from "../db/database";
import { beatHeart, countLiveInstances, DEAD_AFTER_SECONDS } from "../db/instances";

const INTERVAL_MS = 10_000;
const LEADER_LOCK = 7_405_002;
const MAX_PER_SWEEP = 1_000;

/** A running reaper. */
export interface Reaper {
  /** Ends it after the sweep under way. */
  stop(): Promise<void>;
}

/**
 * Every ten seconds: a heartbeat of this process, and one sweep. Errors go to `onError`; the next round tries again.
 * Source: docs/reliability.md#s2-5.
 */
export function startReaper(options: {
  database: Database;
  instanceId: string;
  onExpired(count: number): void;
  /** After each heartbeat: how many processes live. */
  onAlive?(live: number): void;
  onError(error: unknown): void;
  intervalMs?: number;
}): Reaper {
  const { database, instanceId, onExpired, onAlive, onError, intervalMs = INTERVAL_MS } = options;
  let running = Promise.resolve();
  const round = async (): Promise<void> => {
    try {
      await beatHeart(database, instanceId);
      onAlive?.(await countLiveInstances(database));
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
    running = round().finally(() => {
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
 * Gives back the holds that nobody will settle: those past their time, and those of processes that show no life. One
 * process does it at a time. Returns how many.
 */
export async function sweepHolds(database: Database, instanceId: string): Promise<number> {
  if (database.kind === "embedded") return sweep(database, onlyMine, [instanceId]);
  return database.session(async (session) => {
    const [row] = await session.query<{ leader: boolean }>("SELECT pg_try_advisory_lock($1) AS leader", [
      LEADER_LOCK,
    ]);
    if (!row?.leader) return 0;
    // The connection ends with the session, and the lock with the connection.
    await session.query("SET lock_timeout = '1s'");
    return sweep(session, onlyLiving, [instanceId, DEAD_AFTER_SECONDS]);
  });
}

/** The embedded database has one process at a time: holds of any other belong to one that has ended. */
const onlyMine = "h.owner_instance <> $1";

const onlyLiving = `h.owner_instance <> $1 AND NOT EXISTS (
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
    const [row] = await session.query<{ done: boolean }>("SELECT quota_expire($1) AS done", [request_id]);
    if (row?.done) expired++;
    failpoint("reaper-swept");
  }
  return expired;
}
