import { inArray } from "drizzle-orm";
import type { CursorRequest } from "@/lib/accounts/page";
import type { Session } from "@/lib/db/database";
import { users } from "@/lib/db/schema/accounts";
import { nodes } from "@/lib/db/schema/catalog";
import type { LogFilter } from "@/lib/reports/log-query";
import { type LogEntry, type LogRow, logEntryOf, readLogPage, walkLogRows } from "@/lib/reports/logs";

/** A log entry with its account and the node that answered. */
export interface AdminLogEntry extends LogEntry {
  userId: string;
  username: string;
  nodeId: string | null;
  node: string | null;
}

/** The requests of all accounts, newest first, with the account and the node that answered. Throws: INVALID_REQUEST. */
export async function listAllLogs(db: Session, filter: LogFilter, request: CursorRequest) {
  const { rows, page } = await readLogPage(db, filter, request);
  return { data: await named(db, rows), ...page };
}

/** All matching requests of all accounts, newest first, in batches and at most `maxRows`. */
export async function* walkAllLogs(
  db: Session,
  filter: LogFilter,
  maxRows: number,
): AsyncGenerator<AdminLogEntry[]> {
  for await (const rows of walkLogRows(db, filter, maxRows)) yield await named(db, rows);
}

async function named(db: Session, rows: readonly LogRow[]): Promise<AdminLogEntry[]> {
  const usernames = await namesOf(distinct(rows.map((row) => row.userId)), (ids) =>
    db.orm.select({ id: users.id, name: users.username }).from(users).where(inArray(users.id, ids)),
  );
  const nodeNames = await namesOf(distinct(rows.map((row) => row.nodeId)), (ids) =>
    db.orm.select({ id: nodes.id, name: nodes.name }).from(nodes).where(inArray(nodes.id, ids)),
  );
  return rows.map((row) => ({
    ...logEntryOf(row),
    userId: row.userId,
    username: usernames.get(row.userId) ?? "",
    nodeId: row.nodeId,
    node: row.nodeId === null ? null : (nodeNames.get(row.nodeId) ?? ""),
  }));
}

async function namesOf(
  ids: string[],
  read: (ids: string[]) => Promise<{ id: string; name: string }[]>,
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  return new Map((await read(ids)).map((row) => [row.id, row.name]));
}

function distinct(ids: (string | null)[]): string[] {
  return [...new Set(ids.filter((id) => id !== null))];
}
