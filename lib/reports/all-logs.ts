import { and, between, inArray } from "drizzle-orm";
import { isFailure } from "@/lib/billing/outcome";
import type { Session } from "@/lib/db/database";
import { users } from "@/lib/db/schema/accounts";
import { nodes } from "@/lib/db/schema/catalog";
import { requestLog } from "@/lib/db/schema/usage";
import type { LogFilter } from "./log-filter";
import { type LogEntry, type LogRequest, type LogRow, logEntryOf, readLogPage, walkLogRows } from "./logs";

/** A log entry with its account and its nodes. */
export interface AdminLogEntry extends LogEntry {
  userId: string;
  username: string;
  /** The node that answered. */
  nodeId: string | null;
  node: string | null;
  /** The attempts that got no answer, in their order. */
  failedAttempts: { nodeId: string | null; node: string; result: string }[];
}

/** As `listLogs`, of all accounts, with the account and the node that answered. Throws: INVALID_REQUEST. */
export async function listAllLogs(db: Session, filter: LogFilter, request: LogRequest) {
  const { rows, page } = await readLogPage(db, filter, request);
  return { data: await withUserNames(db, rows), ...page };
}

/** All matching requests of all accounts, newest first, in batches and at most `maxRows`. */
export async function* walkAllLogs(
  db: Session,
  filter: LogFilter,
  maxRows: number,
): AsyncGenerator<AdminLogEntry[]> {
  for await (const rows of walkLogRows(db, filter, maxRows)) yield await withUserNames(db, rows);
}

async function withUserNames(db: Session, rows: readonly LogRow[]): Promise<AdminLogEntry[]> {
  const usernames = await namesOf(distinct(rows.map((row) => row.userId)), (ids) =>
    db.orm.select({ id: users.id, name: users.username }).from(users).where(inArray(users.id, ids)),
  );
  const nodeNames = await namesOf(distinct(rows.map((row) => row.nodeId)), (ids) =>
    db.orm.select({ id: nodes.id, name: nodes.name }).from(nodes).where(inArray(nodes.id, ids)),
  );
  const failed = await failedAttemptsOf(db, rows);
  return rows.map((row) => ({
    ...logEntryOf(row),
    userId: row.userId,
    username: usernames.get(row.userId) ?? "",
    nodeId: row.nodeId,
    node: row.nodeId === null ? null : (nodeNames.get(row.nodeId) ?? ""),
    failedAttempts: failed.get(row.requestId) ?? [],
  }));
}

/** The failed attempts by request; requests whose first attempt succeeded are not read. */
async function failedAttemptsOf(db: Session, rows: readonly LogRow[]) {
  const troubled = rows.filter((row) => row.attemptCount > (row.status === "success" ? 1 : 0));
  if (troubled.length === 0) return new Map<string, never[]>();
  const times = troubled.map((row) => row.createdAt.getTime());
  const found = await db.orm
    .select({ requestId: requestLog.requestId, attempts: requestLog.attempts })
    .from(requestLog)
    .where(
      and(
        inArray(
          requestLog.requestId,
          troubled.map((row) => row.requestId),
        ),
        between(requestLog.createdAt, new Date(Math.min(...times)), new Date(Math.max(...times))),
      ),
    );
  return new Map(
    found.map(({ requestId, attempts }) => [
      requestId,
      attempts
        .filter(({ result }) => isFailure(result))
        .map(({ nodeId, nodeName, result }) => ({ nodeId, node: nodeName, result })),
    ]),
  );
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
