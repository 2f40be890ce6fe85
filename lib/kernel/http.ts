import { randomFillSync } from "node:crypto";
import { GatewayError } from "./errors";

/** Refuses a body that is not declared as JSON. Throws: UNSUPPORTED_MEDIA_TYPE. */
export function requireJsonType(contentType: string | null | undefined): void {
  const type = contentType?.split(";", 1)[0]?.trim().toLowerCase();
  if (type === "application/json") return;
  throw new GatewayError("UNSUPPORTED_MEDIA_TYPE", "Content-Type must be application/json.");
}

/** The bearer token of an `Authorization` header; null when there is none. */
export function bearerToken(authorization: string | null | undefined): string | null {
  return /^bearer\s+(\S.*)$/i.exec(authorization?.trim() ?? "")?.[1] ?? null;
}

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
