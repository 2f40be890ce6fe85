import { inArray } from "drizzle-orm";
import type { LogFilter } from "@/lib/accounts/log-query";
import { logEntryOf, readLogPage } from "@/lib/accounts/logs";
import type { CursorRequest } from "@/lib/accounts/page";
import type { Session } from "@/lib/db/client";
import { users } from "@/lib/db/schema/accounts";
import { nodes } from "@/lib/db/schema/catalog";

/** Everybody's requests, newest first, with the account and the node that answered. Throws: INVALID_REQUEST. */
export async function listAllLogs(db: Session, filter: LogFilter, request: CursorRequest) {
  const { rows, page } = await readLogPage(db, filter, request);
  const usernames = await namesOf(distinct(rows.map((row) => row.userId)), (ids) =>
    db.orm.select({ id: users.id, name: users.username }).from(users).where(inArray(users.id, ids)),
  );
  const nodeNames = await namesOf(distinct(rows.map((row) => row.nodeId)), (ids) =>
    db.orm.select({ id: nodes.id, name: nodes.name }).from(nodes).where(inArray(nodes.id, ids)),
  );
  const data = rows.map((row) => ({
    ...logEntryOf(row),
    userId: row.userId,
    username: usernames.get(row.userId) ?? "",
    nodeId: row.nodeId,
    node: row.nodeId === null ? null : (nodeNames.get(row.nodeId) ?? ""),
  }));
  return { data, ...page };
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
