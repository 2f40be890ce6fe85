import { printJson } from "./exact-json";

const FNV_OFFSET = 0xcbf29ce484222325n;

const FNV_PRIME = 0x100000001b3n;

/** A short mark by which a value of JSON is recognized again: FNV-1a of its text, 64 bits. No protection against forgery. */
export function markOf(value: unknown): string {
  let hash = FNV_OFFSET;
  for (const byte of new TextEncoder().encode(printJson(value ?? null)))
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * FNV_PRIME);
  return hash.toString(36);
}
