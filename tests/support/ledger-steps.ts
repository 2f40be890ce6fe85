import fc from "fast-check";
import { expect } from "vitest";
import type { Database } from "@/lib/db/database";
import {
  countersOf,
  makeAccount,
  requestId,
  settlementOf,
  type TestAccount,
  type TestLedger,
} from "./billing";
import { LedgerModel } from "./ledger-model";

/** One operation on an account's balances. `key` null: the account itself. */
export type Step =
  | { do: "hold"; request: number; key: number; amount: number }
  | { do: "settle"; request: number; cost: number }
  | { do: "release"; request: number }
  | { do: "expire"; request: number }
  | { do: "quota"; key: number | null; quota: number }
  | { do: "status"; key: number | null; active: boolean }
  | { do: "delete"; key: number };

/** The quotas of a generated history. Units: micro-cents. */
const QUOTAS = { account: 400n, keys: [150n, 300n, 500n] };

/** Random steps among so many requests. Keys are deleted rarely, because later holds on them fail. */
export function anyStep(requests: number): fc.Arbitrary<Step> {
  const request = fc.nat(requests - 1);
  const key = fc.nat(QUOTAS.keys.length - 1);
  const level = fc.option(key);
  const one = <K extends Step["do"]>(name: K) => fc.constant(name);
  return fc.oneof(
    { weight: 24, arbitrary: fc.record({ do: one("hold"), request, key, amount: fc.nat(120) }) },
    { weight: 20, arbitrary: fc.record({ do: one("settle"), request, cost: fc.nat(150) }) },
    { weight: 4, arbitrary: fc.record({ do: one("release"), request }) },
    { weight: 4, arbitrary: fc.record({ do: one("expire"), request }) },
    { weight: 4, arbitrary: fc.record({ do: one("quota"), key: level, quota: fc.nat(600) }) },
    { weight: 4, arbitrary: fc.record({ do: one("status"), key: level, active: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ do: one("delete"), key }) },
  );
}

/** One account in the database and in the model; each step runs in both and must have the same result. */
export class ComparedAccount {
  readonly #database: Database;
  readonly #ledger: TestLedger;
  readonly #account: TestAccount;
  readonly #model = new LedgerModel(QUOTAS.account, QUOTAS.keys);
  readonly #ids: string[];

  private constructor(database: Database, ledger: TestLedger, account: TestAccount, requests: number) {
    this.#database = database;
    this.#ledger = ledger;
    this.#account = account;
    this.#ids = Array.from({ length: requests }, requestId);
  }

  /** Creates the account; its steps use this number of requests. */
  static async make(database: Database, ledger: TestLedger, requests: number): Promise<ComparedAccount> {
    return new ComparedAccount(database, ledger, await makeAccount(database, QUOTAS), requests);
  }

  /** False when the step had nothing to do: a real request holds once. */
  async act(step: Step): Promise<boolean> {
    switch (step.do) {
      case "hold":
        return this.#hold(step);
      case "settle":
        await this.#settle(step);
        return true;
      case "release":
        await this.#database.query("SELECT quota_release($1, $2, $3)", [
          this.#id(step.request),
          this.#keyOf(step.request),
          this.#account.userId,
        ]);
        this.#model.release(step.request);
        return true;
      case "expire":
        await this.#database.query("SELECT quota_expire($1)", [this.#id(step.request)]);
        this.#model.expire(step.request);
        return true;
      case "quota":
        await this.#change(step.key, "quota_micro_cents = $2", BigInt(step.quota));
        this.#model.setQuota(step.key, BigInt(step.quota));
        return true;
      case "status":
        await this.#change(step.key, "status = $2", statusText(step));
        this.#model.setActive(step.key, step.active);
        return true;
      case "delete":
        await this.#change(step.key, "deleted_at = coalesce(deleted_at, $2)", new Date());
        this.#model.remove(step.key);
        return true;
    }
  }

  /** Every counter of the account and its keys is the model's. */
  async expectSame(): Promise<void> {
    expect(await countersOf(this.#database, this.#account)).toEqual(this.#model.counters());
  }

  async #hold({ request, key, amount }: Extract<Step, { do: "hold" }>): Promise<boolean> {
    if (this.#model.knows(request)) return false;
    const outcome = await this.#ledger.hold({
      requestId: this.#id(request),
      keyId: this.#account.keyIds[key] ?? "",
      userId: this.#account.userId,
      amountMicroCents: BigInt(amount),
    });
    expect(outcome).toEqual(this.#model.hold(request, key, BigInt(amount)));
    return true;
  }

  async #settle({ request, cost }: Extract<Step, { do: "settle" }>): Promise<void> {
    const settlement = settlementOf(this.#account, {
      requestId: this.#id(request),
      keyId: this.#keyOf(request),
      costMicroCents: BigInt(cost),
    });
    expect(await this.#ledger.settle(settlement)).toBe(this.#model.settle(request, BigInt(cost)));
  }

  #id(request: number): string {
    return this.#ids[request] ?? "";
  }

  #keyOf(request: number): string {
    return this.#account.keyIds[this.#model.keyOf(request)] ?? "";
  }

  async #change(keyIndex: number | null, set: string, value: bigint | string | Date): Promise<void> {
    const table = keyIndex === null ? "users" : "api_keys";
    const id = keyIndex === null ? this.#account.userId : (this.#account.keyIds[keyIndex] ?? "");
    await this.#database.query(`UPDATE ${table} SET ${set} WHERE id = $1`, [id, value]);
  }
}

function statusText(step: { key: number | null; active: boolean }): string {
  if (step.active) return "active";
  return step.key === null ? "suspended" : "disabled";
}
