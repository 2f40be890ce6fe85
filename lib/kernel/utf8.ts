import { isAscii, isUtf8, transcode } from "node:buffer";

/** Shorter texts take longer by way of another buffer. Units: bytes. */
const LONG_BYTES = 16 * 1024;
const BYTE_ORDER_MARK = Buffer.from("\uFEFF");

/** Bytes of a text without a byte order mark at its start. */
export function withoutByteOrderMark(bytes: Buffer): Buffer {
  const { length } = BYTE_ORDER_MARK;
  return BYTE_ORDER_MARK.equals(bytes.subarray(0, length)) ? bytes.subarray(length) : bytes;
}

/**
 * The text of UTF-8 bytes. For long texts ten times as fast as `Buffer.toString`, whose decoder takes one byte at a time.
 * Throws: TypeError for bytes that are no UTF-8. Source: docs/performance.md#s5.
 */
export function decodeUtf8(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString("latin1");
  if (!isUtf8(bytes)) throw new TypeError("the bytes are no UTF-8");
  if (bytes.length < LONG_BYTES) return bytes.toString("utf8");
  return transcode(bytes, "utf8", "ucs2").toString("utf16le");
}

/** The UTF-8 bytes of a well-formed text, as all JSON is that `printJson` writes. Source: docs/performance.md#s5. */
export function encodeUtf8(text: string): Buffer {
  if (text.length < LONG_BYTES) return Buffer.from(text);
  const bytes = Buffer.byteLength(text);
  if (bytes === text.length) return Buffer.from(text, "latin1");
  return transcode(Buffer.from(text, "utf16le"), "ucs2", "utf8");
}
