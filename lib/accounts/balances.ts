/** Money of a key or an account. Units: micro-cents. */
export interface Balance {
  quotaMicroCents: bigint;
  usedMicroCents: bigint;
  heldMicroCents: bigint;
}

/** Whose money. */
export interface Owner {
  keyId: string;
  userId: string;
}

const MAX_ENTRIES = 10_000;

/**
 * What keys and accounts have left, as far as this process knows without asking: what the last look-up of a key told,
 * at most 5 s old under way, and its own holds and settlements since. Good for sizing a request; only the hold decides
 * whether it may run. Source: docs/contract.md#b8.
 */
export class Balances {
  readonly #keys = new Map<string, Balance>();
  readonly #accounts = new Map<string, Balance>();

  /** The database's own figures replace what was known. */
  learn(owner: Owner, key: Balance, account: Balance): void {
    keep(this.#keys, owner.keyId, key);
    keep(this.#accounts, owner.userId, account);
  }

  /** A request of this process reserved money. */
  held(owner: Owner, microCents: bigint): void {
    for (const balance of this.#of(owner)) balance.heldMicroCents += microCents;
  }

  /** A request of this process has ended: what it held is free, what it cost is used. */
  settled(owner: Owner, heldMicroCents: bigint, costMicroCents: bigint): void {
    for (const balance of this.#of(owner)) {
      balance.heldMicroCents -= heldMicroCents;
      balance.usedMicroCents += costMicroCents;
    }
  }

  /** What is left of the tighter of key and account; 0 when nothing is known or nothing is left. Units: micro-cents. */
  room(owner: Owner): bigint {
    const rooms = this.#of(owner).map(
      ({ quotaMicroCents, usedMicroCents, heldMicroCents }) =>
        quotaMicroCents - usedMicroCents - heldMicroCents,
    );
    const [first, second] = rooms;
    if (first === undefined || second === undefined) return 0n;
    const tighter = first < second ? first : second;
    return tighter > 0n ? tighter : 0n;
  }

  #of({ keyId, userId }: Owner): Balance[] {
    return [this.#keys.get(keyId), this.#accounts.get(userId)].filter((balance) => balance !== undefined);
  }
}

function keep(balances: Map<string, Balance>, id: string, { ...balance }: Balance): void {
  balances.delete(id);
  balances.set(id, balance);
  if (balances.size <= MAX_ENTRIES) return;
  const oldest = balances.keys().next();
  if (!oldest.done) balances.delete(oldest.value);
}
