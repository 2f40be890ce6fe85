import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { and, eq, isNull, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { LRUCache } from "lru-cache";
import type { Session } from "@/lib/db/database";
import { apiKeys, type LimitValues, plans, users } from "@/lib/db/schema/accounts";
import { type AccountLevel, accountLevelOf, accountLimitsOf, keyLimitsOf } from "./account-limits";

/** A key with the data of the request path. Its balance may be stale; the hold reads it again, under a lock. */
export interface GatewayKey {
  keyId: string;
  userId: string;
  name: string;
  keyPrefix: string;
  status: "active" | "disabled" | "blocked";
  /** The expiry by the database's clock, in this process's monotonic milliseconds; null: never. */
  expiresAtMs: number | null;
  /** Null: every alias. */
  models: readonly string[] | null;
  planId: number;
  planName: string;
  /** The plan's limits, or the account's own in place of those of its own plan. */
  limits: LimitValues;
  /** The account's limits over all its keys; null: there are none. */
  account: AccountLevel | null;
  /** How many keys the account may have; null: no limit of its own or its plan. */
  maxKeys: number | null;
  userStatus: "active" | "suspended" | "deleted";
  userRole: "user" | "admin";
  /** The console's own key: nothing is stored for it. Source: docs/reliability.md#s3-1b. */
  isConsoleKey: boolean;
  balance: KeyBalance;
}

const accountPlans = alias(plans, "account_plan");

const isOfCurrentSessions = or(
  isNull(apiKeys.consoleNumber),
  eq(apiKeys.consoleTokenVersion, users.tokenVersion),
);

/**
 * The key with this hash, or null when there is none, it was deleted, or it is a console key whose sessions have ended.
 * Shape: `hash` is the SHA-256 of the key, as bytes or hexadecimal. Source: docs/reliability.md#a4, #s3-1.
 */
export async function findKeyByHash(db: Session, hash: Buffer | string): Promise<GatewayKey | null> {
  const bytes = typeof hash === "string" ? Buffer.from(hash, "hex") : hash;
  const [row] = await db.orm
    .select({
      key: apiKeys,
      plan: plans,
      user: users,
      accountLimits: accountPlans.accountLimits,
      remainingMs: sql<number | null>`(extract(epoch from ${apiKeys.expiresAt} - now()) * 1000)::float8`,
    })
    .from(apiKeys)
    .innerJoin(plans, eq(plans.id, apiKeys.planId))
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .innerJoin(accountPlans, eq(accountPlans.id, users.planId))
    .where(and(eq(apiKeys.keyHash, bytes), isNull(apiKeys.deletedAt), isOfCurrentSessions))
    .limit(1);
  if (row === undefined) return null;
  const { key, plan, user, remainingMs } = row;
  const accountLimits = accountLimitsOf(row, user);
  return {
    keyId: key.id,
    userId: key.userId,
    name: key.name,
    keyPrefix: key.keyPrefix,
    status: key.status,
    expiresAtMs: remainingMs === null ? null : performance.now() + remainingMs,
    models: key.models,
    planId: key.planId,
    planName: plan.name,
    limits: keyLimitsOf(plan, user),
    account: accountLevelOf(user.id, accountLimits),
    maxKeys: accountLimits.keys,
    userStatus: user.status,
    userRole: user.role,
    isConsoleKey: key.consoleNumber !== null,
    balance: { ...balanceOf(key), account: balanceOf(user) },
  };
}

/**
 * True when requests may be made with the key; `nowMs` is monotonic, because the wall clock may be wrong.
 * Source: docs/reliability.md#r-51.
 */
export function isKeyUsable(key: GatewayKey, nowMs: number): boolean {
  if (key.status !== "active" || key.userStatus !== "active") return false;
  return key.expiresAtMs === null || key.expiresAtMs > nowMs;
}

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

function balanceOf(row: Balance): Balance {
  const { quotaMicroCents, usedMicroCents, heldMicroCents } = row;
  return { quotaMicroCents, usedMicroCents, heldMicroCents };
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

const MAX_ENTRIES = 10_000;
const PERMILLE = 1_000n;

/**
 * The remaining quota of keys and accounts, known without a query: the figures of the last look-up of a key, at most
 * 5 s old, and this process's holds and settlements since. Used to size requests; only the hold decides whether a
 * request may run. Source: docs/contract.md#b8.
 */
export class Balances {
  readonly #keys = new LRUCache<string, Balance>({ max: MAX_ENTRIES });
  readonly #accounts = new LRUCache<string, Balance>({ max: MAX_ENTRIES });

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

/** The prefix of every API key, including the hyphen. Source: docs/contract.md#s5, docs/spec.md#s2-1. */
const KEY_PREFIX = "tgw-";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 40;
const CHECKSUM_LENGTH = 6;
const VISIBLE_LENGTH = 8;
/** The largest multiple of 62 in a byte; larger bytes are discarded so that every character is equally likely. */
const UNBIASED_BYTES = 248;
const SHAPE = new RegExp(`^${KEY_PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

const KEYS = new RegExp(`(${KEY_PREFIX}[0-9A-Za-z]{${VISIBLE_LENGTH}})[0-9A-Za-z]+`, "g");

/** A new key: the secret, which is shown once, and the stored values. */
export interface NewKey {
  key: string;
  keyHash: Buffer;
  keyPrefix: string;
}

/**
 * Generates a key of 238 random bits and a checksum. Shape: `tgw-`, 40 base62 characters, 6 of CRC-32.
 * Source: docs/reliability.md#s3-1.
 */
export function generateKey(): NewKey {
  return keyOf(randomBase62(RANDOM_LENGTH));
}

/** The key that bytes determine, of the same shape. Throws: when there are too few bytes, 128 never are. */
export function keyFromBytes(bytes: Buffer): NewKey {
  const text = base62(bytes).slice(0, RANDOM_LENGTH);
  if (text.length < RANDOM_LENGTH) throw new Error("too few bytes for a key");
  return keyOf(text);
}

function keyOf(random: string): NewKey {
  const key = `${KEY_PREFIX}${random}${checksum(random)}`;
  return { key, keyHash: hashKey(key), keyPrefix: key.slice(0, KEY_PREFIX.length + VISIBLE_LENGTH) };
}

/** How the visible prefix of a key begins that somebody has typed or pasted, whole or in part; null for other texts. */
export function typedPrefix(text: string): string | null {
  return text.startsWith(KEY_PREFIX) ? text.slice(0, KEY_PREFIX.length + VISIBLE_LENGTH) : null;
}

/** Replaces every key in a text by its visible prefix. */
export function redactKeys(text: string): string {
  return text.replace(KEYS, "$1…");
}

/** One text for all keys that are not usable: it does not tell which of them exist. */
export const UNUSABLE_KEY =
  "The API key is unknown, disabled, expired or revoked. It may also be cut: compare it with the key that you copied.";

/** True when the text has the shape and checksum of a key; other texts are never looked up in the database. */
export function isWellFormedKey(text: string): boolean {
  if (!SHAPE.test(text)) return false;
  const split = text.length - CHECKSUM_LENGTH;
  return checksum(text.slice(KEY_PREFIX.length, split)) === text.slice(split);
}

/** SHA-256 of the whole key; the identifier for storage, look-up and cache. */
export function hashKey(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

/** Random base62 text, every character equally likely; also for invite codes. */
export function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) text += base62(randomBytes(length));
  return text.slice(0, length);
}

/** A character for every byte below `UNBIASED_BYTES`. */
function base62(bytes: Buffer): string {
  let text = "";
  for (const byte of bytes) if (byte < UNBIASED_BYTES) text += ALPHABET.charAt(byte % ALPHABET.length);
  return text;
}

function checksum(random: string): string {
  let rest = crc32(random);
  let text = "";
  for (let index = 0; index < CHECKSUM_LENGTH; index += 1) {
    text = ALPHABET.charAt(rest % ALPHABET.length) + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}
