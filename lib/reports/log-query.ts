import { and, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import { requestLog } from "@/lib/db/schema/usage";
import { badField } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/http";
import type { OperationName } from "@/lib/protocols/protocol";

/** How a request ended. */
export type LogStatus = (typeof requestLog.$inferSelect)["status"];

/** A filter of log entries; absent fields match everything. */
export interface LogFilter {
  from?: Date | undefined;
  /** Not included. */
  to?: Date | undefined;
  userId?: string | undefined;
  tokenId?: string | undefined;
  model?: string | undefined;
  status?: LogStatus | undefined;
  operation?: OperationName | undefined;
  errorCode?: string | undefined;
  requestId?: string | undefined;
  minLatencyMs?: number | undefined;
}

/** The filter as a condition. A malformed id matches nothing. */
export function conditionOf(filter: LogFilter): SQL | undefined {
  return and(
    filter.userId === undefined ? undefined : idIs(requestLog.userId, filter.userId),
    filter.from && gte(requestLog.createdAt, filter.from),
    filter.to && lt(requestLog.createdAt, filter.to),
    filter.tokenId === undefined ? undefined : idIs(requestLog.keyId, filter.tokenId),
    filter.model === undefined ? undefined : eq(requestLog.model, filter.model),
    filter.status && eq(requestLog.status, filter.status),
    filter.operation && eq(requestLog.operation, filter.operation),
    filter.errorCode === undefined ? undefined : failedWith(filter.errorCode),
    filter.requestId === undefined ? undefined : idIs(requestLog.requestId, filter.requestId),
    filter.minLatencyMs === undefined ? undefined : gte(requestLog.latencyMs, filter.minLatencyMs),
  );
}

/** The second condition is redundant; with it the database can use the index of failures. */
function failedWith(errorCode: string): SQL | undefined {
  return and(eq(requestLog.errorCode, errorCode), sql`${requestLog.status} <> 'success'`);
}

function idIs(
  column: typeof requestLog.userId | typeof requestLog.keyId | typeof requestLog.requestId,
  id: string,
): SQL {
  return isUuid(id) ? eq(column, id) : sql`false`;
}

/** The row before a page of the log, newest first. */
interface Position {
  at: string;
  requestId: string;
}

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** A cursor that continues after a row. */
export function cursorAfter(row: { createdAt: Date; requestId: string }): string {
  return Buffer.from(`${row.createdAt.toISOString()} ${row.requestId}`).toString("base64url");
}

/** The rows after a cursor, newest first. Throws: INVALID_REQUEST for a cursor that is not of this list. */
export function afterCursor(cursor: string | undefined): SQL | undefined {
  if (cursor === undefined) return undefined;
  const { at, requestId } = readCursor(cursor);
  // Times in the log are whole milliseconds, so the cursor is exact.
  return sql`(${requestLog.createdAt}, ${requestLog.requestId}) < (${at}::timestamptz, ${requestId}::uuid)`;
}

function readCursor(cursor: string): Position {
  const [at = "", requestId = ""] = Buffer.from(cursor, "base64url").toString("utf8").split(" ");
  if (!MOMENT.test(at) || Number.isNaN(Date.parse(at)) || !isUuid(requestId)) {
    throw badField("cursor", "is not a cursor of this list");
  }
  return { at, requestId };
}
