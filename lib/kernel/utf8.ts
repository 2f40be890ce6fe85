import { transcode } from "node:buffer";

/** Shorter texts take longer by way of another buffer. Units: bytes. */
const LONG_BYTES = 16 * 1024;
const BYTE_ORDER_MARK = Buffer.from("\uFEFF");

/** Bytes of a text without a byte order mark at its start. */
export function withoutByteOrderMark(bytes: Buffer): Buffer {
  const { length } = BYTE_ORDER_MARK;
  return BYTE_ORDER_MARK.equals(bytes.subarray(0, length)) ? bytes.subarray(length) : bytes;
}

/**
 * The UTF-8 bytes of a well-formed text, as all JSON is that `printJson` writes: for long texts in half the time of
 * `Buffer.from`. Source: docs/performance.md#s5.
 */
export function encodeUtf8(text: string): Buffer {
  if (text.length < LONG_BYTES) return Buffer.from(text);
  const bytes = Buffer.byteLength(text);
  if (bytes === text.length) return Buffer.from(text, "latin1");
  return transcode(Buffer.from(text, "utf16le"), "ucs2", "utf8");
}
