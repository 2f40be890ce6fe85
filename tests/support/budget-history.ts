import { expect } from "vitest";
import type { BudgetSet } from "@/lib/billing/budget-sets";
import type { LedgerWork } from "@/lib/billing/ledger-batch";
import { type LedgerOutcome, settlementRow } from "@/lib/billing/settlement";
import type { Database } from "@/lib/db/database";
import { NO_MEMBER } from "@/lib/db/schema/budgets";
import { makeAccount, requestId, settlementOf, type TestAccount } from "./billing";
import { BudgetModel, freshRule, limitOf, type ModelCost, type ModelRule } from "./budget-model";
import type { Declared, DeclaredRule, Step, Work } from "./budget-steps";

const PLENTY = 10n ** 15n;

/** A rule of the model and its rows. */
export interface StoredRule extends ModelRule {
  budgetId: string;
  member: string;
  period: DeclaredRule["period"];
}

/** Executes holds and settlements, in their order. */
export type Execute = (items: LedgerWork[]) => Promise<LedgerOutcome[]>;

/** How a history is executed. `strict`: no last request passes; `shared`: rules that every set meets beside its own. */
export interface HistoryOptions {
  execute: Execute;
  strict: boolean;
  shared?: readonly StoredRule[];
}

/** Writes a rule of an account. */
export async function storeRule(
  database: Database,
  userId: string,
  declared: DeclaredRule,
): Promise<StoredRule> {
  const { unit, mode, limit, period, timeZone, ofMember } = declared;
  const [row] = await database.query<{ id: string }>(
    `INSERT INTO budgets (name, scope, user_id, unit, period, time_zone, limit_amount, mode)
     VALUES ('r', 'account', $1, $2, $3, $4, $5, $6) RETURNING id`,
    [userId, unit, period, timeZone, limit, mode],
  );
  const member = ofMember ? userId : NO_MEMBER;
  return { ...freshRule({ unit, mode, limit }), budgetId: row?.id ?? "", member, period };
}

/** One history of a key and its rules, in the database and in the model. */
export class BudgetHistory {
  readonly #model: BudgetModel;
  readonly #requests: string[] = [];

  private constructor(
    readonly database: Database,
    readonly options: HistoryOptions,
    readonly account: TestAccount,
    readonly rules: readonly StoredRule[],
    readonly sets: readonly (readonly StoredRule[])[],
    readonly counters: readonly BudgetSet[],
  ) {
    this.#model = new BudgetModel(options.strict);
  }

  /** Makes an account with a key, and the rules. */
  static async make(database: Database, options: HistoryOptions, declared: Declared): Promise<BudgetHistory> {
    const account = await makeAccount(database, { account: PLENTY, keys: [PLENTY] });
    const rules: StoredRule[] = [];
    for (const rule of declared.rules) rules.push(await storeRule(database, account.userId, rule));
    const sets = declared.sets.map((places) => [
      ...places.flatMap((place) => rules[place] ?? []),
      ...(options.shared ?? []),
    ]);
    const counters = sets.map((set) => set.map(({ budgetId, member }) => ({ budgetId, member })));
    return new BudgetHistory(database, options, account, rules, sets, counters);
  }

  /** Executes a step in both. Returns how many operations it was. */
  async act(step: Step): Promise<number> {
    switch (step.do) {
      case "batch":
        return this.#batch(step.work);
      case "release":
        return this.#end(this.#request(step.request), "released");
      case "expire":
        return this.#end(this.#request(step.request), "expired");
      case "crash":
        return this.#crash();
      default: {
        const rule = this.rules[step.rule % this.rules.length];
        if (rule !== undefined) await this.#change(step, rule);
        return 1;
      }
    }
  }

  /** Every window is the model's, those of ended periods too; a rule that no request has met has none. */
  async expectSame(): Promise<void> {
    const rows = await this.database.query<{ budget_id: string; used: string; held: string }>(
      `SELECT budget_id, used::text, held::text FROM budget_windows WHERE budget_id = ANY($1::uuid[])
       ORDER BY ends_at`,
      [`{${this.rules.map(({ budgetId }) => budgetId).join(",")}}`],
    );
    for (const { budgetId, past, window } of this.rules) {
      const stored = rows.filter((row) => row.budget_id === budgetId);
      const expected = [...past, window].map(({ used, held }) => [String(used), String(held)]);
      if (stored.length === past.length) stored.push({ budget_id: budgetId, used: "0", held: "0" });
      expect(stored.map(({ used, held }) => [used, held])).toEqual(expected);
    }
  }

  #request(place: number): string | undefined {
    return this.#requests.at(-1 - (place % Math.max(1, this.#requests.length)));
  }

  async #end(id: string | undefined, state: "released" | "expired"): Promise<number> {
    if (id === undefined) return 0;
    const { keyIds, userId } = this.account;
    if (state === "expired") await this.database.query("SELECT quota_expire($1)", [id]);
    else await this.database.query("SELECT quota_release($1, $2, $3)", [id, keyIds[0] ?? "", userId]);
    this.#model.end(id, state);
    return 1;
  }

  /** The process has died: the reaper ends what it held, one after the other. */
  async #crash(): Promise<number> {
    const open = this.#model.open();
    for (const id of open) await this.#end(id, "expired");
    return open.length;
  }

  async #change(step: Exclude<Step, { do: "batch" | "release" | "expire" | "crash" }>, rule: StoredRule) {
    switch (step.do) {
      case "turn":
        if (await turnPeriod(this.database, rule)) this.#model.turn(rule);
        return;
      case "limit":
        rule.limit = step.limit;
        return this.#write("limit_amount", step.limit, rule);
      case "enabled":
        rule.enabled = step.enabled;
        return this.#write("enabled", step.enabled, rule);
      case "mode":
        // `hard` is fixed for the life of a rule.
        if (rule.mode === "hard") return;
        rule.mode = step.mode;
        return this.#write("mode", step.mode, rule);
      case "extra": {
        const rows = await this.database.query(
          "UPDATE budget_windows SET extra = $2 WHERE budget_id = $1 AND ends_at > now() RETURNING 1 AS done",
          [rule.budgetId, step.extra],
        );
        if (rows.length > 0) rule.window.extra = step.extra;
        return;
      }
      case "exception":
        return this.#except(rule, step.limit);
    }
  }

  async #write(column: string, value: bigint | boolean | string, { budgetId }: StoredRule): Promise<void> {
    await this.database.query(`UPDATE budgets SET ${column} = $2 WHERE id = $1`, [budgetId, value]);
  }

  async #except(rule: StoredRule, limit: bigint | null | undefined): Promise<void> {
    const { budgetId, member } = rule;
    if (limit === undefined) {
      delete rule.exception;
      await this.database.query("DELETE FROM budget_exceptions WHERE budget_id = $1", [budgetId]);
      return;
    }
    rule.exception = limit;
    await this.database.query(
      `INSERT INTO budget_exceptions (budget_id, member, limit_amount) VALUES ($1, $2, $3)
       ON CONFLICT (budget_id, member) DO UPDATE SET limit_amount = excluded.limit_amount`,
      [budgetId, member, limit],
    );
  }

  /** Settlements come before holds. */
  async #batch(work: readonly Work[]): Promise<number> {
    const settles = work.flatMap((one) => {
      const id = one.do === "settle" ? this.#request(one.request) : undefined;
      return one.do === "settle" && id !== undefined ? [{ id, cost: one.cost }] : [];
    });
    const holds = work.flatMap((one) => (one.do === "hold" ? [{ ...one, id: requestId() }] : []));
    const items = [
      ...settles.map(({ id, cost }) => this.#settleOf(id, cost)),
      ...holds.map((hold) => this.#holdOf(hold)),
    ];
    if (items.length === 0) return 0;
    const outcomes = await this.options.execute(items);
    const expected = settles.map(({ id, cost }) => this.#model.settle(id, cost));
    expect(outcomes.slice(0, settles.length)).toEqual(expected);
    for (const [index, hold] of holds.entries()) this.#compare(hold, outcomes[settles.length + index]);
    return items.length;
  }

  #compare({ id, set, needs }: Extract<Work, { do: "hold" }> & { id: string }, outcome?: LedgerOutcome) {
    const refusing = this.#model.hold(id, this.sets[set] ?? [], needs) as StoredRule[];
    if (refusing.length === 0) {
      expect(outcome).toMatchObject({ held: true });
      this.#requests.push(id);
      return;
    }
    expect(outcome).toMatchObject({ held: false, reason: "budget" });
    if (typeof outcome !== "object" || !("budgetId" in outcome)) return;
    const told = refusing.find(({ budgetId }) => budgetId === outcome.budgetId);
    const { used, held } = told?.window ?? {};
    expect(outcome).toMatchObject({ limit: told && limitOf(told), used, reserved: held });
    // What never starts again is told before all that does.
    const forEver = refusing.some(({ period }) => period === "total");
    expect(outcome.resetsAtMs === null).toBe(forEver);
  }

  #holdOf({ id, set, needs }: Extract<Work, { do: "hold" }> & { id: string }): LedgerWork {
    const { keyIds, userId } = this.account;
    const hold = { requestId: id, keyId: keyIds[0] ?? "", userId, amountMicroCents: needs.mostMicroCents };
    const counters = this.counters[set];
    if (counters === undefined || counters.length === 0) return { kind: "hold", hold };
    const budgets = {
      set: counters,
      expectedMicroCents: needs.expectedMicroCents,
      mostTokens: Number(needs.mostTokens),
      expectedTokens: Number(needs.expectedTokens),
    };
    return { kind: "hold", hold: { ...hold, budgets } };
  }

  #settleOf(id: string, { microCents, tokens, billed }: ModelCost): LedgerWork {
    const settlement = settlementOf(this.account, {
      requestId: id,
      costMicroCents: billed ? microCents : 0n,
      billingSource: billed ? "upstream" : "none",
      usage: { inputUncached: 0, cacheRead: Number(tokens), cacheWrite: 0, output: 0, reasoning: 0 },
    });
    return { kind: "settle", settlement, row: settlementRow(settlement) };
  }
}

/** Ends the present period of a rule; false when no request has begun it. */
async function turnPeriod(database: Database, { budgetId }: StoredRule): Promise<boolean> {
  const rows = await database.query(
    `UPDATE budget_windows SET ends_at = now() WHERE budget_id = $1 AND ends_at > now() AND starts_at < now()
     RETURNING 1 AS done`,
    [budgetId],
  );
  return rows.length > 0;
}
