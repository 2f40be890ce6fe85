import { createHmac } from "node:crypto";
import { availableParallelism } from "node:os";
import type { GatewayError } from "@/lib/kernel/errors";
import { PasswordPool } from "./password-pool";

/** A constant, not a secret: it only separates these pre-hashes from anybody else's. */
const LABEL = "tollgate password v1";
const DEFAULT_COST = 12;
const MAX_CONCURRENT = 4;
const MAX_WAITING = 16;

/** Salt and digest of a hash that no password has. */
const DUMMY_DIGEST = "xnOdiX9gEeziCQmfwo0eAOlLvBC7eHsPRbHZSTXyvQrx.swNZY9e2";

const place = Symbol.for("tollgate.passwords");

/** What the process has for passwords, whichever module graph asks first. */
interface Passwords {
  cost: number;
  pool: PasswordPool;
}

/** Sets the cost of new hashes, the logarithm of bcrypt's rounds; 12 until then. */
export function setPasswordHashCost(cost: number): void {
  passwords().cost = cost;
}

/**
 * bcrypt over base64(HMAC-SHA-384): 64 characters whatever the password, so nothing is cut at 72 bytes and NUL
 * cannot end it early. No pepper, so passwords outlive every rotation of secrets. Source: docs/reliability.md#a3,
 * #s3-3.
 */
export async function hashPassword(password: string): Promise<string> {
  return String(
    await passwords().pool.run({ kind: "hash", input: preHash(password), cost: passwords().cost }),
  );
}

/** True when the password belongs to the hash. Throws: RATE_LIMITED when too many wait. */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  return (await passwords().pool.run({ kind: "compare", input: preHash(password), hash })) === true;
}

/** Takes as long as a real comparison and fails; for names that do not exist. Source: docs/reliability.md#s3-4. */
export async function verifyNobody(password: string): Promise<false> {
  // At the cost of all others, so that unknown names take as long as known ones.
  const cost = String(passwords().cost).padStart(2, "0");
  await verifyPassword(password, `$2b$${cost}$${DUMMY_DIGEST}`);
  return false;
}

/**
 * Does work that ends in a hash or a comparison. Of a crowd, those who would wait too long are refused before they touch
 * the database. Throws: RATE_LIMITED with `Retry-After`; what the work throws. Source: docs/reliability.md#r-155.
 */
export function inPasswordQueue<T>(work: () => Promise<T>): Promise<T> {
  return passwords().pool.admit(work);
}

/** Why nobody else should begin, RATE_LIMITED: a crowd is waiting already. Null when somebody may. */
export function passwordQueueRefusal(): GatewayError | null {
  return passwords().pool.refusal;
}

/** Ends the worker threads. */
export async function closePasswordPool(): Promise<void> {
  const holder = globalThis as { [place]?: Passwords };
  await holder[place]?.pool.close();
  delete holder[place];
}

function passwords(): Passwords {
  const holder = globalThis as { [place]?: Passwords };
  holder[place] ??= { cost: DEFAULT_COST, pool: new PasswordPool(workers(), MAX_WAITING) };
  return holder[place];
}

/** One core is left to the streams. Source: docs/reliability.md#r-155. */
function workers(): number {
  return Math.max(1, Math.min(MAX_CONCURRENT, availableParallelism() - 1));
}

function preHash(password: string): string {
  return createHmac("sha384", LABEL).update(password, "utf8").digest("base64");
}
