import { and, desc, eq, type SQL } from "drizzle-orm";
import { type CursorRequest, MAX_TOTAL, offsetOf, type Page } from "@/lib/accounts/page";
import type { Session } from "@/lib/db/database";
import { sqlState } from "@/lib/db/database-error";
import { apiKeys } from "@/lib/db/schema/accounts";
import { requestLog } from "@/lib/db/schema/usage";
import { badField } from "@/lib/kernel/errors";
import { centsDecimal } from "@/lib/kernel/usage";
import { afterCursor, conditionOf, cursorAfter, type LogFilter } from "./log-query";

const STATEMENT_TIMEOUT = "57014";

/** The columns of an entry; only the detail has attempts and timeline. */
const entryColumns = {
  requestId: requestLog.requestId,
  createdAt: requestLog.createdAt,
  userId: requestLog.userId,
  tokenId: requestLog.keyId,
  tokenName: apiKeys.name,
  keyPrefix: apiKeys.keyPrefix,
  model: requestLog.model,
  protocol: requestLog.protocol,
  operation: requestLog.operation,
  stream: requestLog.stream,
  status: requestLog.status,
  httpStatus: requestLog.httpStatus,
  errorCode: requestLog.errorCode,
  promptTokens: requestLog.promptTokens,
  completionTokens: requestLog.completionTokens,
  cacheReadTokens: requestLog.cacheReadTokens,
  cacheWriteTokens: requestLog.cacheWriteTokens,
  reasoningTokens: requestLog.reasoningTokens,
  usageSource: requestLog.usageSource,
  costMicroCents: requestLog.costMicroCents,
  latencyMs: requestLog.latencyMs,
  ttftMs: requestLog.ttftMs,
  attemptCount: requestLog.attemptCount,
  warnings: requestLog.warnings,
  nodeId: requestLog.nodeId,
};

/** A row of the log with its key's name. */
export type LogRow = Awaited<ReturnType<typeof selectLog>>[number];

/** A log entry as the API shows it. Source: docs/contract.md#s5. */
export type LogEntry = ReturnType<typeof logEntryOf>;

/**
 * Entries of the log, newest first. Source: docs/contract.md#s5.
 * Throws: INVALID_REQUEST for a page beyond 10,000 rows (a cursor reaches them) or a bad cursor.
 */
export async function listLogs(
  db: Session,
  filter: LogFilter,
  request: CursorRequest,
): Promise<Page<LogEntry>> {
  const { rows, page } = await readLogPage(db, filter, request);
  return { data: rows.map(logEntryOf), ...page };
}

/** The same rows, not yet in the form of the API. */
export async function readLogPage(
  db: Session,
  filter: LogFilter,
  request: CursorRequest,
): Promise<{ rows: LogRow[]; page: Omit<Page<never>, "data"> }> {
  const { cursor, pageSize } = request;
  const offset = cursor === undefined ? offsetOf(request) : 0;
  if (offset + pageSize > MAX_TOTAL)
    throw badField("page", `reaches beyond row ${MAX_TOTAL}; use the cursor`);
  const condition = conditionOf(filter);
  const found = await inTime(selectLog(db, and(condition, afterCursor(cursor)), pageSize + 1, offset));
  const rows = found.slice(0, pageSize);
  const last = rows.at(-1);
  const more = found.length > pageSize;
  return {
    rows,
    page: {
      page: cursor === undefined ? request.page : null,
      pageSize,
      total: cursor === undefined ? await totalOf(db, condition, { offset, rows: rows.length, more }) : null,
      nextCursor: more && last ? cursorAfter(last) : null,
    },
  };
}

/** The total; the last page has it without counting, which saves a second search for a rare match. */
function totalOf(
  db: Session,
  condition: SQL | undefined,
  seen: { offset: number; rows: number; more: boolean },
): Promise<number | null> {
  const beyond = seen.rows === 0 && seen.offset > 0;
  return seen.more || beyond ? countUpTo(db, condition) : Promise.resolve(seen.offset + seen.rows);
}

/** All matching entries, newest first, in batches and at most `maxRows`. */
export async function* walkLogs(
  db: Session,
  filter: LogFilter,
  maxRows: number,
  batchSize = 1_000,
): AsyncGenerator<LogEntry[]> {
  for await (const rows of walkLogRows(db, filter, maxRows, batchSize)) yield rows.map(logEntryOf);
}

/** The same rows, not yet in the form of the API. */
export async function* walkLogRows(
  db: Session,
  filter: LogFilter,
  maxRows: number,
  batchSize = 1_000,
): AsyncGenerator<LogRow[]> {
  let cursor: string | undefined;
  for (let given = 0; given < maxRows; given += batchSize) {
    const condition = and(conditionOf(filter), afterCursor(cursor));
    const rows = await selectLog(db, condition, Math.min(batchSize, maxRows - given), 0);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < batchSize) return;
    cursor = cursorAfter(last);
  }
}

/** The row as the API shows it. Source: docs/contract.md#s5 (log entry). */
export function logEntryOf(row: LogRow) {
  const { userId: _, nodeId: __, costMicroCents, createdAt, tokenName, keyPrefix, ...rest } = row;
  return {
    ...rest,
    createdAt: createdAt.toISOString(),
    tokenName: tokenName ?? "",
    keyPrefix: keyPrefix ?? "",
    totalTokens: row.promptTokens + row.completionTokens,
    cost: centsDecimal(costMicroCents),
  };
}

function selectLog(db: Session, condition: SQL | undefined, limit: number, offset: number) {
  return db.orm
    .select(entryColumns)
    .from(requestLog)
    .leftJoin(apiKeys, eq(apiKeys.id, requestLog.keyId))
    .where(condition)
    .orderBy(desc(requestLog.createdAt), desc(requestLog.requestId))
    .limit(limit)
    .offset(offset);
}

/** Turns the statement timeout of a filter with few matches in a large log into an error of the caller. */
async function inTime<Result>(query: PromiseLike<Result>): Promise<Result> {
  try {
    return await query;
  } catch (error) {
    if (sqlState(error) !== STATEMENT_TIMEOUT) throw error;
    throw badField("from", "must be nearer: the filter takes too long over so many requests");
  }
}

/** Counts matching rows, at most one more than the largest total that is shown. */
async function countUpTo(db: Session, condition: SQL | undefined): Promise<number | null> {
  const some = db.orm
    .select({ requestId: requestLog.requestId })
    .from(requestLog)
    .where(condition)
    .limit(MAX_TOTAL + 1)
    .as("some");
  const total = await inTime(db.orm.$count(some));
  return total > MAX_TOTAL ? null : total;
}
