import { messageOf } from "@/lib/kernel/thrown";
import { bounded, Connection } from "./connection";
import { namesSeveralHosts, ONE_HOST, UnsuitableDatabaseError } from "./database-url";
import { DialPause } from "./dial";
import { firstAnswer, type Parameters } from "./driver";
import { onlyRow } from "./rows";

/** PgBouncer's message for an unknown parameter of the connection; its SQLSTATE, 08P01, has many other causes. */
const UNKNOWN_PARAMETER = "unsupported startup parameter";
const ROUNDS = 10;

const SESSION_MODE =
  "Connect to PostgreSQL directly, or through a pooler in session mode (PgBouncer: pool_mode = session)";
const REMEDY = `${SESSION_MODE} with ignore_startup_parameters = statement_timeout, lock_timeout, idle_in_transaction_session_timeout, jit, work_mem, plan_cache_mode, enable_seqscan and, in PostgreSQL, ALTER ROLE … SET statement_timeout = '2s', SET lock_timeout = '1s' and SET idle_in_transaction_session_timeout = '5s' (one ALTER ROLE for each)`;

/**
 * Refuses a pooler that does not keep a connection's session: one that refuses or drops the parameters of the
 * connection, and one in transaction mode, which gives each transaction any connection of the server. Locks,
 * notifications and the bounds of statements are lost there.
 * Throws: UnsuitableDatabaseError, whose message names session mode; the driver's error when nobody answers.
 * Source: docs/operations.md#poolers, docs/contract.md#database-url.
 */
export async function checkSession(url: string): Promise<void> {
  if (namesSeveralHosts(url)) throw new UnsuitableDatabaseError(`DATABASE_URL ${ONE_HOST}.`);
  const open = () =>
    new Connection({
      url,
      parameters: bounded,
      types: { parsers: {}, serializers: {} },
      idleSeconds: 0,
      pause: new DialPause(),
      onError: () => {},
    });
  const pair = [open(), open()] as const;
  try {
    await firstAnswer(Promise.all(pair.map((connection) => connection.query("SELECT 1", []))));
    await checkMarkers(pair);
    await checkParameters(pair[0], { ...bounded, ...parametersOf(url) });
  } catch (error) {
    if (!messageOf(error).includes(UNKNOWN_PARAMETER)) throw error;
    throw new UnsuitableDatabaseError(
      `The pooler that DATABASE_URL names refuses the connection (${messageOf(error)}). ${REMEDY}.`,
    );
  } finally {
    await Promise.all(pair.map((connection) => connection.end(1)));
  }
}

/** Each of two connections sets a marker of its own and must read it back, alone and beside the other connection. */
async function checkMarkers(pair: readonly [Connection, Connection]): Promise<void> {
  const mark = async (connection: Connection, index: number): Promise<void> => {
    await connection.query("SELECT set_config('tollgate.marker', $1, false)", [String(index)]);
  };
  const check = async (connection: Connection, index: number): Promise<void> => {
    const rows = await connection.query("SELECT current_setting('tollgate.marker', true) AS marker", []);
    if (textOf(onlyRow(rows), "marker") === String(index)) return;
    throw new UnsuitableDatabaseError(
      `DATABASE_URL leads to a pooler in transaction mode, which loses locks and notifications. ${SESSION_MODE}.`,
    );
  };
  await mark(pair[0], 0);
  await mark(pair[1], 1);
  for (let round = 0; round < ROUNDS; round++) {
    if (round % 2 === 0) await Promise.all(pair.map(check));
    else {
      await check(pair[0], 0);
      await check(pair[1], 1);
    }
  }
}

/** The bounds of statements must be those that the connection asked for. */
async function checkParameters(connection: Connection, wanted: Parameters): Promise<void> {
  for (const name of Object.keys(bounded)) {
    const milliseconds = Number(wanted[name]);
    const rows = await connection.query("SELECT setting FROM pg_settings WHERE name = $1", [name]);
    const setting = textOf(onlyRow(rows), "setting");
    if (Number.isNaN(milliseconds) || Number(setting) === milliseconds) continue;
    throw new UnsuitableDatabaseError(
      `The pooler that DATABASE_URL names drops the parameters of the connection: ${name} is ${setting} ms instead of ${milliseconds} ms. ${REMEDY}.`,
    );
  }
}

/** Parameters in the address replace those of the program. */
function parametersOf(url: string): Parameters {
  return Object.fromEntries(new URL(url).searchParams);
}

function textOf(row: unknown, name: string): string | null {
  const value: unknown = typeof row === "object" && row !== null ? Reflect.get(row, name) : null;
  return typeof value === "string" ? value : null;
}
