const MADE_LENGTH = 20;
// Without letters that look alike; 32 of them, so that each value of five bits is one.
const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";

/** A first password for an account. */
export function madePassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(MADE_LENGTH));
  return Array.from(bytes, (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join("");
}
