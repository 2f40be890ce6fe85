import { type FileHandle, open } from "node:fs/promises";
import { overloaded } from "@/lib/kernel/errors";
import { failpoint } from "@/lib/kernel/failpoint";
import {
  type Checkpoint,
  decodeCheckpoint,
  decodeRecord,
  END_MARK,
  encodeCheckpoint,
  encodeRecord,
  HEADER_BYTES,
} from "./spool-format";

/** The file operations that a spool needs; tests inject faults here. */
export type SpoolHandle = Pick<FileHandle, "read" | "write" | "datasync" | "stat" | "close">;

/**
 * Size on disk, allocated in advance so that a full disk cannot stop a settlement. Source: docs/reliability.md#s2-7.
 */
export const SPOOL_BYTES = 64 * 1024 * 1024;

const CHUNK_BYTES = 1024 * 1024;

interface Append {
  payload: Buffer;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * A local file of records that survive a crash: an append is acknowledged after fdatasync, which many appends share.
 * After a failed write or sync the file refuses further records, because the content of the disk is unknown.
 */
export class SpoolFile {
  readonly #handle: SpoolHandle;
  readonly #sizeBytes: number;
  #checkpoint: Checkpoint;
  #offset: number;
  #sequence: bigint;
  #failure: Error | null = null;
  #waiting: Append[] = [];
  /** Serializes the writes of appends and checkpoints. */
  #last: Promise<void> = Promise.resolve();

  /** Why no record is accepted: a write or sync failed, or one did not fit and no replay has freed space since. */
  problem: "failed" | "full" | null = null;
  /** True when the file ended in an incomplete record; it was never acknowledged, or the disk is corrupt. */
  readonly torn: boolean;

  private constructor(handle: SpoolHandle, sizeBytes: number, found: FoundEnd) {
    this.#handle = handle;
    this.#sizeBytes = sizeBytes;
    this.#checkpoint = found.checkpoint;
    this.#offset = found.offset;
    this.#sequence = found.sequence;
    this.torn = found.torn;
  }

  /** Opens or creates a spool file of full size. Throws: the file system's error. */
  static async open(file: string, sizeBytes: number = SPOOL_BYTES): Promise<SpoolFile> {
    const handle = await open(file, "r+").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return open(file, "wx+", 0o600);
      throw error;
    });
    return SpoolFile.on(handle, sizeBytes);
  }

  /** Opens a spool file on an existing handle. */
  static async on(handle: SpoolHandle, sizeBytes: number): Promise<SpoolFile> {
    const bytes = await readAll(handle);
    await fill(handle, bytes.length, sizeBytes);
    const spool = new SpoolFile(handle, sizeBytes, findEnd(bytes));
    if (spool.torn) await writeFully(handle, END_MARK, spool.#offset);
    await spool.#write(spool.#checkpoint);
    return spool;
  }

  /** Records that have not been replayed. */
  get depth(): number {
    return Number(this.#sequence - this.#checkpoint.sequence);
  }

  /** Resolves when the record is on the disk. Throws: when the file is full, has failed or fails now. */
  append(payload: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.push({ payload, resolve, reject }) > 1) return;
      this.#last = this.#last.then(() => this.#writeGroup(this.#waiting.splice(0)));
    });
  }

  /** The oldest records that have not been replayed, at most `max`, and the checkpoint after them. */
  async read(max: number): Promise<{ payloads: Buffer[]; next: Checkpoint }> {
    const bytes = await readAll(this.#handle, this.#offset);
    const payloads: Buffer[] = [];
    let { offset, sequence } = this.#checkpoint;
    while (payloads.length < max && sequence < this.#sequence) {
      const record = decodeRecord(bytes, offset, sequence);
      if (typeof record === "string") throw new Error(`the spool lost its record ${sequence}`);
      payloads.push(record.payload);
      offset = record.nextOffset;
      sequence++;
    }
    return { payloads, next: { generation: this.#checkpoint.generation + 1n, offset, sequence } };
  }

  /**
   * Marks all records before a checkpoint as replayed; when none remain, the file is reused from its start.
   * Throws: the file system's error; then the same records are replayed again later.
   */
  advance(next: Checkpoint): Promise<void> {
    const done = this.#last.then(() => this.#advance(next));
    this.#last = done.catch(() => {});
    return done;
  }

  /** Waits for open appends and closes the file. */
  async close(): Promise<void> {
    await this.#last;
    await this.#handle.close();
  }

  async #advance(next: Checkpoint): Promise<void> {
    const empty = next.sequence === this.#sequence;
    const checkpoint = empty ? { ...next, offset: HEADER_BYTES } : next;
    if (empty) {
      await writeFully(this.#handle, END_MARK, HEADER_BYTES);
      await this.#handle.datasync();
    }
    await this.#write(checkpoint);
    this.#checkpoint = checkpoint;
    if (empty) {
      this.#offset = HEADER_BYTES;
      if (this.problem === "full") this.problem = null;
    }
  }

  async #writeGroup(group: Append[]): Promise<void> {
    const fitting: Append[] = [];
    const records: Buffer[] = [];
    let offset = this.#offset;
    for (const append of group) {
      const record = encodeRecord(this.#sequence + BigInt(fitting.length), append.payload);
      if (this.#failure) append.reject(this.#failure);
      else if (offset + record.length + END_MARK.length > this.#sizeBytes) {
        this.problem = "full";
        append.reject(overloaded("spool-full", "The spool of settlements is full; nothing was billed."));
      } else {
        fitting.push(append);
        records.push(record);
        offset += record.length;
      }
    }
    if (fitting.length === 0) return;
    try {
      await writeFully(this.#handle, Buffer.concat([...records, END_MARK]), this.#offset);
      failpoint?.("spool-written");
      await this.#handle.datasync();
      failpoint?.("spool-synced");
    } catch (error) {
      this.#failure = new Error("the spool cannot be written", { cause: error });
      this.problem = "failed";
      for (const append of fitting) append.reject(this.#failure);
      return;
    }
    this.#offset = offset;
    this.#sequence += BigInt(fitting.length);
    for (const append of fitting) append.resolve();
  }

  async #write(checkpoint: Checkpoint): Promise<void> {
    const { position, bytes } = encodeCheckpoint(checkpoint);
    await writeFully(this.#handle, bytes, position);
    await this.#handle.datasync();
  }
}

/**
 * Counts the records of a spool file that wait for the database, without changing the file. Throws: the file system's
 * error.
 */
export async function countWaiting(file: string): Promise<number> {
  const handle = await open(file, "r");
  try {
    const { checkpoint, sequence } = findEnd(await readAll(handle));
    return Number(sequence - checkpoint.sequence);
  } finally {
    await handle.close();
  }
}

interface FoundEnd {
  checkpoint: Checkpoint;
  offset: number;
  sequence: bigint;
  torn: boolean;
}

function findEnd(bytes: Buffer): FoundEnd {
  const found = decodeCheckpoint(bytes.subarray(0, HEADER_BYTES));
  const checkpoint = found
    ? { ...found, generation: found.generation + 1n }
    : { generation: 1n, offset: HEADER_BYTES, sequence: 1n };
  let { offset, sequence } = checkpoint;
  for (;;) {
    const record = decodeRecord(bytes, offset, sequence);
    if (typeof record === "string") return { checkpoint, offset, sequence, torn: record === "torn" };
    offset = record.nextOffset;
    sequence++;
  }
}

async function readAll(handle: SpoolHandle, upTo = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const { size } = await handle.stat();
  const bytes = Buffer.alloc(Math.min(size, upTo));
  let done = 0;
  while (done < bytes.length) {
    const { bytesRead } = await handle.read(bytes, done, bytes.length - done, done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}

async function fill(handle: SpoolHandle, from: number, to: number): Promise<void> {
  if (from >= to) return;
  const zeros = Buffer.alloc(CHUNK_BYTES);
  for (let position = from; position < to; position += CHUNK_BYTES) {
    await writeFully(handle, zeros.subarray(0, Math.min(CHUNK_BYTES, to - position)), position);
  }
  await handle.datasync();
}

async function writeFully(handle: SpoolHandle, bytes: Buffer, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}
