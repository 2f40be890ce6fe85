import {
  and,
  between,
  count,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  lt,
  not,
  type SQL,
  sql,
} from "drizzle-orm";
import { cursorAfter, readCursor } from "@/lib/accounts/page";
import { passedResults } from "@/lib/billing/outcome";
import type { Session } from "@/lib/db/database";
import { sqlState } from "@/lib/db/database-error";
import { nodeRollups, requestLog } from "@/lib/db/schema/usage";
import { badField, faultCodes } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/http";
import type { OperationName, Protocol } from "@/lib/protocols/protocol";

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
  /** Of the caller. */
  protocol?: Protocol | undefined;
  stream?: boolean | undefined;
  httpStatus?: number | undefined;
  /** The program that called, as `clientOf` names it. */
  client?: string | undefined;
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
    filter.protocol && eq(requestLog.protocol, filter.protocol),
    filter.stream === undefined ? undefined : eq(requestLog.stream, filter.stream),
    filter.httpStatus === undefined ? undefined : answeredWith(filter.httpStatus),
    filter.client === undefined ? undefined : sql`${clientName} = ${filter.client}`,
    filter.errorCode === undefined ? undefined : failedWith(filter.errorCode),
    filter.requestId === undefined ? undefined : idBegins(filter.requestId),
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

/** Only requests that failed have these, so that the index of failures helps; a client may leave after its answer. */
function answeredWith(httpStatus: number): SQL | undefined {
  const isRefusal = httpStatus >= 400 && httpStatus !== CLIENT_CLOSED;
  return and(eq(requestLog.httpStatus, httpStatus), isRefusal ? notSuccess : undefined);
}

/** The status of requests whose client left. */
const CLIENT_CLOSED = 499;

/** The name that a user agent begins with, without its version: `OpenAI/Python` of `OpenAI/Python 1.2.3`. */
const CLIENT = "^[^/( ]+(?:/(?!v?[0-9])[^/( ]+)?";

/** The program that called; null where it did not say. */
export function clientOf(userAgent: string | null): string | null {
  return new RegExp(CLIENT).exec(userAgent ?? "")?.[0] ?? null;
}

const clientName = sql`substring(${requestLog.userAgent} from ${CLIENT}::text)`;

/** The condition of an outcome. Source: docs/contract.md#outcomes. */
export function endedAs(outcome: LogOutcome): SQL | undefined {
  if (outcome === "unanswered") return and(notSuccess, isNotNull(requestLog.errorCode));
  const isFault = inArray(requestLog.errorCode, [...faultCodes]);
  return and(notSuccess, outcome === "failed" ? isFault : not(isFault));
}

type SortedRow = Pick<
  typeof requestLog.$inferSelect,
  "costMicroCents" | "latencyMs" | "promptTokens" | "completionTokens"
>;

/** What the log can be sorted by, the largest first; equal entries are newest first. */
export const sortings = {
  cost: { by: sql`${requestLog.costMicroCents}`, of: (row: SortedRow) => row.costMicroCents },
  latencyMs: { by: sql`${requestLog.latencyMs}`, of: (row: SortedRow) => row.latencyMs },
  totalTokens: {
    by: sql`(${requestLog.promptTokens}::bigint + ${requestLog.completionTokens})`,
    of: (row: SortedRow) => row.promptTokens + row.completionTokens,
  },
};

/** The order of the log; `createdAt` is newest first. */
export type LogSort = keyof typeof sortings | "createdAt";

/** The entries after a cursor. Throws: INVALID_REQUEST for a cursor that is not of this list in this order. */
export function afterCursor(cursor: string | undefined, sort: LogSort): SQL | undefined {
  if (cursor === undefined) return undefined;
  const { at, requestId, value } = readCursor(cursor, sort === "createdAt" ? null : sort);
  // Times in the log are whole milliseconds, so the cursor is exact.
  const row = sql`${requestLog.createdAt}, ${requestLog.requestId}`;
  const position = sql`${at}::timestamptz, ${requestId}::uuid`;
  if (sort === "createdAt") return sql`(${row}) < (${position})`;
  return sql`(${sortings[sort].by}, ${row}) < (${value}::bigint, ${position})`;
}

/** The cursor that continues after an entry. */
export function cursorOf(row: SortedRow & { createdAt: Date; requestId: string }, sort: LogSort): string {
  return cursorAfter(row, sort === "createdAt" ? null : { sort, value: sortings[sort].of(row) });
}

function idIs(column: typeof requestLog.userId | typeof requestLog.keyId, id: string): SQL {
  return isUuid(id) ? eq(column, id) : sql`false`;
}

const ID_DIGITS = 32;
const MIN_ID_DIGITS = 6;

/** Ids that begin so, or the one that is given whole. A range, for which the index of ids serves. */
function idBegins(start: string): SQL | undefined {
  if (isUuid(start)) return eq(requestLog.requestId, start);
  const digits = /^[0-9a-f-]{6,36}$/i.test(start) ? start.replaceAll("-", "") : "";
  if (digits.length < MIN_ID_DIGITS || digits.length > ID_DIGITS) return sql`false`;
  return between(requestLog.requestId, digits.padEnd(ID_DIGITS, "0"), digits.padEnd(ID_DIGITS, "f"));
}

const STATEMENT_TIMEOUT = "57014";

/**
 * Turns the statement timeout of a filter with few matches in a large log, or of sorting it, into an error of the caller.
 * Source: docs/contract.md#too-much-log.
 */
export async function inTime<Result>(query: PromiseLike<Result>, sorts = false): Promise<Result> {
  try {
    return await query;
  } catch (error) {
    if (!isTimeout(error)) throw error;
    const work = sorts ? "sorting takes" : "the filter takes";
    throw badField("from", `must be nearer: ${work} too long over so many entries`, "time_too_long");
  }
}

/** What a query finds; null when that takes longer than a statement may. */
export async function inTimeOrNull<Result>(query: PromiseLike<Result>): Promise<Result | null> {
  try {
    return await query;
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return null;
  }
}

function isTimeout(error: unknown): boolean {
  return sqlState(error) === STATEMENT_TIMEOUT;
}

/** Requests whose values are counted. */
const MAX_COUNTED = 10_000;
/** Clients may call themselves anything. */
const MAX_VALUES = 50;

/** The fields whose values are counted. They have no index: to count all requests would read the whole log. */
const countedFilters = ["operation", "protocol", "stream", "httpStatus", "errorCode", "client"] as const;

type CountedFilter = (typeof countedFilters)[number];

/**
 * How often each value occurs among the newest requests, at most 10,000 of those that the filters by other fields leave,
 * the most frequent first. A value is counted over the requests that have the wanted values of the other counted fields.
 * Throws: INVALID_REQUEST when a filter takes too long over so many requests. Source: docs/contract.md#log-values.
 */
export async function readLogValues(db: Session, filter: LogFilter) {
  const others: LogFilter = { ...filter };
  for (const name of countedFilters) others[name] = undefined;
  const newest = db.orm
    .select({
      operation: sql<string>`${requestLog.operation}`.as("of_operation"),
      protocol: sql<string>`${requestLog.protocol}`.as("of_protocol"),
      stream: sql<string>`${requestLog.stream}::text`.as("of_stream"),
      httpStatus: sql<string>`${requestLog.httpStatus}::text`.as("of_http_status"),
      errorCode: sql<string | null>`${requestLog.errorCode}`.as("of_error_code"),
      client: sql<string | null>`${clientName}`.as("of_client"),
    })
    .from(requestLog)
    .where(logCondition(others))
    .orderBy(desc(requestLog.createdAt), desc(requestLog.requestId))
    .limit(MAX_COUNTED)
    .as("newest");
  const { operation, protocol, stream, httpStatus, errorCode, client } = newest;
  const columns = { operation, protocol, stream, httpStatus, errorCode, client };
  const rows = await inTime(
    db.orm
      .select({ ...columns, count: count() })
      .from(newest)
      .groupBy(...Object.values(columns)),
  );
  const counted = rows.reduce((sum, row) => sum + row.count, 0);
  return { counted, complete: counted < MAX_COUNTED, ...valuesOf(rows, filter) };
}

type CountedRow = Record<CountedFilter, string | null> & { count: number };

function valuesOf(rows: readonly CountedRow[], filter: LogFilter) {
  const isWanted = (row: CountedRow, name: CountedFilter) =>
    filter[name] === undefined || String(filter[name]) === row[name];
  const of = (counted: CountedFilter) => {
    const counts = new Map<string, number>();
    for (const row of rows) {
      const value = row[counted];
      if (value === null || !countedFilters.every((name) => name === counted || isWanted(row, name)))
        continue;
      counts.set(value, (counts.get(value) ?? 0) + row.count);
    }
    const sorted = [...counts].sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1));
    return sorted.slice(0, MAX_VALUES).map(([value, count]) => ({ value, count }));
  };
  return {
    operation: of("operation"),
    protocol: of("protocol"),
    stream: of("stream"),
    httpStatus: of("httpStatus"),
    errorCode: of("errorCode"),
    client: of("client"),
  };
}
