import { type RecordValue, recordsText } from "@/lib/db/batch-queue";
import type { Database } from "@/lib/db/database";
import { errorCodeOrder } from "@/lib/kernel/errors";
import { LATENCY_BUCKETS } from "@/lib/kernel/histogram";
import { nodeRollups, usageRollups } from "./rollups";
import type { Settlement, SettlementRow } from "./settlement";

/** A reservation to make. Units: micro-cents. */
export interface HoldRequest {
  requestId: string;
  keyId: string;
  userId: string;
  amountMicroCents: bigint;
}

/**
 * The result of a hold. When the quota refuses it, `level` says whose quota, `roomMicroCents` how much of it remains and
 * `heldMicroCents` how much of it running requests hold. Units: micro-cents.
 */
export type HoldOutcome =
  | { held: true; heldMicroCents: bigint }
  | { held: false; reason: "key_invalid" | "account_inactive" }
  | {
      held: false;
      reason: "quota";
      level: "key" | "account";
      roomMicroCents: bigint;
      heldMicroCents: bigint;
    };

/** The result of a settlement; `late`: charged although its hold had expired; `duplicate`: settled before. */
export type SettledOutcome = "settled" | "late" | "duplicate";

/** One item of a batch. */
export type LedgerItem =
  | { kind: "hold"; hold: HoldRequest }
  /** `row` is the result of `settlementRow`. */
  | { kind: "settle"; settlement: Settlement; row: SettlementRow };

/** The outcome of one item of a batch. */
export type LedgerItemOutcome =
  | { kind: "hold"; outcome: HoldOutcome }
  | { kind: "settle"; outcome: SettledOutcome };

/** Settings of every batch. */
export interface BatchSettings {
  instanceId: string;
  quotaStrict: boolean;
  holdSeconds: number;
}

interface BatchAnswer {
  settled: number[];
  outcomes: number[];
  amounts: bigint[];
  rooms: bigint[];
  helds: bigint[];
}

const SQL = "SELECT * FROM quota_batch($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14)";
const NOT_DONE = 9;

/**
 * Executes one batch in one transaction and one round trip: settlements first, then holds in their order.
 * Shape: one outcome per item, in their order. Throws: the database's error; then the batch had no effect.
 * Source: docs/reliability.md#a1, #s2-3, #s2-5.
 */
export async function executeLedgerBatch(
  database: Database,
  settings: BatchSettings,
  items: readonly LedgerItem[],
): Promise<LedgerItemOutcome[]> {
  const outcomes = new Map<LedgerItem, LedgerItemOutcome>();
  let pending: readonly LedgerItem[] = items;
  while (pending.length > 0) {
    const { now, later } = splitRepeats(pending);
    const answer = await runBatch(database, settings, now);
    const notDone = readAnswer(answer, now, outcomes);
    pending = [...notDone, ...later];
  }
  return items.map((item) => {
    const outcome = outcomes.get(item);
    if (!outcome) throw new Error("the batch left an item out");
    return outcome;
  });
}

/** The database detects a repeated settlement only across batches, so within one batch each request must be unique. */
function splitRepeats(items: readonly LedgerItem[]): { now: LedgerItem[]; later: LedgerItem[] } {
  const seen = new Set<string>();
  const now: LedgerItem[] = [];
  const later: LedgerItem[] = [];
  for (const item of items) {
    if (item.kind === "hold") now.push(item);
    else if (seen.has(item.settlement.requestId)) later.push(item);
    else {
      seen.add(item.settlement.requestId);
      now.push(item);
    }
  }
  return { now, later };
}

async function runBatch(
  database: Database,
  settings: BatchSettings,
  items: readonly LedgerItem[],
): Promise<BatchAnswer> {
  const { keys, users, keyUser, keyIndex } = indexOf(items);
  const settlements: Settlement[] = [];
  const rows: RecordValue[][] = [];
  const holds: HoldRequest[] = [];
  for (const item of items) {
    if (item.kind === "hold") holds.push(item.hold);
    else {
      settlements.push(item.settlement);
      rows.push([settlements.length, keyIndex(item.settlement), ...item.row]);
    }
  }
  const [answer] = await database.batchQuery<BatchAnswer>(SQL, [
    arrayText(keys),
    arrayText(users),
    arrayText(keyUser),
    recordsText(rows),
    recordsText(usageRollups(settlements, keyIndex)),
    recordsText(nodeRollups(settlements)),
    LATENCY_BUCKETS,
    errorCodeOrder.length,
    arrayText(holds.map((hold) => hold.requestId)),
    arrayText(holds.map(keyIndex)),
    arrayText(holds.map((hold) => hold.amountMicroCents)),
    settings.quotaStrict,
    settings.holdSeconds,
    settings.instanceId,
  ]);
  if (!answer) throw new Error("the batch gave no answer");
  return answer;
}

/** Records every outcome and returns the items that must run again because the batch repeated an earlier settlement. */
function readAnswer(
  answer: BatchAnswer,
  items: readonly LedgerItem[],
  outcomes: Map<LedgerItem, LedgerItemOutcome>,
): LedgerItem[] {
  const notDone: LedgerItem[] = [];
  let settlement = 0;
  let hold = 0;
  for (const item of items) {
    const outcome =
      item.kind === "settle" ? settledOutcome(answer, settlement++) : holdOutcome(answer, hold++);
    if (outcome === null) notDone.push(item);
    else outcomes.set(item, outcome);
  }
  return notDone;
}

function settledOutcome(answer: BatchAnswer, index: number): LedgerItemOutcome | null {
  const code = answer.settled[index];
  if (code === NOT_DONE) return null;
  if (code === 1) return { kind: "settle", outcome: "settled" };
  if (code === 2) return { kind: "settle", outcome: "late" };
  if (code === 3) return { kind: "settle", outcome: "duplicate" };
  throw new Error(`the batch gave settlement ${index} the unknown outcome ${code}`);
}

function holdOutcome(answer: BatchAnswer, index: number): LedgerItemOutcome | null {
  const code = answer.outcomes[index];
  const refused = (level: "key" | "account"): LedgerItemOutcome => ({
    kind: "hold",
    outcome: {
      held: false,
      reason: "quota",
      level,
      roomMicroCents: answer.rooms[index] ?? 0n,
      heldMicroCents: answer.helds[index] ?? 0n,
    },
  });
  if (code === NOT_DONE) return null;
  if (code === 0)
    return { kind: "hold", outcome: { held: true, heldMicroCents: answer.amounts[index] ?? 0n } };
  if (code === 1) return { kind: "hold", outcome: { held: false, reason: "key_invalid" } };
  if (code === 2) return { kind: "hold", outcome: { held: false, reason: "account_inactive" } };
  if (code === 3) return refused("key");
  if (code === 4) return refused("account");
  throw new Error(`the batch gave hold ${index} the unknown outcome ${code}`);
}

/** Distinct keys and accounts of a batch, in the lock order that every process uses. Indexes begin at 1. */
function indexOf(items: readonly LedgerItem[]) {
  const owner = new Map<string, string>();
  for (const item of items) {
    const { keyId, userId } = item.kind === "hold" ? item.hold : item.settlement;
    owner.set(keyId, userId);
  }
  const keys = [...owner.keys()].sort();
  const users = [...new Set(owner.values())].sort();
  const userAt = new Map(users.map((id, index) => [id, index + 1]));
  const keyAt = new Map(keys.map((id, index) => [id, index + 1]));
  const keyUser = keys.map((id) => userAt.get(owner.get(id) ?? "") ?? 0);
  return { keys, users, keyUser, keyIndex: (of: { keyId: string }) => keyAt.get(of.keyId) ?? 0 };
}

/** Array parameters as text, which both drivers pass on unchanged. Only for ids and numbers, which need no quotes. */
function arrayText(values: readonly (string | number | bigint)[]): string {
  return `{${values.join(",")}}`;
}

/** An event of the ledger that becomes a log line or a metric. */
export type LedgerEvent =
  | { kind: "overrun"; model: string; microCents: bigint }
  | { kind: "spooled"; requestId: string; cause: unknown }
  | { kind: "replayed"; count: number }
  | { kind: "spool_torn"; files: number }
  /** The database refuses a spooled settlement permanently; the spool directory keeps it for the operator. */
  | { kind: "spool_refused"; requestId: string; cause: unknown }
  | { kind: "spool_failed"; cause: unknown }
  /** The outcome of a hold is unknown; it will be released. */
  | { kind: "release_queued"; requestId: string; cause: unknown };
