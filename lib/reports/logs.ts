import { and, desc, eq, gt, gte, inArray, isNotNull, lt, not, type SQL, sql } from "drizzle-orm";
import {
  type CursorRequest,
  cursorAfter,
  MAX_TOTAL,
  offsetOf,
  type Page,
  readCursor,
} from "@/lib/accounts/page";
import { passedResults } from "@/lib/billing/outcome";
import type { Session } from "@/lib/db/database";
import { sqlState } from "@/lib/db/database-error";
import { apiKeys } from "@/lib/db/schema/accounts";
import { nodeRollups, requestLog } from "@/lib/db/schema/usage";
import { badField, faultCodes } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/http";
import { centsDecimal } from "@/lib/kernel/usage";
import type { OperationName } from "@/lib/protocols/protocol";

/** How a request ended. */
export type LogStatus = (typeof requestLog.$inferSelect)["status"];

/**
 * Who caused that a request got no answer: the gateway or its nodes, or what the client sent or may do; or either.
 * Source: docs/contract.md#outcomes.
 */
export type LogOutcome = "failed" | "refused" | "unanswered";

/** A filter of log entries; absent fields match everything. */
export interface LogFilter {
  from?: Date | undefined;
  /** Not included. */
  to?: Date | undefined;
  userId?: string | undefined;
  tokenId?: string | undefined;
  model?: string | undefined;
  status?: LogStatus | undefined;
  outcome?: LogOutcome | undefined;
  operation?: OperationName | undefined;
  errorCode?: string | undefined;
  requestId?: string | undefined;
  minLatencyMs?: number | undefined;
  /** Units: micro-cents. */
  minCost?: bigint | undefined;
  minAttempts?: number | undefined;
  /** A node that was tried, whether it answered or not. */
  nodeId?: string | undefined;
  /** With an attempt that failed; with `nodeId` one at that node. */
  attempt?: "failed" | undefined;
}

/** The filter as a condition. A malformed id matches nothing. */
export function logCondition(filter: LogFilter): SQL | undefined {
  return and(
    filter.userId === undefined ? undefined : idIs(requestLog.userId, filter.userId),
    filter.from && gte(requestLog.createdAt, filter.from),
    filter.to && lt(requestLog.createdAt, filter.to),
    filter.tokenId === undefined ? undefined : idIs(requestLog.keyId, filter.tokenId),
    filter.model === undefined ? undefined : eq(requestLog.model, filter.model),
    filter.status && eq(requestLog.status, filter.status),
    filter.outcome && endedAs(filter.outcome),
    filter.operation && eq(requestLog.operation, filter.operation),
    filter.errorCode === undefined ? undefined : failedWith(filter.errorCode),
    filter.requestId === undefined ? undefined : idIs(requestLog.requestId, filter.requestId),
    filter.minLatencyMs === undefined ? undefined : gte(requestLog.latencyMs, filter.minLatencyMs),
    filter.minCost === undefined ? undefined : gte(requestLog.costMicroCents, filter.minCost),
    filter.minAttempts === undefined ? undefined : tookAttempts(filter.minAttempts),
    filter.nodeId === undefined ? undefined : triedNode(filter.nodeId, filter),
    filter.attempt && hasFailedAttempt(filter.nodeId),
  );
}

/** The literal comparison is redundant; with it the database can use the index of failovers. */
function tookAttempts(count: number): SQL | undefined {
  return and(
    gte(requestLog.attemptCount, count),
    count > 1 ? sql`${requestLog.attemptCount} > 1` : undefined,
  );
}

/**
 * No index has the nodes of attempts. The roll-ups of the node say between which moments it was called, so that the
 * search does not read the log before and after them.
 */
function triedNode(nodeId: string, { to, attempt }: Pick<LogFilter, "to" | "attempt">): SQL {
  if (!isUuid(nodeId)) return sql`false`;
  const id = nodeId.toLowerCase();
  const bucket = nodeRollups.bucket;
  const failed = attempt && gt(nodeRollups.failureCount, 0);
  const called = and(eq(nodeRollups.nodeId, id), to && lt(bucket, to), failed);
  return sql`${requestLog.attempts} @> ${JSON.stringify([{ nodeId: id }])}::text::jsonb
    AND ${requestLog.createdAt} >= (SELECT min(${bucket}) FROM ${nodeRollups} WHERE ${called})
    AND ${requestLog.createdAt} < (SELECT max(${bucket}) FROM ${nodeRollups} WHERE ${called}) + interval '15 minutes'`;
}

/** The first condition is redundant: with it the database can use the indexes of failovers and of failures. */
function hasFailedAttempt(nodeId: string | undefined): SQL {
  const tests = passedResults.map((result) => `@.result != "${result}"`);
  if (nodeId !== undefined) tests.push("@.nodeId == $node");
  return sql`(${requestLog.attemptCount} > 1 OR ${notSuccess}) AND jsonb_path_exists(${requestLog.attempts},
    ${`$[*] ? (${tests.join(" && ")})`}::text::jsonpath, jsonb_build_object('node', ${nodeId?.toLowerCase() ?? ""}::text))`;
}

/** Redundant beside other conditions; with it the database can use the index of failures. */
const notSuccess = sql`${requestLog.status} <> 'success'`;

function failedWith(errorCode: string): SQL | undefined {
  return and(eq(requestLog.errorCode, errorCode), notSuccess);
}

/** The condition of an outcome. Source: docs/contract.md#outcomes. */
export function endedAs(outcome: LogOutcome): SQL | undefined {
  if (outcome === "unanswered") return and(notSuccess, isNotNull(requestLog.errorCode));
  const isFault = inArray(requestLog.errorCode, [...faultCodes]);
  return and(notSuccess, outcome === "failed" ? isFault : not(isFault));
}

function idIs(
  column: typeof requestLog.userId | typeof requestLog.keyId | typeof requestLog.requestId,
  id: string,
): SQL {
  return isUuid(id) ? eq(column, id) : sql`false`;
}

/** The rows after a cursor, newest first. Throws: INVALID_REQUEST for a cursor that is not of this list. */
function afterCursor(cursor: string | undefined): SQL | undefined {
  if (cursor === undefined) return undefined;
  const { at, requestId } = readCursor(cursor);
  // Times in the log are whole milliseconds, so the cursor is exact.
  return sql`(${requestLog.createdAt}, ${requestLog.requestId}) < (${at}::timestamptz, ${requestId}::uuid)`;
}

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
  hostedCalls: requestLog.hostedCalls,
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
  const condition = logCondition(filter);
  const found = await inTime(selectLog(db, and(condition, afterCursor(cursor)), pageSize + 1, offset));
  const rows = found.slice(0, pageSize);
  const last = rows.at(-1);
  const more = found.length > pageSize;
  return {
    rows,
    page: {
      page: cursor === undefined ? request.page : null,
      pageSize,
      total:
        cursor === undefined && !(more && filter.nodeId && !filter.attempt)
          ? await totalOf(db, condition, { offset, rows: rows.length, more })
          : null,
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

/**
 * All matching entries, newest first, in batches and at most `maxRows`. Throws: INVALID_REQUEST for a filter that takes
 * too long.
 */
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
    const condition = and(logCondition(filter), afterCursor(cursor));
    const rows = await inTime(selectLog(db, condition, Math.min(batchSize, maxRows - given), 0));
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
    ttftMs: row.stream ? row.ttftMs : null,
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
export async function inTime<Result>(query: PromiseLike<Result>): Promise<Result> {
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
