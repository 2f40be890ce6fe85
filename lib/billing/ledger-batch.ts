import { RECORD_SEPARATOR, recordsText } from "@/lib/db/batch-records";
import type { BatchValue, Database } from "@/lib/db/database";
import { onlyRow } from "@/lib/db/rows";
import type { Deadlines, Watched } from "@/lib/kernel/deadlines";
import { DeadlineError } from "@/lib/kernel/with-deadline";
import { arrayText, type BudgetCounter, budgetParameters } from "./budget-sets";
import { nodeRollups, usageRollups } from "./rollups";
import type {
  BudgetRefusal,
  HoldOutcome,
  HoldRequest,
  LedgerOutcome,
  SettledOutcome,
  Settlement,
} from "./settlement";

/** A hold or a settlement as one batch executes it. */
export type LedgerWork =
  | { readonly kind: "hold"; readonly hold: HoldRequest }
  /** `row` is the result of `settlementRow`. */
  | { readonly kind: "settle"; readonly settlement: Settlement; readonly row: string };

/** Settings of every batch. */
export interface BatchSettings {
  instanceId: string;
  quotaStrict: boolean;
  holdSeconds: number;
}

/** Null: each settlement was settled; each hold was made, with its whole amount. */
interface BatchAnswer {
  refused?: number[] | null;
  limits?: bigint[] | null;
  resets?: bigint[] | null;
  settled: number[] | null;
  outcomes: number[] | null;
  amounts: bigint[] | null;
  rooms: bigint[] | null;
  helds: bigint[] | null;
}

/** The counters that the batch refers to by their place, from 1. */
interface BudgetedAnswer extends BatchAnswer {
  counters: readonly BudgetCounter[];
}

const SQL = "SELECT * FROM ledger_batch($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15)";

/** The same for holds and settlements of requests with rules. */
const BUDGET_SQL = `${SQL.slice(0, -1)},$16,$17,$18,$19,$20,$21,$22)`;

const NOT_DONE = 9;

/**
 * Executes one batch in one transaction and one round trip: settlements first, then holds in their order. `lane`: the
 * connection it runs on.
 * Shape: one outcome per item, in their order. Throws: the database's error; then the batch had no effect.
 * Source: docs/reliability.md#a1, #s2-3, #s2-5.
 */
export async function executeLedgerBatch(
  database: Database,
  settings: BatchSettings,
  items: readonly LedgerWork[],
  lane = 0,
): Promise<LedgerOutcome[]> {
  const outcomes = new Array<LedgerOutcome>(items.length);
  let pending = items.map((_, index) => index);
  while (pending.length > 0) {
    const { now, later } = splitRepeats(items, pending);
    const batch = pick(items, now);
    const parameters = parametersOf(settings, batch);
    const budgets = batch.some(mayHaveBudgets) ? budgetParameters(holdsOf(batch)) : null;
    const sql = budgets === null ? SQL : BUDGET_SQL;
    if (budgets !== null) parameters.push(...budgets.values);
    const answer = onlyRow(await database.batchQuery<BatchAnswer>(sql, parameters, lane));
    const notDone = readAnswer({ ...answer, counters: budgets?.counters ?? [] }, items, now, outcomes);
    pending = notDone.concat(later);
  }
  return outcomes;
}

function mayHaveBudgets(item: LedgerWork): boolean {
  return item.kind === "hold" ? item.hold.budgets !== undefined : item.settlement.budgeted !== false;
}

function holdsOf(items: readonly LedgerWork[]): HoldRequest[] {
  return items.flatMap((item) => (item.kind === "hold" ? [item.hold] : []));
}

/**
 * The result of a batch, or a DeadlineError. The next sweep detects the end of the time, because a timer for each batch
 * would cost more. Throws: DeadlineError; what the batch throws. Units: milliseconds.
 */
export function withinLimit<T>(deadlines: Deadlines, batch: Promise<T>, limitMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const endsAtMs = performance.now() + limitMs;
    const limit: Watched = {
      onSweep: (nowMs) => {
        if (nowMs >= endsAtMs) reject(new DeadlineError(limitMs));
        return nowMs < endsAtMs;
      },
    };
    deadlines.watch(limit);
    batch.then(resolve, reject).then(() => deadlines.forget(limit));
  });
}

/** The database detects a repeated settlement only across batches, so within one batch each request must be unique. */
function splitRepeats(items: readonly LedgerWork[], pending: number[]): { now: number[]; later: number[] } {
  const seen = new Set<string>();
  const later: number[] = [];
  const now = pending.filter((index) => {
    const item = items[index];
    if (item?.kind !== "settle") return true;
    const { requestId } = item.settlement;
    const first = !seen.has(requestId);
    if (first) seen.add(requestId);
    else later.push(index);
    return first;
  });
  return { now, later };
}

function pick(items: readonly LedgerWork[], indexes: readonly number[]): readonly LedgerWork[] {
  if (indexes.length === items.length) return items;
  return indexes.flatMap((index) => items[index] ?? []);
}

/** The parameters of `SQL`. */
function parametersOf(settings: BatchSettings, items: readonly LedgerWork[]): BatchValue[] {
  const { keys, users, keyUser, keyIndex } = indexOf(items);
  const settlements: Settlement[] = [];
  const holds: HoldRequest[] = [];
  let rows = "";
  for (const item of items) {
    if (item.kind === "hold") {
      holds.push(item.hold);
      continue;
    }
    settlements.push(item.settlement);
    const separator = rows === "" ? "" : RECORD_SEPARATOR;
    rows += `${separator}(${settlements.length},${keyIndex(item.settlement)},${item.row})`;
  }
  return [
    arrayText(keys),
    arrayText(users),
    arrayText(keyUser),
    ...settlementParameters(settlements, rows, keyIndex),
    ...holdParameters(holds, keyIndex),
    settings.quotaStrict,
    settings.holdSeconds,
    settings.instanceId,
    pricedText(settlements),
  ];
}

type KeyIndex = (of: { keyId: string }) => number;

function settlementParameters(
  settlements: readonly Settlement[],
  rows: string,
  keyIndex: KeyIndex,
): BatchValue[] {
  if (settlements.length === 0) return [null, null, null, null, null];
  const unbilled = settlements.filter(({ billingSource }) => billingSource === "none");
  return [
    arrayText(settlements.map(({ requestId }) => requestId)),
    unbilled.length === 0 ? null : arrayText(unbilled.map(({ requestId }) => requestId)),
    rows,
    recordsText(usageRollups(settlements, keyIndex)),
    recordsText(nodeRollups(settlements)),
  ];
}

/** JSON by the place of a settlement; null: none is priced by more than its counts. */
function pricedText(settlements: readonly Settlement[]): string | null {
  const priced = settlements.flatMap(({ pricedAs }, index) =>
    pricedAs === null ? [] : [[index + 1, pricedAs]],
  );
  return priced.length === 0 ? null : JSON.stringify(Object.fromEntries(priced));
}

function holdParameters(holds: readonly HoldRequest[], keyIndex: KeyIndex): BatchValue[] {
  if (holds.length === 0) return [null, null, null];
  return [
    arrayText(holds.map((hold) => hold.requestId)),
    arrayText(holds.map(keyIndex)),
    arrayText(holds.map((hold) => hold.amountMicroCents)),
  ];
}

/** Records every outcome and returns the items that must run again because the batch repeated an earlier settlement. */
function readAnswer(
  answer: BudgetedAnswer,
  items: readonly LedgerWork[],
  done: readonly number[],
  outcomes: LedgerOutcome[],
): number[] {
  const notDone: number[] = [];
  let settlement = 0;
  let hold = 0;
  for (const index of done) {
    const item = items[index];
    const outcome =
      item?.kind === "hold"
        ? holdOutcome(answer, hold++, item.hold.amountMicroCents)
        : settledOutcome(answer, settlement++);
    if (outcome === null) notDone.push(index);
    else outcomes[index] = outcome;
  }
  return notDone;
}

function settledOutcome({ settled }: BatchAnswer, index: number): SettledOutcome | null {
  if (settled === null) return "settled";
  const code = settled[index];
  if (code === NOT_DONE) return null;
  if (code === 1) return "settled";
  if (code === 2) return "late";
  if (code === 3) return "duplicate";
  throw new Error(`the batch gave settlement ${index} the unknown outcome ${code}`);
}

function holdOutcome(answer: BudgetedAnswer, index: number, askedMicroCents: bigint): HoldOutcome | null {
  if (answer.outcomes === null) return { held: true, heldMicroCents: askedMicroCents };
  const code = answer.outcomes[index];
  if (code === NOT_DONE) return null;
  if (code === 0) return { held: true, heldMicroCents: answer.amounts?.[index] ?? 0n };
  if (code === 1) return { held: false, reason: "key_invalid" };
  if (code === 2) return { held: false, reason: "account_inactive" };
  if (code === 3 || code === 4) {
    return {
      held: false,
      reason: "quota",
      level: code === 3 ? "key" : "account",
      roomMicroCents: answer.rooms?.[index] ?? 0n,
      heldMicroCents: answer.helds?.[index] ?? 0n,
    };
  }
  if (code === 5) return { held: false, reason: "budget", ...budgetRefusal(answer, index) };
  throw new Error(`the batch gave hold ${index} the unknown outcome ${code}`);
}

function budgetRefusal(answer: BudgetedAnswer, index: number): BudgetRefusal {
  const counter = answer.counters[(answer.refused?.[index] ?? 0) - 1];
  if (counter === undefined) throw new Error(`the batch gave hold ${index} no rule that refuses it`);
  const [limit = 0n, room = 0n, reserved = 0n, reset = 0n] = [
    answer.limits?.[index],
    answer.rooms?.[index],
    answer.helds?.[index],
    answer.resets?.[index],
  ];
  const used = limit - room - reserved;
  const resetsAtMs = reset === 0n ? null : Number(reset);
  return { budgetId: counter.budgetId, limit, used, reserved, resetsAtMs };
}

/** Distinct keys and accounts of a batch, in the lock order that every process uses. Indexes begin at 1. */
function indexOf(items: readonly LedgerWork[]) {
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
