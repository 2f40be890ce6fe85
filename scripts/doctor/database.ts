import { reconcile } from "@/lib/billing/reconcile";
import type { Settings } from "@/lib/config/env";
import { connectionNeed, connectionShortage } from "@/lib/db/connection-need";
import type { Database } from "@/lib/db/database";
import { onlyRow } from "@/lib/db/rows";
import { messageOfCause } from "@/lib/ops/log-error";
import { type Finding, ill, well } from "./finding";

/** The largest clock skew: sessions and limits use the database's clock, logs and charts this machine's. */
const MAX_SKEW_SECONDS = 60;

/**
 * Checks a migrated database: whether it accepts writes and gives enough connections, its clock, its reconciliation, and
 * what its stored responses take. Changes nothing.
 */
export async function databaseState(db: Database, settings: Settings): Promise<Finding[]> {
  return [
    await writable(db),
    await connections(db, settings),
    await clock(db),
    await reconciliation(db),
    await storedResponses(db, settings),
  ].filter((finding) => finding !== null);
}

const MIB = 1024n * 1024n;

/** How much of the bounds of the stored responses is used. Source: docs/responses.md#s4-3. */
async function storedResponses(
  db: Database,
  { responsesStoreHours, responsesStoreMib, responsesStoreAccountMib }: Settings,
): Promise<Finding> {
  if (responsesStoreHours === 0) return well("responses", "are not stored (RESPONSES_STORE_HOURS is 0)");
  const [sums] = await db.query<{ total: bigint; most: bigint }>(
    `SELECT coalesce(sum(bytes), 0)::bigint AS total, coalesce(max(bytes), 0)::bigint AS most
     FROM (SELECT sum(bytes) AS bytes FROM stored_response_usage GROUP BY user_id) accounts`,
  );
  const [total, most] = [(sums?.total ?? 0n) / MIB, (sums?.most ?? 0n) / MIB];
  return well(
    "responses",
    `stored: ${total} of ${responsesStoreMib} MiB (RESPONSES_STORE_MIB), the account with the most ${most} of ${responsesStoreAccountMib} MiB (RESPONSES_STORE_ACCOUNT_MIB)`,
  );
}

async function writable(db: Database): Promise<Finding | null> {
  const rows = await db.query<{ read_only: string }>(
    "SELECT current_setting('transaction_read_only') AS read_only",
  );
  if (onlyRow(rows).read_only !== "on") return null;
  return ill(
    "database",
    "takes no writes (a standby, or read-only): calls get 503; point DATABASE_URL at the primary, or make it writable",
  );
}

async function connections(db: Database, { databasePool, replicas }: Settings): Promise<Finding | null> {
  if (db.kind === "embedded") return null;
  const shortage = await connectionShortage(db, connectionNeed(databasePool, replicas));
  return shortage === null ? null : ill("database", shortage);
}

async function clock(db: Database): Promise<Finding> {
  const before = Date.now();
  const { now } = onlyRow(await db.query<{ now: Date }>("SELECT clock_timestamp() AS now"));
  const here = (before + Date.now()) / 2;
  const seconds = Math.round((here - now.getTime()) / 1_000);
  const how = `${Math.abs(seconds)} s ${seconds > 0 ? "ahead of" : "behind"} the database's`;
  return Math.abs(seconds) > MAX_SKEW_SECONDS
    ? ill("clock", `this machine's is ${how}; let both follow a time server`)
    : well("clock", "agrees with the database's");
}

async function reconciliation(db: Database): Promise<Finding> {
  try {
    const { mismatches, openHolds } = await reconcile(db);
    if (mismatches.length === 0)
      return well(
        "books",
        `every sum agrees; ${openHolds} requests are held, each for at most a quarter of an hour`,
      );
    const kinds = [...new Set(mismatches.map(({ kind }) => kind))].join(", ");
    return ill(
      "books",
      `${mismatches.length} sums do not agree (${kinds}); what is held is put right within the hour, the rest is in /api/admin/reconcile`,
    );
  } catch (error) {
    return ill("books", `could not be added up (${messageOfCause(error)})`);
  }
}
