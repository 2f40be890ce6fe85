import { createHash, createHmac } from "node:crypto";

const base32Alphabet = "abcdefghijklmnopqrstuvwxyz234567";

/** Lower-case hex SHA-256. */
export function sha256Hex(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** SHA-256 as lower-case base32 without padding, cut to `length` characters (at most 51). */
export function sha256Base32(text: string, length: number): string {
  const bits = [...createHash("sha256").update(text).digest()]
    .map((byte) => byte.toString(2).padStart(8, "0"))
    .join("");
  let out = "";
  for (let at = 0; out.length < length; at += 5)
    out += base32Alphabet[Number.parseInt(bits.slice(at, at + 5), 2)];
  return out;
}

/** Keyed SHA-256 as base64url; `purpose` keeps the uses of one key apart. */
export function keyed(key: string, purpose: string, text: string): string {
  return createHmac("sha256", key).update(`${purpose}\n${text}`).digest("base64url");
}

/**
 * What an upstream learns of a client's user id: 64 hex characters, stable, without personal data.
 * Source: docs/protocols.md#s4-1 (`user`), #s5-1 (`metadata.user_id`).
 */
export function anonymous(key: string, value: string): string {
  return createHmac("sha256", key).update(`user\n${value}`).digest("hex");
}
