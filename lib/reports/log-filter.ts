import { and, between, eq, gt, gte, inArray, isNotNull, lt, not, type SQL, sql } from "drizzle-orm";
import { passedResults } from "@/lib/billing/outcome";
import { nodeRollups, requestLog } from "@/lib/db/schema/usage";
import { faultCodes } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/uuid";
import type { ClientProtocol, OperationName } from "@/lib/protocols/protocol";
import { type KeyFilter, logKeyCondition } from "./key-filter";

/** How a request ended. */
export type LogStatus = (typeof requestLog.$inferSelect)["status"];

/**
 * Who caused that a request got no answer: the gateway or its nodes (`failed`), the client's content or permissions
 * (`refused`), or either (`unanswered`). Source: docs/contract.md#outcomes.
 */
export type LogOutcome = "failed" | "refused" | "unanswered";

/** A filter of log entries; absent fields match everything. */
export interface LogFilter extends KeyFilter {
  from?: Date | undefined;
  /** Not included. */
  to?: Date | undefined;
  tokenId?: string | undefined;
  model?: string | undefined;
  status?: LogStatus | undefined;
  outcome?: LogOutcome | undefined;
  operation?: OperationName | undefined;
  /** The protocol of the caller. */
  protocol?: ClientProtocol | undefined;
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
    logKeyCondition(filter),
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

/** The literal comparison is redundant; it lets the database use the index of failovers. */
function tookAttempts(count: number): SQL | undefined {
  return and(
    gte(requestLog.attemptCount, count),
    count > 1 ? sql`${requestLog.attemptCount} > 1` : undefined,
  );
}

/**
 * No index contains the nodes of attempts. The roll-ups of the node show between which moments it was called, so that
 * the search does not read the log before and after them.
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

/** The first condition is redundant; it lets the database use the indexes of failovers and of failures. */
function hasFailedAttempt(nodeId: string | undefined): SQL {
  const tests = passedResults.map((result) => `@.result != "${result}"`);
  if (nodeId !== undefined) tests.push("@.nodeId == $node");
  return sql`(${requestLog.attemptCount} > 1 OR ${notSuccess}) AND jsonb_path_exists(${requestLog.attempts},
    ${`$[*] ? (${tests.join(" && ")})`}::text::jsonpath, jsonb_build_object('node', ${nodeId?.toLowerCase() ?? ""}::text))`;
}

/** Redundant beside other conditions; it lets the database use the index of failures. */
const notSuccess = sql`${requestLog.status} <> 'success'`;

function failedWith(errorCode: string): SQL | undefined {
  return and(eq(requestLog.errorCode, errorCode), notSuccess);
}

/** Only failed requests have these statuses, so the index of failures helps; 499 may also follow a complete answer. */
function answeredWith(httpStatus: number): SQL | undefined {
  const isRefusal = httpStatus >= 400 && httpStatus !== CLIENT_CLOSED;
  return and(eq(requestLog.httpStatus, httpStatus), isRefusal ? notSuccess : undefined);
}

/** The status of requests whose client disconnected. */
const CLIENT_CLOSED = 499;

/** The name that a user agent begins with, without its version: `OpenAI/Python` of `OpenAI/Python 1.2.3`. */
const CLIENT = "^[^/( ]+(?:/(?!v?[0-9])[^/( ]+)?";

/** The program that called; null when the user agent names none. */
export function clientOf(userAgent: string | null): string | null {
  return new RegExp(CLIENT).exec(userAgent ?? "")?.[0] ?? null;
}

export const clientName = sql`substring(${requestLog.userAgent} from ${CLIENT}::text)`;

/** The condition of an outcome. Source: docs/contract.md#outcomes. */
export function endedAs(outcome: LogOutcome): SQL | undefined {
  if (outcome === "unanswered") return and(notSuccess, isNotNull(requestLog.errorCode));
  const isFault = inArray(requestLog.errorCode, [...faultCodes]);
  return and(notSuccess, outcome === "failed" ? isFault : not(isFault));
}

function idIs(column: typeof requestLog.userId | typeof requestLog.keyId, id: string): SQL {
  return isUuid(id) ? eq(column, id) : sql`false`;
}

const ID_DIGITS = 32;

const MIN_ID_DIGITS = 6;

/** Ids with this beginning, or the one that is given in full. A range condition can use the index of ids. */
function idBegins(start: string): SQL | undefined {
  if (isUuid(start)) return eq(requestLog.requestId, start);
  const digits = /^[0-9a-f-]{6,36}$/i.test(start) ? start.replaceAll("-", "") : "";
  if (digits.length < MIN_ID_DIGITS || digits.length > ID_DIGITS) return sql`false`;
  return between(requestLog.requestId, digits.padEnd(ID_DIGITS, "0"), digits.padEnd(ID_DIGITS, "f"));
}
