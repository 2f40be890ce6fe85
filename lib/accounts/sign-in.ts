import { eq, sql } from "drizzle-orm";
import type { Orm, Session } from "@/lib/db/database";
import { onlyRow } from "@/lib/db/rows";
import { users } from "@/lib/db/schema/accounts";
import { throttledAddress } from "@/lib/kernel/client-address";
import { GatewayError } from "@/lib/kernel/errors";
import { verifyPassword, verifyUnknownUser } from "./password";
import type { UserRow } from "./session";
import { usernameKey } from "./users";

/**
 * The account of a username and password. Unknown names, wrong passwords and deleted accounts get the same error after
 * the same time; only a caller with the right password gets the error that the account is suspended.
 * Throws: INVALID_CREDENTIALS, FORBIDDEN (suspended), RATE_LIMITED. Source: docs/spec.md#s4-5,
 * docs/reliability.md#s3-4.
 */
export function signIn(db: Session, username: string, password: string): Promise<UserRow> {
  const key = usernameKey(username);
  return serializeByName(key, () => authenticate(db, key, password));
}

async function authenticate(db: Session, key: string, password: string): Promise<UserRow> {
  await requireNotBlocked(db, key);
  const [user] = await db.orm.select().from(users).where(eq(users.usernameKey, key)).limit(1);
  const matches = user
    ? await verifyPassword(password, user.passwordHash)
    : await verifyUnknownUser(password);
  if (user === undefined || !matches || user.status === "deleted") {
    await recordFailure(db, key);
    throw new GatewayError("INVALID_CREDENTIALS", "The username or the password is wrong.");
  }
  await clearFailures(db.orm, key);
  if (user.status === "suspended") throw suspended(user);
  return user;
}

function suspended({ suspendedAt }: UserRow): GatewayError {
  return new GatewayError("FORBIDDEN", "This account is suspended. An administrator can lift that.", {
    reason: "account_suspended",
    ...(suspendedAt && { since: suspendedAt }),
  });
}

const ALLOWED_FAILURES = 5;

const MAX_DELAY_SECONDS = 60;

const MAX_WAITING = 32;

/** After this long without a failure the count of a name restarts. */
const RESET_AFTER = "15 minutes";

/**
 * Counts one attempt from an address, or its IPv6 network, within fixed minutes.
 * Throws: RATE_LIMITED with `Retry-After` above the limit. Source: docs/reliability.md#s3-4.
 */
export async function countAttempt(
  db: Session,
  action: "login" | "register",
  ip: string,
  perMinute: number,
): Promise<void> {
  const rows = await db.query<{ count: number; wait: number }>(
    `INSERT INTO login_throttle AS t (subject, count, window_started_at) VALUES ($1, 1, now())
     ON CONFLICT (subject) DO UPDATE SET
       count = CASE WHEN t.window_started_at <= now() - interval '1 minute' THEN 1 ELSE t.count + 1 END,
       window_started_at =
         CASE WHEN t.window_started_at <= now() - interval '1 minute' THEN now() ELSE t.window_started_at END
     RETURNING count,
       ceil(extract(epoch FROM window_started_at + interval '1 minute' - now()))::int AS wait`,
    [`${action}-ip:${throttledAddress(ip)}`],
  );
  const attempts = onlyRow(rows);
  if (attempts.count > perMinute) throw tooMany(attempts.wait);
}

/** Refuses a name that is blocked after failures. Throws: RATE_LIMITED with `Retry-After`. */
export async function requireNotBlocked(db: Session, usernameKey: string): Promise<void> {
  const rows = await db.query<{ wait: number | null }>(
    `SELECT ceil(extract(epoch FROM max(blocked_until) - now()))::int AS wait FROM login_throttle
     WHERE subject = $1 AND blocked_until > now()`,
    [nameSubject(usernameKey)],
  );
  const { wait } = onlyRow(rows);
  if (wait !== null) throw tooMany(wait);
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
export async function clearFailures(orm: Orm, usernameKey: string): Promise<void> {
  await orm.execute(sql`DELETE FROM login_throttle WHERE subject = ${nameSubject(usernameKey)}`);
}

/** Password checks that wait, by name. */
const queues = new Map<string, { last: Promise<unknown>; waiting: number }>();

/**
 * Serializes the password checks of a name, so that each check sees the failures of the previous ones.
 * Throws: RATE_LIMITED when too many wait.
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
    refusal: "sign-in",
    retryAfterSeconds,
  });
}
