import { randomFillSync } from "node:crypto";

const ID_BYTES = 10;

const pool = Buffer.allocUnsafe(ID_BYTES * 512);

/** The pool as text: one conversion for many ids. */
let digits = "";

let offset = 0;

/** The time of the newest id, and the text that ids of that time begin with. */
let time = { ms: Number.NaN, text: "" };

/** A new UUIDv7: 48 bits of Unix milliseconds, then random. Source: docs/reliability.md#d4. */
export function newRequestId(nowMs: number = Date.now()): string {
  if (offset >= digits.length) {
    digits = randomFillSync(pool).toString("hex");
    offset = 0;
  }
  if (nowMs !== time.ms) time = { ms: nowMs, text: timeText(nowMs) };
  const random = digits.slice(offset, offset + 2 * ID_BYTES);
  offset += 2 * ID_BYTES;
  const variant = ((Number.parseInt(random.charAt(3), 16) & 0x3) | 0x8).toString(16);
  return `${time.text}-7${random.slice(0, 3)}-${variant}${random.slice(4, 7)}-${random.slice(7, 19)}`;
}

function timeText(ms: number): string {
  const hex = ms.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}
