import { type SQL, sql } from "drizzle-orm";
import { DAY_MS, HOUR_MS } from "@/lib/kernel/durations";
import type { Database, Orm, Session } from "./database";
import { countEarlierResponses } from "./earlier-responses";
import { advisoryLocks } from "./locks";
import { onlyRow } from "./rows";
import { isLockTimeout, withTableLock } from "./table-lock";

/** A table in partitions of one width, which are named after their beginning. */
interface Partitioned {
  readonly name: "request_log" | "stored_responses";
  /** The unit of `date_trunc` that begins a partition. */
  readonly unit: "week" | "day";
  readonly hours: number;
  /** How far ahead partitions are made. Units: milliseconds. */
  readonly aheadMs: number;
}

const requestLog: Partitioned = {
  name: "request_log",
  unit: "week",
  hours: 168,
  aheadMs: 28 * DAY_MS,
};
const storedResponses: Partitioned = {
  name: "stored_responses",
  unit: "day",
  hours: 24,
  aheadMs: 3 * DAY_MS,
};

/** What one run of the maintenance did. */
export interface Maintained {
  made: number;
  dropped: number;
  /** The run ended early, because another session reads or maintains the table; a later run does the rest. */
  blocked: boolean;
}

/**
 * Creates the missing weekly partitions of the request log from `from` to four weeks after `to`. Returns how many it
 * created. Throws: an error for which `isLockTimeout` is true when the table is not free.
 */
export async function makePartitions(session: Session, from: Date, to: Date): Promise<number> {
  const made = { made: 0, dropped: 0, blocked: false };
  await makeMissing(session, requestLog, from, to, made);
  return made.made;
}

/** Creates the partitions of both tables that are due, as far as the tables are free. */
export async function makeDuePartitions(session: Session, now: Date): Promise<void> {
  for (const table of [requestLog, storedResponses])
    await untilBlocked((done) => makeMissing(session, table, now, now, done));
}

/**
 * Daily maintenance: creates partitions for the coming weeks, drops request logs older than the retention, deletes holds
 * that ended more than a week ago. The ledger and the roll-ups stay. Each partition has a transaction of its own.
 * Source: docs/reliability.md#a2b, #s2-14, docs/contract.md#s2 (`LOG_RETENTION_DAYS`).
 */
export function maintainTables(database: Database, retentionDays: number, now: Date): Promise<Maintained> {
  return database.session(async (session) => {
    await session.query("DELETE FROM usage_holds WHERE state <> 'held' AND resolved_at < $1", [
      new Date(now.getTime() - 7 * DAY_MS),
    ]);
    return untilBlocked(async (done) => {
      await makeMissing(session, requestLog, now, now, done);
      await dropExpired(session, requestLog, new Date(now.getTime() - retentionDays * DAY_MS), done);
    });
  });
}

/**
 * Hourly maintenance of the stored responses: creates partitions for the coming days, drops those older than the
 * retention, counts responses that were stored before there was a count. `hours` 0 deletes all. Each partition has a
 * transaction of its own. Source: docs/responses.md#s4-3, docs/responses.md#s4-4, docs/reliability.md#s2-14.
 */
export function maintainStoredResponses(database: Database, hours: number, now: Date): Promise<Maintained> {
  return database.session((session) =>
    untilBlocked(async (done) => {
      await makeMissing(session, storedResponses, now, now, done);
      const before = new Date(now.getTime() - hours * HOUR_MS);
      await dropExpired(session, storedResponses, before, done);
      await dropCountsOfDays(session, before);
      if (hours > 0) return countEarlierResponses(session);
      await emptyPartitions(session, storedResponses);
      await session.query("DELETE FROM stored_response_usage");
    }),
  );
}

/** Runs work until it has ended or a table is not free. Throws: every other error. */
async function untilBlocked(work: (done: Maintained) => Promise<void>): Promise<Maintained> {
  const done = { made: 0, dropped: 0, blocked: false };
  try {
    await work(done);
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    done.blocked = true;
  }
  return done;
}

async function makeMissing(
  session: Session,
  table: Partitioned,
  from: Date,
  to: Date,
  done: Maintained,
): Promise<void> {
  const { name, unit, hours, aheadMs } = table;
  // Reads the catalogue: a table that to_regclass did not find stays unknown to this connection after another one
  // creates it.
  const missing = await session.query<{ begins: Date }>(
    `SELECT begins FROM generate_series(date_trunc('${unit}', $1::timestamptz, 'UTC'), $2::timestamptz,
       interval '${hours} hours') AS begins
     WHERE NOT EXISTS (SELECT 1 FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE i.inhparent = '${name}'::regclass
         AND c.relname = '${name}_' || to_char(begins AT TIME ZONE 'UTC', 'YYYYMMDD'))
     ORDER BY begins`,
    [from, new Date(to.getTime() + aheadMs)],
  );
  for (const { begins } of missing) {
    const moment = sql`${begins.toISOString()}::timestamptz`;
    done.made += await counted(session, sql`${sql.raw(`${name}_make_partitions`)}(${moment}, ${moment})`);
  }
}

/** Drops the partitions that end before a moment, the oldest first, then such rows outside of every partition. */
async function dropExpired(
  session: Session,
  { name, hours }: Partitioned,
  before: Date,
  done: Maintained,
): Promise<void> {
  const expired = await session.query<{ ends: Date }>(
    `SELECT ends FROM (
       SELECT to_date(right(c.relname, 8), 'YYYYMMDD')::timestamp AT TIME ZONE 'UTC' + interval '${hours} hours' AS ends
       FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE i.inhparent = '${name}'::regclass AND c.relname ~ '^${name}_[0-9]{8}$') AS parts
     WHERE ends <= $1 ORDER BY ends`,
    [before],
  );
  for (const end of [...expired.map(({ ends }) => ends), before]) {
    const moment = sql`${end.toISOString()}::timestamptz`;
    done.dropped += await counted(session, sql`${sql.raw(`${name}_drop_partitions`)}(${moment})`);
  }
}

/** Deletes the counts of days before a moment whose partitions are gone. Source: docs/responses.md#s4-3. */
async function dropCountsOfDays(session: Session, before: Date): Promise<void> {
  await session.query(
    `DELETE FROM stored_response_usage
     WHERE (day + 1)::timestamp AT TIME ZONE 'UTC' <= $1 AND NOT EXISTS (
       SELECT 1 FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE i.inhparent = 'stored_responses'::regclass AND c.relname = 'stored_responses_' || to_char(day, 'YYYYMMDD'))`,
    [before],
  );
}

/** Empties every partition that has rows. */
async function emptyPartitions(session: Session, { name }: Partitioned): Promise<void> {
  const parts = await session.query<{ part: string }>(
    `SELECT c.relname AS part FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = '${name}'::regclass ORDER BY c.relname`,
  );
  for (const { part } of parts) {
    const rows = await session.query<{ used: boolean }>(`SELECT EXISTS (SELECT 1 FROM "${part}") AS used`);
    if (onlyRow(rows).used) await underTableLock(session, (tx) => tx.execute(sql.raw(`TRUNCATE "${part}"`)));
  }
}

/** What a function that makes or drops partitions returns. */
async function counted(session: Session, call: SQL): Promise<number> {
  const rows = await underTableLock(session, (tx) =>
    tx.select({ partitions: sql<number>`${call}` }).from(sql`(SELECT 1) AS one`),
  );
  return onlyRow(rows).partitions;
}

/** One process at a time makes or drops partitions. */
function underTableLock<T>(session: Session, work: (tx: Orm) => Promise<T>): Promise<T> {
  return withTableLock(session, advisoryLocks.partitions, work);
}
