import { and, eq } from "drizzle-orm";
import { type ReceiptPrice, receiptOf } from "@/lib/billing/price";
import { limitMembers } from "@/lib/billing/settlement";
import type { Session } from "@/lib/db/database";
import { modelPrices, models } from "@/lib/db/schema/catalog";
import { requestLog, type StoredAttempt, usageLedger } from "@/lib/db/schema/usage";
import { GatewayError } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/http";
import { callPricesOf, centsDecimal } from "@/lib/kernel/usage";
import { logEntryOf, readLogPage } from "./logs";

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
 * One entry of an account, for its owner: nodes are ordinals, and the upstream model is the alias.
 * Throws: NOT_FOUND for an unknown or malformed id, FORBIDDEN for another account's. Source: docs/contract.md#s5, #s6
 * (masking).
 */
export async function findOwnLogEntry(db: Session, userId: string, requestId: string) {
  const { detail, shared } = await readEntry(db, requestId);
  if (detail.userId !== userId) {
    throw new GatewayError("FORBIDDEN", "This request belongs to another account.");
  }
  return { ...shared, attempts: detail.attempts.map((attempt) => maskedAttemptOf(attempt, detail.model)) };
}

/** The record of a request, and what its owner and admins see alike. */
async function readEntry(db: Session, requestId: string) {
  const detail = isUuid(requestId) ? await readDetail(db, requestId) : null;
  if (detail === null) throw unknownRequest();
  const { rows } = await readLogPage(db, { requestId }, { page: 1, pageSize: 1 });
  const [row] = rows;
  if (row === undefined) throw unknownRequest();
  const price = await priceOf(db, detail.model, detail.priceVersion);
  const shared = {
    ...logEntryOf(row),
    errorMessage: detail.errorMessage,
    clientRequestId: detail.clientRequestId,
    userAgent: detail.userAgent,
    timeline: timelineOf(detail.timeline),
    limit: limitOf(detail.timeline),
    receipt: receiptOf({ ...detail, billingSource: await billingSourceOf(db, requestId), price }),
  };
  return { detail, shared };
}

function unknownRequest(): GatewayError {
  return new GatewayError("NOT_FOUND", "There is no such request.");
}

async function readDetail(db: Session, requestId: string) {
  const [detail] = await db.orm.select().from(requestLog).where(eq(requestLog.requestId, requestId)).limit(1);
  return detail ?? null;
}

async function billingSourceOf(db: Session, requestId: string): Promise<string> {
  const [entry] = await db.orm
    .select({ billingSource: usageLedger.billingSource })
    .from(usageLedger)
    .where(eq(usageLedger.requestId, requestId));
  return entry?.billingSource ?? "none";
}

async function priceOf(db: Session, alias: string, version: number): Promise<ReceiptPrice | null> {
  const [row] = await db.orm
    .select({ price: modelPrices })
    .from(modelPrices)
    .innerJoin(models, eq(models.id, modelPrices.modelId))
    .where(and(eq(models.alias, alias), eq(modelPrices.version, version)));
  return row ? { ...row.price, perCall: callPricesOf(row.price) } : null;
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
  const { nodeId: _hidden, ...open } = attemptOf(attempt);
  return { ...open, node: `node ${attempt.n}`, upstreamModel: alias };
}

function wholeMs(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms);
}

const limitNames = ["qps", "rpm", "tpm"] as const;
const notStages: readonly string[] = Object.values(limitMembers);

/** The limit of the plan that refused the request; null: none did, or the entry does not say which. */
function limitOf(timeline: Readonly<Record<string, number>>) {
  for (const name of limitNames) {
    const allowed = timeline[limitMembers[name]];
    if (allowed !== undefined) return { name, allowed };
  }
  return null;
}

/** Stages in the order in which they ended; each begins where the one before it ended. Units: whole milliseconds. */
export function timelineOf(timeline: Readonly<Record<string, number>>) {
  const ordered = Object.entries(timeline)
    .filter(([stage]) => !notStages.includes(stage))
    .sort(([, a], [, b]) => a - b);
  let startMs = 0;
  return ordered.map(([stage, exactMs]) => {
    const endMs = Math.round(exactMs);
    const entry = { stage, startMs, endMs };
    startMs = endMs;
    return entry;
  });
}
