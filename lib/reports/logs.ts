import { and, desc, eq, or, type SQL, sql } from "drizzle-orm";
import { type CursorRequest, MAX_TOTAL, offsetOf, type Page } from "@/lib/accounts/page";
import { isKeyOf } from "@/lib/accounts/projects/access";
import { connectionOfMember } from "@/lib/billing/connection-member";
import { budgetOfMember, limitMembers } from "@/lib/billing/limit-members";
import { receiptOf } from "@/lib/billing/receipt";
import { priceAt } from "@/lib/config/price-at";
import type { Session } from "@/lib/db/database";
import { apiKeys } from "@/lib/db/schema/accounts";
import { budgets } from "@/lib/db/schema/budgets";
import { requestLog, type StoredAttempt, usageLedger } from "@/lib/db/schema/usage";
import { badField, GatewayError } from "@/lib/kernel/errors";
import { centsDecimal } from "@/lib/kernel/money";
import { isUuid } from "@/lib/kernel/uuid";
import { inTime, inTimeOrNull } from "./in-time";
import { clientOf, type LogFilter, logCondition } from "./log-filter";
import { afterCursor, cursorOf, type LogSort, sortings } from "./log-sort";

/** A requested page of the log. */
export interface LogRequest extends CursorRequest {
  sort?: LogSort | undefined;
}

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
  pricedAs: requestLog.pricedAs,
  nodeId: requestLog.nodeId,
};

/** A row of the log with its key's name. */
export type LogRow = Awaited<ReturnType<typeof selectLog>>[number];

/** A log entry as the API shows it. Source: docs/contract.md#s5. */
export type LogEntry = ReturnType<typeof logEntryOf>;

/**
 * Entries of the log, newest first unless `sort` says otherwise. Source: docs/contract.md#s5.
 * Throws: INVALID_REQUEST for a page beyond 10,000 rows (a cursor reaches them) or a bad cursor.
 */
export async function listLogs(db: Session, filter: LogFilter, request: LogRequest): Promise<Page<LogEntry>> {
  const { rows, page } = await readLogPage(db, filter, request);
  return { data: rows.map(logEntryOf), ...page };
}

/** The same rows, not yet in the form of the API. */
export async function readLogPage(
  db: Session,
  filter: LogFilter,
  request: LogRequest,
): Promise<{ rows: LogRow[]; page: Omit<Page<never>, "data"> }> {
  const { cursor, pageSize, sort = "createdAt" } = request;
  const offset = cursor === undefined ? offsetOf(request) : 0;
  if (offset + pageSize > MAX_TOTAL)
    throw badField("page", `reaches beyond row ${MAX_TOTAL}; use the cursor`);
  const condition = logCondition(filter);
  const wanted = and(condition, afterCursor(cursor, sort));
  const found = await inTime(
    selectLog(db, wanted, { sort, limit: pageSize + 1, offset }),
    sort !== "createdAt",
  );
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
      nextCursor: more && last ? cursorOf(last, sort) : null,
    },
  };
}

/**
 * The total; on the last page it follows from the rows without counting, which saves a second search for rare matches.
 */
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
    const condition = and(logCondition(filter), afterCursor(cursor, "createdAt"));
    const limit = Math.min(batchSize, maxRows - given);
    const rows = await inTime(selectLog(db, condition, { sort: "createdAt", limit, offset: 0 }));
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < batchSize) return;
    cursor = cursorOf(last, "createdAt");
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

function selectLog(
  db: Session,
  condition: SQL | undefined,
  { sort, limit, offset }: { sort: LogSort; limit: number; offset: number },
) {
  const newestFirst = [desc(requestLog.createdAt), desc(requestLog.requestId)];
  return db.orm
    .select(entryColumns)
    .from(requestLog)
    .leftJoin(apiKeys, eq(apiKeys.id, requestLog.keyId))
    .where(condition)
    .orderBy(...(sort === "createdAt" ? [] : [desc(sortings[sort].by)]), ...newestFirst)
    .limit(limit)
    .offset(offset);
}

/** Counts matching rows, at most one more than the largest total that is shown; null above, and when it takes too long. */
async function countUpTo(db: Session, condition: SQL | undefined): Promise<number | null> {
  const some = db.orm
    .select({ requestId: requestLog.requestId })
    .from(requestLog)
    .where(condition)
    .limit(MAX_TOTAL + 1)
    .as("some");
  const total = await inTimeOrNull(db.orm.$count(some));
  return total === null || total > MAX_TOTAL ? null : total;
}

/**
 * One entry of any account with its attempts, timeline and receipt, for admins.
 * Throws: NOT_FOUND for an unknown or malformed id. Source: docs/contract.md#s5.
 */
export async function findLogEntry(db: Session, requestId: string) {
  const { detail, shared } = await readEntry(db, requestId);
  const { userId, nodeId, nodeCostMicroCents, attempts } = detail;
  const nodeCost = nodeCostMicroCents === null ? null : centsDecimal(nodeCostMicroCents);
  return { ...shared, userId, nodeId, nodeCost, attempts: attempts.map(attemptOf) };
}

/**
 * One entry of a key that the account may see, for its owner: nodes are ordinals, and the upstream model is the alias.
 * Throws: NOT_FOUND for an unknown or malformed id and for another account's. Source: docs/contract.md#s5, #s6 (masking),
 * #foreign-ids.
 */
export async function findOwnLogEntry(db: Session, userId: string, requestId: string) {
  const { detail, shared } = await readEntry(db, requestId, userId);
  return { ...shared, attempts: detail.attempts.map((attempt) => maskedAttemptOf(attempt, detail.model)) };
}

/** The record of a request, of one account or of any, and the part that its owner and admins both see. */
async function readEntry(db: Session, requestId: string, userId?: string) {
  const detail = isUuid(requestId) ? await readDetail(db, requestId, userId) : null;
  const [row] = detail === null ? [] : (await readLogPage(db, { requestId }, { page: 1, pageSize: 1 })).rows;
  if (detail === null || row === undefined) throw new GatewayError("NOT_FOUND", "There is no such request.");
  const price = await priceAt(db.orm, detail);
  const shared = {
    ...logEntryOf(row),
    errorMessage: detail.errorMessage,
    clientRequestId: detail.clientRequestId,
    userAgent: detail.userAgent,
    client: clientOf(detail.userAgent),
    timeline: timelineOf(detail.timeline),
    limit: limitOf(detail.timeline),
    budget: await budgetOf(db, detail.timeline),
    connection: connectionOf(detail.timeline),
    receipt: receiptOf({ ...detail, billingSource: await billingSourceOf(db, requestId), price }),
  };
  return { detail, shared };
}

async function readDetail(db: Session, requestId: string, userId: string | undefined) {
  const ofProjects = (id: string) =>
    sql`EXISTS (SELECT FROM ${apiKeys} WHERE ${apiKeys.id} = ${requestLog.keyId} AND ${isKeyOf(id)})`;
  const owner = userId === undefined ? undefined : or(eq(requestLog.userId, userId), ofProjects(userId));
  const [detail] = await db.orm
    .select()
    .from(requestLog)
    .where(and(eq(requestLog.requestId, requestId), owner))
    .limit(1);
  return detail ?? null;
}

async function billingSourceOf(db: Session, requestId: string): Promise<string> {
  const [entry] = await db.orm
    .select({ billingSource: usageLedger.billingSource })
    .from(usageLedger)
    .where(eq(usageLedger.requestId, requestId));
  return entry?.billingSource ?? "none";
}

/** An attempt as admins see it. Units: whole milliseconds. */
export function attemptOf({ nodeName, ...attempt }: StoredAttempt) {
  return {
    ...attempt,
    node: nodeName,
    startedMs: Math.round(attempt.startedMs),
    headersMs: wholeMs(attempt.headersMs),
    firstEventMs: wholeMs(attempt.firstEventMs),
    totalMs: Math.round(attempt.totalMs),
  };
}

/** The attempt as its owner sees it. Source: docs/contract.md#s6, #s10. */
function maskedAttemptOf(attempt: StoredAttempt, alias: string) {
  const { nodeId: _hidden, access: _operators, ...open } = attemptOf(attempt);
  return { ...open, node: `node ${attempt.n}`, upstreamModel: alias };
}

function wholeMs(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms);
}

const limitNames = ["qps", "rpm", "tpm", "concurrent"] as const;
const limitLevels = ["key", "account"] as const;
const notStages: readonly string[] = limitLevels.flatMap((level) => Object.values(limitMembers[level]));

/** The limit of the key or its account that refused the request; null: none did, or the entry does not say which. */
function limitOf(timeline: Readonly<Record<string, number>>) {
  for (const level of limitLevels) {
    for (const name of limitNames) {
      const allowed = timeline[limitMembers[level][name]];
      if (allowed !== undefined) return { name, allowed, ...(level === "account" && { level }) };
    }
  }
  return null;
}

/** The rule by period that refused the request, as it is called now; null: none did. */
async function budgetOf(db: Session, timeline: Readonly<Record<string, number>>) {
  const [id] = Object.keys(timeline).flatMap((member) => budgetOfMember(member) ?? []);
  if (id === undefined) return null;
  const { name, scope, unit, period } = budgets;
  const [budget] = await db.orm
    .select({ id: budgets.id, name, scope, unit, period })
    .from(budgets)
    .where(eq(budgets.id, id));
  return budget ?? null;
}

/** The long connection that the request came on, and its turn there; null: it came by itself. */
function connectionOf(timeline: Readonly<Record<string, number>>) {
  for (const [member, turn] of Object.entries(timeline)) {
    const connection = connectionOfMember(member);
    if (connection !== null) return { ...connection, turn };
  }
  return null;
}

/** Stages in the order in which they ended; each begins where the one before it ended. Units: whole milliseconds. */
export function timelineOf(timeline: Readonly<Record<string, number>>) {
  const ordered = Object.entries(timeline)
    .filter(([stage]) => !notStages.includes(stage))
    .filter(([stage]) => budgetOfMember(stage) === null && connectionOfMember(stage) === null)
    .sort(([, a], [, b]) => a - b);
  let startMs = 0;
  return ordered.map(([stage, exactMs]) => {
    const endMs = Math.round(exactMs);
    const entry = { stage, startMs, endMs };
    startMs = endMs;
    return entry;
  });
}
