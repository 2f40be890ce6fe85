import { createHash, createHmac } from "node:crypto";

const base32Alphabet = "abcdefghijklmnopqrstuvwxyz234567";

/** Lower-case hex SHA-256. */
export function sha256Hex(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** SHA-256 as lower-case base32 without padding, cut to `length` characters (at most 51). */
export function sha256Base32(text: string, length: number): string {
  let out = "";
  let buffer = 0;
  let bits = 0;
  for (const byte of createHash("sha256").update(text).digest()) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      out += base32Alphabet.charAt((buffer >> bits) & 31);
    }
    buffer &= (1 << bits) - 1;
  }
  return out.slice(0, length);
}

/** HMAC-SHA-256 as base64url; `purpose` separates the uses of one key. */
export function keyedHash(key: string, purpose: string, text: string): string {
  return createHmac("sha256", key).update(`${purpose}\n${text}`).digest("base64url");
}

/**
 * The pseudonym of a client's user id that upstreams receive: 64 hex characters, stable, without personal data.
 * Source: docs/protocols.md#s4-1 (`user`), #s5-1 (`metadata.user_id`).
 */
export function pseudonymize(key: string, value: string): string {
  return createHmac("sha256", key).update(`user\n${value}`).digest("hex");
}
