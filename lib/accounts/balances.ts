/** Quota and usage of a key or an account. Units: micro-cents. */
export interface Balance {
  quotaMicroCents: bigint;
  usedMicroCents: bigint;
  heldMicroCents: bigint;
}

/** The key and account of a balance. */
export interface Owner {
  keyId: string;
  userId: string;
}

const MAX_ENTRIES = 10_000;

/**
 * The remaining quota of keys and accounts, known without a query: the figures of the last look-up of a key, at most
 * 5 s old, and this process's holds and settlements since. Used to size requests; only the hold decides whether a
 * request may run. Source: docs/contract.md#b8.
 */
export class Balances {
  readonly #keys = new Map<string, Balance>();
  readonly #accounts = new Map<string, Balance>();

  /** Replaces the known figures by those of the database. */
  update(owner: Owner, key: Balance, account: Balance): void {
    storeBounded(this.#keys, owner.keyId, key);
    storeBounded(this.#accounts, owner.userId, account);
  }

  /** Adds a hold of this process. */
  addHold(owner: Owner, microCents: bigint): void {
    for (const balance of this.#of(owner)) balance.heldMicroCents += microCents;
  }

  /** Replaces a hold of this process by the cost of its request. */
  settle(owner: Owner, heldMicroCents: bigint, costMicroCents: bigint): void {
    for (const balance of this.#of(owner)) {
      balance.heldMicroCents -= heldMicroCents;
      balance.usedMicroCents += costMicroCents;
    }
  }

  /** The smaller remaining quota of key and account; 0 when unknown or exhausted. Units: micro-cents. */
  remaining(owner: Owner): bigint {
    const amounts = this.#of(owner).map(
      ({ quotaMicroCents, usedMicroCents, heldMicroCents }) =>
        quotaMicroCents - usedMicroCents - heldMicroCents,
    );
    const [first, second] = amounts;
    if (first === undefined || second === undefined) return 0n;
    const smaller = first < second ? first : second;
    return smaller > 0n ? smaller : 0n;
  }

  #of({ keyId, userId }: Owner): Balance[] {
    return [this.#keys.get(keyId), this.#accounts.get(userId)].filter((balance) => balance !== undefined);
  }
}

function storeBounded(balances: Map<string, Balance>, id: string, { ...balance }: Balance): void {
  balances.delete(id);
  balances.set(id, balance);
  if (balances.size <= MAX_ENTRIES) return;
  const oldest = balances.keys().next();
  if (!oldest.done) balances.delete(oldest.value);
}
