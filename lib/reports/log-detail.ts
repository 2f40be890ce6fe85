import { and, eq } from "drizzle-orm";
import { type ReceiptPrice, receiptOf } from "@/lib/billing/price";
import type { Session } from "@/lib/db/database";
import { modelPrices, models } from "@/lib/db/schema/catalog";
import { requestLog, type StoredAttempt, usageLedger } from "@/lib/db/schema/usage";
import { GatewayError } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/request-id";
import { logEntryOf, readLogPage } from "./logs";

/** The reader of an entry: its owner sees nodes as ordinals, an admin sees names and upstream models. */
export type LogReader = { admin: false; userId: string } | { admin: true };

/**
 * One entry with its attempts, timeline and receipt.
 * Throws: NOT_FOUND for an unknown or malformed id, FORBIDDEN for another account's. Source: docs/contract.md#s5, #s6
 * (masking).
 */
export async function findLogEntry(db: Session, reader: LogReader, requestId: string) {
  const detail = isUuid(requestId) ? await readDetail(db, requestId) : null;
  if (detail === null) throw new GatewayError("NOT_FOUND", "There is no such request.");
  if (!reader.admin && detail.userId !== reader.userId) {
    throw new GatewayError("FORBIDDEN", "This request belongs to another account.");
  }
  const { rows } = await readLogPage(db, { requestId }, { page: 1, pageSize: 1 });
  const [row] = rows;
  if (row === undefined) throw new GatewayError("NOT_FOUND", "There is no such request.");
  const price = await priceOf(db, detail.model, detail.priceVersion);
  return {
    ...logEntryOf(row),
    ...(reader.admin ? { userId: detail.userId, nodeId: detail.nodeId } : {}),
    errorMessage: detail.errorMessage,
    clientRequestId: detail.clientRequestId,
    userAgent: detail.userAgent,
    attempts: detail.attempts.map((attempt) => attemptOf(attempt, detail.model, reader.admin)),
    timeline: timelineOf(detail.timeline),
    receipt: receiptOf({ ...detail, billingSource: await billingSourceOf(db, requestId), price }),
  };
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
  return row?.price ?? null;
}

/**
 * An attempt; for its owner the node is an ordinal and the upstream model is the alias.
 * Units: whole milliseconds. Source: docs/contract.md#s6, #s10.
 */
export function attemptOf(attempt: StoredAttempt, alias: string, admin: boolean) {
  const { nodeId, nodeName, upstreamModel, ...exact } = attempt;
  const open = {
    ...exact,
    startedMs: Math.round(exact.startedMs),
    headersMs: wholeMs(exact.headersMs),
    firstEventMs: wholeMs(exact.firstEventMs),
    totalMs: Math.round(exact.totalMs),
  };
  return admin
    ? { ...open, nodeId, node: nodeName, upstreamModel }
    : { ...open, node: `node ${attempt.n}`, upstreamModel: alias };
}

function wholeMs(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms);
}

/** Stages in the order in which they ended; each begins where the one before it ended. Units: whole milliseconds. */
export function timelineOf(endings: Readonly<Record<string, number>>) {
  const ordered = Object.entries(endings).sort(([, a], [, b]) => a - b);
  let startMs = 0;
  return ordered.map(([stage, exactMs]) => {
    const endMs = Math.round(exactMs);
    const entry = { stage, startMs, endMs };
    startMs = endMs;
    return entry;
  });
}
