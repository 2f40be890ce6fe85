import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { failpoint } from "@/lib/kernel/failpoint";
import { DataDirectoryBusyError, type DataLock, lockDataDirectory } from "../db/data-lock";
import type { Settlement } from "./settlement";
import { SPOOL_BYTES, SpoolFile } from "./spool-file";

const MAX_FILES = 64;
const REPLAY_RECORDS = 200;

/** The result of replaying one group; "stop": the database cannot accept it now. */
export type ReplayVerdict = "applied" | "stop";

interface Slot {
  file: SpoolFile;
  lock: DataLock;
}

/**
 * Stores settlements that the database did not accept in time on the local disk until it does. Each process has its own
 * file; it also replays the files of crashed processes in the same directory.
 * Source: docs/reliability.md#s2-7.
 */
export class Spool {
  readonly #own: Slot;
  #orphans: Slot[];

  /** Why the spool cannot accept settlements: a write failed, or a record did not fit. */
  readonly state: Pick<SpoolFile, "problem">;
  /** Files whose last record was incomplete when they were opened. */
  readonly tornFiles: number;

  private constructor(own: Slot, orphans: Slot[]) {
    this.#own = own;
    this.state = own.file;
    this.#orphans = orphans;
    this.tornFiles = [own, ...orphans].filter((slot) => slot.file.torn).length;
  }

  /** Opens the directory's spool. Throws: the file system's error when the directory cannot be written. */
  static async open(directory: string, sizeBytes: number = SPOOL_BYTES): Promise<Spool> {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const orphans: Slot[] = [];
    let own: Slot | null = null;
    for (let number = 0; number < MAX_FILES; number++) {
      const file = path.join(directory, `spool-${number}.bin`);
      if (own && !existsSync(file)) continue;
      const slot = await openSlot(file, sizeBytes);
      if (slot && own) orphans.push(slot);
      else if (slot) own = slot;
    }
    if (!own) throw new Error(`all ${MAX_FILES} spool files in ${directory} are in use`);
    return new Spool(own, orphans);
  }

  /** Settlements that wait for the database. */
  get depth(): number {
    return [this.#own, ...this.#orphans].reduce((sum, slot) => sum + slot.file.depth, 0);
  }

  /** Stores a settlement durably. Throws: when the spool is full or cannot be written. */
  append(settlement: Settlement): Promise<void> {
    return this.#own.file.append(Buffer.from(encodeSettlement(settlement)));
  }

  /**
   * Passes the waiting settlements to `apply` in groups, oldest first, until none remain or it returns "stop". Returns
   * true when none remain. A group may be passed again after a crash, so applying must be idempotent.
   */
  async replay(apply: (settlements: Settlement[]) => Promise<ReplayVerdict>): Promise<boolean> {
    for (const slot of [...this.#orphans, this.#own]) {
      while (slot.file.depth > 0) {
        const { payloads, next } = await slot.file.read(REPLAY_RECORDS);
        if ((await apply(payloads.map(decode))) === "stop") return false;
        failpoint?.("spool-replayed");
        await slot.file.advance(next);
      }
      if (slot !== this.#own) await this.#closeOrphan(slot);
    }
    return true;
  }

  /** Closes all files; waiting settlements remain on the disk for the next start. */
  async close(): Promise<void> {
    for (const slot of [this.#own, ...this.#orphans]) await closeSlot(slot);
  }

  async #closeOrphan(orphan: Slot): Promise<void> {
    this.#orphans = this.#orphans.filter((slot) => slot !== orphan);
    await closeSlot(orphan);
  }
}

async function openSlot(file: string, sizeBytes: number): Promise<Slot | null> {
  let lock: DataLock;
  try {
    lock = await lockDataDirectory(`${file}.lock`);
  } catch (error) {
    if (error instanceof DataDirectoryBusyError) return null;
    throw error;
  }
  try {
    return { file: await SpoolFile.open(file, sizeBytes), lock };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function closeSlot(slot: Slot): Promise<void> {
  await slot.file.close();
  slot.lock.release();
}

/** A settlement as JSON text, money as decimal strings. */
export function encodeSettlement(settlement: Settlement): string {
  return JSON.stringify(settlement, (_name, value) => (typeof value === "bigint" ? value.toString() : value));
}

/** The checksum guarantees that this is what `encodeSettlement` wrote. */
function decode(payload: Buffer): Settlement {
  const stored = JSON.parse(payload.toString("utf8"));
  return {
    operation: "generate", // the previous version had no other operation and stored none
    ...stored,
    costMicroCents: BigInt(stored.costMicroCents),
    wouldHaveCostMicroCents:
      stored.wouldHaveCostMicroCents === null ? null : BigInt(stored.wouldHaveCostMicroCents),
    cacheSavingMicroCents: stored.cacheSavingMicroCents == null ? null : BigInt(stored.cacheSavingMicroCents),
    pricedAs: stored.pricedAs ?? null,
    nodeCostMicroCents: stored.nodeCostMicroCents == null ? null : BigInt(stored.nodeCostMicroCents),
    heldMicroCents: BigInt(stored.heldMicroCents),
    createdAt: new Date(stored.createdAt),
  };
}
