import type { Session } from "./database";
import { advisoryLocks } from "./locks";
import { onlyRow } from "./rows";

/** Rows that one statement looks at. */
const SLICE_ROWS = 1_000;

/** Name of the row in `settings` that marks that every response has an account. */
const MARKER = "stored_responses_counted";

/** Sorts before every response. */
const START: Place = { id: "00000000-0000-0000-0000-000000000000", at: "-infinity" };

/** A place in the order of the primary key. */
interface Place {
  id: string;
  at: string;
}

/** The rows that one statement has read. `last*`: the last of them; null: it found none. */
interface Slice {
  lastId: string | null;
  lastAt: string | null;
  /** How many had no account yet. */
  uncounted: number;
}

/**
 * Counts the stored responses that existed before responses were counted, and sets their account, a thousand rows a
 * statement. One process at a time does it; once a run finds none, no process looks again.
 * Throws: the database's errors; responses that were counted until then stay counted. Source: docs/responses.md#s4-3.
 */
export async function countEarlierResponses(session: Session): Promise<void> {
  const done = await session.query("SELECT 1 FROM settings WHERE name = $1", [MARKER]);
  if (done.length > 0) return;
  const lock = advisoryLocks.earlierResponses;
  const locks = await session.query<{ mine: boolean }>("SELECT pg_try_advisory_lock($1) AS mine", [lock]);
  if (!onlyRow(locks).mine) return;
  try {
    // The next run counts rows that others had locked, or that moved to the partition of their day meanwhile.
    if ((await countAll(session)) > 0) return;
    await session.query("INSERT INTO settings (name, value) VALUES ($1, 'true') ON CONFLICT DO NOTHING", [
      MARKER,
    ]);
  } finally {
    await session.query("SELECT pg_advisory_unlock($1)", [lock]);
  }
}

/** Returns how many responses had no account yet. */
async function countAll(session: Session): Promise<number> {
  let uncounted = 0;
  for (let place = START; ; ) {
    const slice = await countSlice(session, place);
    uncounted += slice.uncounted;
    if (slice.lastId === null || slice.lastAt === null) return uncounted;
    place = { id: slice.lastId, at: slice.lastAt };
  }
}

/** Counts the rows behind a place as the triggers of the table count new ones. Skips rows that others have locked. */
async function countSlice(session: Session, { id, at }: Place): Promise<Slice> {
  const rows = await session.query<Slice>(
    `WITH page AS MATERIALIZED (
       SELECT request_id, created_at, user_id FROM stored_responses
       WHERE (request_id, created_at) > ($1::uuid, $2::text::timestamptz)
       ORDER BY request_id, created_at LIMIT ${SLICE_ROWS}
     ), held AS MATERIALIZED (
       SELECT r.request_id, r.created_at FROM page p
       JOIN stored_responses r ON r.request_id = p.request_id AND r.created_at = p.created_at
       WHERE p.user_id IS NULL AND r.user_id IS NULL
       FOR UPDATE OF r SKIP LOCKED
     ), named AS (
       UPDATE stored_responses r
       SET user_id = coalesce((SELECT k.user_id FROM api_keys k WHERE k.id = r.key_id), r.key_id)
       FROM held h WHERE r.request_id = h.request_id AND r.created_at = h.created_at
       RETURNING r.user_id, r.created_at, r.bytes
     ), counted AS (
       INSERT INTO stored_response_usage AS u (user_id, day, bytes, responses)
       SELECT user_id, (created_at AT TIME ZONE 'UTC')::date, sum(stored_response_size(bytes)), count(*)
       FROM named GROUP BY 1, 2 ORDER BY 1, 2
       ON CONFLICT (user_id, day) DO UPDATE
       SET bytes = u.bytes + excluded.bytes, responses = u.responses + excluded.responses
     )
     SELECT
       (SELECT request_id::text FROM page ORDER BY request_id DESC, created_at DESC LIMIT 1) AS "lastId",
       (SELECT created_at::text FROM page ORDER BY request_id DESC, created_at DESC LIMIT 1) AS "lastAt",
       (SELECT count(*) FROM page WHERE user_id IS NULL)::int AS uncounted`,
    [id, at],
  );
  return onlyRow(rows);
}
