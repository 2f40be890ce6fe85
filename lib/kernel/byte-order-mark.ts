const BYTE_ORDER_MARK = Buffer.from("\uFEFF");

/** Bytes of a text without a byte order mark at its start. */
export function withoutByteOrderMark(bytes: Buffer): Buffer {
  const { length } = BYTE_ORDER_MARK;
  return BYTE_ORDER_MARK.equals(bytes.subarray(0, length)) ? bytes.subarray(length) : bytes;
}
