import type { Session } from "@/lib/db/database";
import { GatewayError } from "@/lib/kernel/errors";

const ALLOWED_FAILURES = 5;
const MAX_DELAY_SECONDS = 60;
const MAX_WAITING = 32;
/** After this long without a failure the count of a name restarts. */
const RESET_AFTER = "15 minutes";

/**
 * Counts one attempt from an address within fixed minutes.
 * Throws: RATE_LIMITED with `Retry-After` above the limit. Source: docs/reliability.md#s3-4.
 */
export async function countAttempt(
  db: Session,
  action: "login" | "register",
  ip: string,
  perMinute: number,
): Promise<void> {
  const [row] = await db.query<{ count: number; wait: number }>(
    `INSERT INTO login_throttle AS t (subject, count, window_started_at) VALUES ($1, 1, now())
     ON CONFLICT (subject) DO UPDATE SET
       count = CASE WHEN t.window_started_at <= now() - interval '1 minute' THEN 1 ELSE t.count + 1 END,
       window_started_at =
         CASE WHEN t.window_started_at <= now() - interval '1 minute' THEN now() ELSE t.window_started_at END
     RETURNING count,
       ceil(extract(epoch FROM window_started_at + interval '1 minute' - now()))::int AS wait`,
    [`${action}-ip:${ip}`],
  );
  if (row !== undefined && row.count > perMinute) throw tooMany(row.wait);
}

/** Refuses a name that is blocked after failures. Throws: RATE_LIMITED with `Retry-After`. */
export async function requireNotBlocked(db: Session, usernameKey: string): Promise<void> {
  const [row] = await db.query<{ wait: number }>(
    `SELECT ceil(extract(epoch FROM blocked_until - now()))::int AS wait FROM login_throttle
     WHERE subject = $1 AND blocked_until > now()`,
    [nameSubject(usernameKey)],
  );
  if (row !== undefined) throw tooMany(row.wait);
}

/**
 * Records a failure of a name: from the fifth on each blocks the name for twice as long, from 1 to 60 seconds. There is
 * no permanent lock, with which anybody could lock an account out. Source: docs/reliability.md#s3-4.
 */
export async function recordFailure(db: Session, usernameKey: string): Promise<void> {
  await db.query(
    `INSERT INTO login_throttle AS t (subject, count, window_started_at) VALUES ($1, 1, now())
     ON CONFLICT (subject) DO UPDATE SET
       count = CASE WHEN t.window_started_at <= now() - interval '${RESET_AFTER}' THEN 1 ELSE t.count + 1 END,
       window_started_at = now(),
       blocked_until = CASE
         WHEN t.window_started_at <= now() - interval '${RESET_AFTER}' OR t.count + 1 < $2::int THEN NULL
         ELSE now() + least($3::int, 2 ^ least(t.count + 1 - $2::int, 10)) * interval '1 second' END`,
    [nameSubject(usernameKey), ALLOWED_FAILURES, MAX_DELAY_SECONDS],
  );
}

/** Deletes the failures of a name, after the right password. */
export async function clearFailures(db: Session, usernameKey: string): Promise<void> {
  await db.query("DELETE FROM login_throttle WHERE subject = $1", [nameSubject(usernameKey)]);
}

/** Password checks that wait, by name. */
const queues = new Map<string, { last: Promise<unknown>; waiting: number }>();

/**
 * Serializes the password checks of a name, so that each check sees the failures of the previous ones. Throws:
 * RATE_LIMITED when too many wait.
 */
export async function serializeByName<T>(usernameKey: string, compare: () => Promise<T>): Promise<T> {
  const queue = queues.get(usernameKey) ?? { last: Promise.resolve(), waiting: 0 };
  if (queue.waiting >= MAX_WAITING) throw tooMany(1);
  queues.set(usernameKey, queue);
  queue.waiting += 1;
  const run = queue.last.then(compare);
  queue.last = run.catch(() => {});
  try {
    return await run;
  } finally {
    queue.waiting -= 1;
    if (queue.waiting === 0) queues.delete(usernameKey);
  }
}

/** Deletes expired rows, to keep the table small. */
export async function sweepThrottle(db: Session): Promise<void> {
  await db.query("DELETE FROM login_throttle WHERE window_started_at < now() - interval '1 day'");
}

function nameSubject(usernameKey: string): string {
  return `user:${usernameKey}`;
}

function tooMany(waitSeconds: number): GatewayError {
  const retryAfterSeconds = Math.max(1, waitSeconds);
  return new GatewayError("RATE_LIMITED", `Too many attempts. Try again in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  });
}
