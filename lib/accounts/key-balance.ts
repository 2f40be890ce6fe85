import { and, eq, isNull } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import type { Session } from "@/lib/db/database";
import { apiKeys, users } from "@/lib/db/schema/accounts";

/** The balances that limit a key. */
export interface KeyBalance extends Balance {
  /** The account's balance, which also limits the key. */
  account: Balance;
}

/** The current balance of a key and its account; null when there is no such key. */
export async function findKeyBalance(db: Session, keyId: string): Promise<KeyBalance | null> {
  const [row] = await db.orm
    .select({ key: apiKeys, user: users })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .where(and(eq(apiKeys.id, keyId), isNull(apiKeys.deletedAt)))
    .limit(1);
  if (row === undefined) return null;
  return { ...balanceOf(row.key), account: balanceOf(row.user) };
}

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

/** More than the cache of keys holds: a key in it has its balance here. */
const MAX_ENTRIES = 200_000;

const PERMILLE = 1_000n;

/**
 * The remaining quota of keys and accounts, known without a query: the figures of the last look-up of a key, at most 60 s
 * old, or 5 s when less than a tenth is left (asked once a second), and this process's holds and settlements since. Used
 * to size requests; only the hold decides whether a request may run. Source: docs/contract.md#b8.
 */
export class Balances {
  // Unlike `max`, a size limit does not reserve memory for entries in advance.
  readonly #keys = new LRUCache<string, Balance>({ maxSize: MAX_ENTRIES, sizeCalculation: () => 1 });
  readonly #accounts = new LRUCache<string, Balance>({ maxSize: MAX_ENTRIES, sizeCalculation: () => 1 });

  /** Replaces the known figures by those of the database. */
  update(owner: Owner, key: Balance, account: Balance): void {
    this.#keys.set(owner.keyId, { ...key });
    this.#accounts.set(owner.userId, { ...account });
  }

  /** Adds a hold of this process. */
  addHold(owner: Owner, microCents: bigint): void {
    this.settle(owner, -microCents, 0n);
  }

  /** Replaces a hold of this process by the cost of its request. */
  settle({ keyId, userId }: Owner, heldMicroCents: bigint, costMicroCents: bigint): void {
    move(this.#keys.get(keyId), heldMicroCents, costMicroCents);
    move(this.#accounts.get(userId), heldMicroCents, costMicroCents);
  }

  /** The smaller remaining quota of key and account; 0 when unknown or exhausted. Units: micro-cents. */
  remaining({ keyId, userId }: Owner): bigint {
    const ofKey = left(this.#keys.get(keyId));
    const ofAccount = left(this.#accounts.get(userId));
    const smaller = ofKey < ofAccount ? ofKey : ofAccount;
    return smaller > 0n ? smaller : 0n;
  }

  /** The larger used part of the quotas of key and account, holds included; 0 when unknown. Units: percent. */
  usedPercent({ keyId, userId }: Owner): number {
    return Math.max(0, usedPermille(this.#keys.get(keyId)), usedPermille(this.#accounts.get(userId))) / 10;
  }
}

function usedPermille(balance: Balance | undefined): number {
  if (balance === undefined) return 0;
  const { quotaMicroCents } = balance;
  const used = balance.usedMicroCents + balance.heldMicroCents;
  return Number(used >= quotaMicroCents ? PERMILLE : (used * PERMILLE) / quotaMicroCents);
}

function move(balance: Balance | undefined, heldMicroCents: bigint, costMicroCents: bigint): void {
  if (balance === undefined) return;
  balance.heldMicroCents -= heldMicroCents;
  balance.usedMicroCents += costMicroCents;
}

/** 0 when unknown. */
function left(balance: Balance | undefined): bigint {
  if (balance === undefined) return 0n;
  return balance.quotaMicroCents - balance.usedMicroCents - balance.heldMicroCents;
}

/** The balance in a row of a key or an account. */
function balanceOf(row: Balance): Balance {
  const { quotaMicroCents, usedMicroCents, heldMicroCents } = row;
  return { quotaMicroCents, usedMicroCents, heldMicroCents };
}
