import { randomFillSync } from "node:crypto";

const POOL_BYTES = 10 * 512;
const pool = Buffer.allocUnsafe(POOL_BYTES);
let offset = POOL_BYTES;

/** A new UUIDv7: 48 bits of Unix milliseconds, then random. Source: docs/reliability.md#d4. */
export function newRequestId(nowMs: number = Date.now()): string {
  if (offset >= POOL_BYTES) {
    randomFillSync(pool);
    offset = 0;
  }
  const time = nowMs.toString(16).padStart(12, "0");
  const random = pool.toString("hex", offset, offset + 10);
  offset += 10;
  const variant = ((Number.parseInt(random.charAt(3), 16) & 0x3) | 0x8).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-${variant}${random.slice(4, 7)}-${random.slice(7, 19)}`;
}

/** True for the text form of a UUID. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
}
