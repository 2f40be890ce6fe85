import type { HoldOutcome } from "@/lib/billing/settlement";

type HoldState = "held" | "settled" | "released" | "expired";

interface Allowance {
  quota: bigint;
  used: bigint;
  held: bigint;
  active: boolean;
  deleted: boolean;
}

/** A simple sequential model of one account's balances, without a database. */
export class LedgerModel {
  readonly #account: Allowance;
  readonly #keys: Allowance[];
  readonly #holds = new Map<number, { key: number; amount: bigint; state: HoldState }>();
  readonly #settled = new Set<number>();
  #requests = 0n;

  constructor(account: bigint, keys: bigint[]) {
    this.#account = allowance(account);
    this.#keys = keys.map(allowance);
  }

  /** True when the request has held or been settled: a real request holds once. */
  knows(request: number): boolean {
    return this.#holds.has(request) || this.#settled.has(request);
  }

  keyOf(request: number): number {
    return this.#holds.get(request)?.key ?? 0;
  }

  hold(request: number, key: number, wanted: bigint): HoldOutcome {
    const own = this.#keys[key];
    if (!own?.active || own.deleted) return { held: false, reason: "key_invalid" };
    if (!this.#account.active) return { held: false, reason: "account_inactive" };
    const room = smaller(roomOf(own), roomOf(this.#account));
    let amount = wanted;
    if (wanted > room) {
      const alone = own.held === 0n && this.#account.held === 0n;
      if (room <= 0n || !alone) return refusal(own, this.#account);
      amount = room;
    }
    own.held += amount;
    this.#account.held += amount;
    this.#holds.set(request, { key, amount, state: "held" });
    return { held: true, heldMicroCents: amount };
  }

  settle(request: number, cost: bigint): "settled" | "late" | "duplicate" {
    if (this.#settled.has(request)) return "duplicate";
    const late = this.#holds.get(request)?.state === "expired";
    const key = this.keyOf(request);
    this.#end(request, "settled");
    this.#settled.add(request);
    for (const one of [this.#keys[key], this.#account]) if (one) one.used += cost;
    this.#requests++;
    return late ? "late" : "settled";
  }

  /** A release before its hold makes the hold fail. */
  release(request: number): void {
    this.#end(request, "released");
    if (!this.#holds.has(request)) this.#holds.set(request, { key: 0, amount: 0n, state: "released" });
  }

  expire(request: number): void {
    this.#end(request, "expired");
  }

  setQuota(key: number | null, quota: bigint): void {
    this.#of(key).quota = quota;
  }

  setActive(key: number | null, active: boolean): void {
    this.#of(key).active = active;
  }

  /** A deleted key stays deleted, and what was held on it may still be settled. */
  remove(key: number): void {
    this.#of(key).deleted = true;
  }

  counters() {
    const { used, held } = this.#account;
    return {
      account: { used, held, requests: this.#requests },
      keys: this.#keys.map((key) => ({ used: key.used, held: key.held })),
    };
  }

  #of(key: number | null): Allowance {
    const found = key === null ? this.#account : this.#keys[key];
    if (!found) throw new Error(`the model has no key ${key}`);
    return found;
  }

  #end(request: number, state: HoldState): void {
    const hold = this.#holds.get(request);
    if (hold?.state !== "held") return;
    hold.state = state;
    this.#of(hold.key).held -= hold.amount;
    this.#account.held -= hold.amount;
  }
}

function allowance(quota: bigint): Allowance {
  return { quota, used: 0n, held: 0n, active: true, deleted: false };
}

function roomOf({ quota, used, held }: Allowance): bigint {
  return quota - used - held;
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function refusal(key: Allowance, account: Allowance): HoldOutcome {
  const level = roomOf(key) <= roomOf(account) ? "key" : "account";
  const binding = level === "key" ? key : account;
  return {
    held: false,
    reason: "quota",
    level,
    roomMicroCents: roomOf(binding),
    heldMicroCents: binding.held,
  };
}
