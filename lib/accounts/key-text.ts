import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

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

/** The key that bytes determine, of the same shape. Throws: for too few usable bytes; 128 bytes always suffice. */
export function keyFromBytes(bytes: Buffer): NewKey {
  const text = base62(bytes).slice(0, RANDOM_LENGTH);
  if (text.length < RANDOM_LENGTH) throw new Error("too few bytes for a key");
  return keyOf(text);
}

function keyOf(random: string): NewKey {
  const key = `${KEY_PREFIX}${random}${checksum(random)}`;
  return { key, keyHash: hashKey(key), keyPrefix: key.slice(0, KEY_PREFIX.length + VISIBLE_LENGTH) };
}

/**
 * The visible prefix of a key, or its beginning, in a typed or pasted text; null for texts that do not begin like a
 * key.
 */
export function typedPrefix(text: string): string | null {
  return text.startsWith(KEY_PREFIX) ? text.slice(0, KEY_PREFIX.length + VISIBLE_LENGTH) : null;
}

/** Replaces every key in a text by its visible prefix. */
export function redactKeys(text: string): string {
  return text.replace(KEYS, "$1…");
}

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

/** One character for each byte below `UNBIASED_BYTES`. */
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
