import type { Session } from "@/lib/db/database";
import { GatewayError } from "@/lib/kernel/errors";

const FREE_FAILURES = 5;
const MAX_DELAY_SECONDS = 60;
const MAX_WAITING = 32;
/** After this long without a failure a name starts afresh. */
const FORGET = "15 minutes";

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

/** Refuses a name that has to wait after failures. Throws: RATE_LIMITED with `Retry-After`. */
export async function checkName(db: Session, usernameKey: string): Promise<void> {
  const [row] = await db.query<{ wait: number }>(
    `SELECT ceil(extract(epoch FROM blocked_until - now()))::int AS wait FROM login_throttle
     WHERE subject = $1 AND blocked_until > now()`,
    [nameSubject(usernameKey)],
  );
  if (row !== undefined) throw tooMany(row.wait);
}

/**
 * Notes a failure of a name: five are free, then each one costs twice the wait of the one before, from 1 to 60
 * seconds. Never a lasting lock, which would let anybody shut an account out. Source: docs/reliability.md#s3-4.
 */
export async function noteFailure(db: Session, usernameKey: string): Promise<void> {
  await db.query(
    `INSERT INTO login_throttle AS t (subject, count, window_started_at) VALUES ($1, 1, now())
     ON CONFLICT (subject) DO UPDATE SET
       count = CASE WHEN t.window_started_at <= now() - interval '${FORGET}' THEN 1 ELSE t.count + 1 END,
       window_started_at = now(),
       blocked_until = CASE
         WHEN t.window_started_at <= now() - interval '${FORGET}' OR t.count + 1 < $2::int THEN NULL
         ELSE now() + least($3::int, 2 ^ least(t.count + 1 - $2::int, 10)) * interval '1 second' END`,
    [nameSubject(usernameKey), FREE_FAILURES, MAX_DELAY_SECONDS],
  );
}

/** Forgets the failures of a name, after the right password. */
export async function clearFailures(db: Session, usernameKey: string): Promise<void> {
  await db.query("DELETE FROM login_throttle WHERE subject = $1", [nameSubject(usernameKey)]);
}

/** Guesses that wait for their turn, by name. */
const turns = new Map<string, { last: Promise<unknown>; waiting: number }>();

/**
 * Lets one password of a name be compared after the other, so that guesses at the same time count like guesses in a
 * row: each sees what the one before has noted. Throws: RATE_LIMITED when too many wait.
 */
export async function inTurn<T>(usernameKey: string, compare: () => Promise<T>): Promise<T> {
  const turn = turns.get(usernameKey) ?? { last: Promise.resolve(), waiting: 0 };
  if (turn.waiting >= MAX_WAITING) throw tooMany(1);
  turns.set(usernameKey, turn);
  turn.waiting += 1;
  const mine = turn.last.then(compare);
  turn.last = mine.catch(() => {});
  try {
    return await mine;
  } finally {
    turn.waiting -= 1;
    if (turn.waiting === 0) turns.delete(usernameKey);
  }
}

/** Removes rows that no longer matter, so that the table stays small; cheap to call at any time. */
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
