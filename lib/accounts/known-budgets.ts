import { LRUCache } from "lru-cache";
import type { Session } from "@/lib/db/database";
import { isCausedByRows } from "@/lib/db/database-error";
import { type AskedBudgets, needOf } from "./budget-needs";
import { type BudgetState, budgetStatesOf, moneyRoom } from "./budget-states";
import type { KeyBudget } from "./key-budgets";

/** The counters of as many keys as have their balances in memory. */
const MAX_COUNTERS = 200_000;

type Counter = Pick<KeyBudget, "id" | "member">;

/** What an answered request has used. Units: micro-cents, tokens. */
interface BilledUse {
  readonly microCents: bigint;
  readonly tokens: number;
}

interface MovingState extends BudgetState {
  used: bigint;
  held: bigint;
}

/**
 * What is used of the rules of keys, known without a query: the figures of the last look-up of a key, at most 5 s old, and
 * this process's holds and settlements since. Tells and sizes; only the hold decides whether a request may run.
 * Units: those of the rules. Source: docs/budgets.md#known.
 */
export class KnownBudgets {
  // Unlike `max`, a size limit does not reserve memory for entries in advance.
  readonly #states = new LRUCache<string, MovingState>({ maxSize: MAX_COUNTERS, sizeCalculation: () => 1 });

  /** Reads the counters of some rules. Throws: the driver's error. */
  async refresh(db: Session, rules: readonly Counter[]): Promise<void> {
    const counters = [...new Map(rules.map((rule) => [nameOf(rule), rule])).values()];
    if (counters.length === 0) return;
    try {
      this.#take(counters, await budgetStatesOf(db, counters));
    } catch (error) {
      if (!isCausedByRows(error)) throw error;
      // A zone that the database no longer knows: the hold refuses what meets this rule, and nothing else.
      for (const counter of counters) await this.#refreshAlone(db, counter);
    }
  }

  /** Adds a hold of this process. */
  addHold(asked: AskedBudgets): void {
    for (const rule of asked.rules) {
      const state = this.#windowOf(rule, asked);
      if (state !== null) state.held += needOf(rule, asked);
    }
  }

  /**
   * Ends a hold of this process: `use` is what its request has used, null: nothing was billed. Calls back with each rule
   * that refuses and is passed by the request, and with how far, as this process knows.
   */
  endHold(
    asked: AskedBudgets,
    use: BilledUse | null,
    onOverrun?: (rule: KeyBudget, amount: bigint) => void,
  ): void {
    for (const rule of asked.rules) {
      const state = this.#windowOf(rule, asked);
      if (state === null) continue;
      const held = state.held - needOf(rule, asked);
      // A look-up may have read the counter before it had this hold.
      state.held = held > 0n ? held : 0n;
      if (use === null) continue;
      const amount = usedBy(rule, use);
      state.used += amount;
      const beyond = state.limit === null ? 0n : state.used - state.limit;
      if (rule.mode !== "warn" && beyond > 0n) onOverrun?.(rule, beyond < amount ? beyond : amount);
    }
  }

  /** The running period of a rule; null: not known, or it has ended since. `nowMs`: milliseconds since 1970. */
  stateOf(rule: Counter, nowMs: number): BudgetState | null {
    const state = this.#states.get(nameOf(rule));
    return state === undefined || hasEnded(state, nowMs) ? null : state;
  }

  /** The least that is left of `hard` rules on money, at least 0; null: no such rule is known. Units: micro-cents. */
  hardRoom(rules: readonly KeyBudget[], nowMs: number): bigint | null {
    const states = rules.map((rule) => [rule, this.stateOf(rule, nowMs)] as const);
    const room = moneyRoom(states, ["hard"]);
    return room !== null && room < 0n ? 0n : room;
  }

  async #refreshAlone(db: Session, counter: Counter): Promise<void> {
    try {
      this.#take([counter], await budgetStatesOf(db, [counter]));
    } catch (error) {
      if (!isCausedByRows(error)) throw error;
      this.#states.delete(nameOf(counter));
    }
  }

  #take(counters: readonly Counter[], states: readonly (BudgetState | null)[]): void {
    for (const [index, counter] of counters.entries()) {
      const state = states[index] ?? null;
      if (state === null) this.#states.delete(nameOf(counter));
      else this.#states.set(nameOf(counter), { ...state });
    }
  }

  /** The counter that a hold is in; null: not known, or that of another period. */
  #windowOf(rule: Counter, { now }: AskedBudgets): MovingState | null {
    const state = this.#states.get(nameOf(rule));
    if (state === undefined || hasEnded(state, now.getTime())) return null;
    return state.startsAtMs !== null && state.startsAtMs > now.getTime() ? null : state;
  }
}

function hasEnded({ endsAtMs }: BudgetState, nowMs: number): boolean {
  return endsAtMs !== null && endsAtMs <= nowMs;
}

/** What an answered request adds to a rule. Units: those of the rule. */
function usedBy({ unit }: KeyBudget, { microCents, tokens }: BilledUse): bigint {
  if (unit === "requests") return 1n;
  return unit === "money" ? microCents : BigInt(tokens);
}

function nameOf({ id, member }: Counter): string {
  return id + member;
}
