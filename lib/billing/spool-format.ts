/** Bytes at the start of a spool file: two header slots, written alternately so that a torn write leaves the other. */
export const HEADER_BYTES = 1024;
const SLOT_BYTES = 512;
const MAGIC = 0x544f4c4c;
const FRAME_BYTES = 16;

/** The position of the first record of a spool file that has not been replayed. */
export interface Checkpoint {
  /** Grows with every written header; the larger one is valid. */
  generation: bigint;
  offset: number;
  sequence: bigint;
}

/** One record and the offset of the next one. */
export interface ScannedRecord {
  payload: Buffer;
  sequence: bigint;
  nextOffset: number;
}

/** The position of a checkpoint in the file, and its bytes. */
export function encodeCheckpoint(checkpoint: Checkpoint): { position: number; bytes: Buffer } {
  const bytes = Buffer.alloc(SLOT_BYTES);
  bytes.writeUInt32LE(MAGIC, 0);
  bytes.writeBigUInt64LE(checkpoint.generation, 8);
  bytes.writeBigUInt64LE(BigInt(checkpoint.offset), 16);
  bytes.writeBigUInt64LE(checkpoint.sequence, 24);
  bytes.writeUInt32LE(crc32c(bytes.subarray(0, 32)), 32);
  return { position: checkpoint.generation % 2n === 0n ? 0 : SLOT_BYTES, bytes };
}

/** The newest intact checkpoint of a header; null when neither slot is intact. */
export function decodeCheckpoint(header: Buffer): Checkpoint | null {
  const slots = [0, SLOT_BYTES].flatMap((position) => {
    const slot = header.subarray(position, position + SLOT_BYTES);
    if (slot.length < SLOT_BYTES || slot.readUInt32LE(0) !== MAGIC) return [];
    if (slot.readUInt32LE(32) !== crc32c(slot.subarray(0, 32))) return [];
    return [
      {
        generation: slot.readBigUInt64LE(8),
        offset: Number(slot.readBigUInt64LE(16)),
        sequence: slot.readBigUInt64LE(24),
      },
    ];
  });
  return slots.sort((a, b) => (a.generation < b.generation ? 1 : -1))[0] ?? null;
}

/**
 * Encodes a record: length, CRC-32C of sequence and payload, sequence, payload. The sequence distinguishes a new record
 * from an older one at the same offset.
 */
export function encodeRecord(sequence: bigint, payload: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(FRAME_BYTES + payload.length);
  bytes.writeUInt32LE(payload.length, 0);
  bytes.writeBigUInt64LE(sequence, 8);
  payload.copy(bytes, FRAME_BYTES);
  bytes.writeUInt32LE(crc32c(bytes.subarray(8)), 4);
  return bytes;
}

/** Follows the last record, to distinguish the end from older records behind it. */
export const END_MARK: Buffer = Buffer.alloc(FRAME_BYTES);

/**
 * The record at an offset of a spool's bytes. "end": no record begins here; "torn": the record is incomplete.
 */
export function decodeRecord(
  bytes: Buffer,
  offset: number,
  sequence: bigint,
): ScannedRecord | "end" | "torn" {
  if (offset + FRAME_BYTES > bytes.length) return "end";
  const length = bytes.readUInt32LE(offset);
  const end = offset + FRAME_BYTES + length;
  const whole =
    end <= bytes.length &&
    bytes.readBigUInt64LE(offset + 8) === sequence &&
    bytes.readUInt32LE(offset + 4) === crc32c(bytes.subarray(offset + 8, end));
  if (whole) return { payload: bytes.subarray(offset + FRAME_BYTES, end), sequence, nextOffset: end };
  return bytes.subarray(offset, offset + FRAME_BYTES).equals(END_MARK) ? "end" : "torn";
}

const table = new Int32Array(256).map((_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
  return value;
});

/** CRC-32C (Castagnoli) of some bytes. */
export function crc32c(bytes: Uint8Array): number {
  let crc = -1;
  for (const byte of bytes) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 255] ?? 0);
  return ~crc >>> 0;
}
