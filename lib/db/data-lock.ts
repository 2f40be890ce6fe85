import { randomUUID } from "node:crypto";
import {
  linkSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseJson } from "@/lib/kernel/parse-json";

const HEARTBEAT_MS = 3_000;
const FOREIGN_WAIT_MS = 10_000;

/** The process that holds a data directory. A reused pid has another start time; a reboot changes the boot id. */
interface Holder {
  pid: number;
  /** Clock ticks since boot, from `/proc/PID/stat`; null where there is no such file. */
  startTime: string | null;
  bootId: string | null;
  /** Process ids are unique only within a PID namespace (container). */
  pidNamespace: string | null;
}

/** Another process has the data directory open. */
export class DataDirectoryBusyError extends Error {
  readonly pid: number;

  constructor(file: string, pid: number) {
    super(
      `the data directory is in use by process ${pid} (lock file ${file}): two processes cannot open one embedded ` +
        "database; stop the first, or set DATA_DIR or DATABASE_URL",
    );
    this.name = "DataDirectoryBusyError";
    this.pid = pid;
  }
}

/** A held lock. */
export interface DataLock {
  release(): void;
}

/**
 * Acquires a lock file, replacing that of a crashed process.
 * Throws: DataDirectoryBusyError naming the process that holds it. Source: docs/contract.md#s9.
 */
export async function lockDataDirectory(file: string): Promise<DataLock> {
  const content = JSON.stringify(thisProcess());
  for (;;) {
    if (tryCreate(file, content)) return heldLock(file, content);
    const text = readIfExists(file);
    if (text === null) continue;
    const holder = parseHolder(text);
    if (holder && (await isAlive(file, holder))) throw new DataDirectoryBusyError(file, holder.pid);
    removeStale(file, text);
  }
}

function tryCreate(file: string, content: string): boolean {
  const temporary = `${file}.${randomUUID()}`;
  writeFileSync(temporary, content, { mode: 0o600 });
  try {
    linkSync(temporary, file);
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    throw error;
  } finally {
    unlinkSync(temporary);
  }
}

/** Removes a stale lock; restores the file when another process has replaced it in the meantime. */
function removeStale(file: string, stale: string): void {
  const movedFile = `${file}.${randomUUID()}`;
  try {
    renameSync(file, movedFile);
  } catch (error) {
    if (isCode(error, "ENOENT")) return;
    throw error;
  }
  if (readIfExists(movedFile) !== stale) linkSync(movedFile, file);
  unlinkSync(movedFile);
}

function heldLock(file: string, content: string): DataLock {
  const heartbeat = setInterval(() => {
    const now = new Date();
    if (readIfExists(file) === content) utimesSync(file, now, now);
  }, HEARTBEAT_MS);
  heartbeat.unref();
  const release = () => {
    clearInterval(heartbeat);
    process.off("exit", release);
    if (readIfExists(file) === content) unlinkSync(file);
  };
  // A start that fails later ends the process without closing the database.
  process.once("exit", release);
  return { release };
}

async function isAlive(file: string, holder: Holder): Promise<boolean> {
  const self = thisProcess();
  if (holder.bootId !== self.bootId) return false;
  if (holder.pidNamespace !== self.pidNamespace) return hasHeartbeat(file);
  if (holder.startTime !== null) return startTimeOf(holder.pid) === holder.startTime;
  try {
    process.kill(holder.pid, 0);
    return true;
  } catch (error) {
    return isCode(error, "EPERM");
  }
}

/** A process of another container cannot be looked up; it touches its lock file as a heartbeat. */
async function hasHeartbeat(file: string): Promise<boolean> {
  const before = modifiedAt(file);
  for (let waited = 0; waited < FOREIGN_WAIT_MS; waited += 500) {
    await sleep(500);
    if (modifiedAt(file) !== before) return true;
  }
  return false;
}

function thisProcess(): Holder {
  return {
    pid: process.pid,
    startTime: startTimeOf(process.pid),
    bootId: readIfExists("/proc/sys/kernel/random/boot_id")?.trim() ?? null,
    pidNamespace: readLinkIfExists("/proc/self/ns/pid"),
  };
}

/** Field 22 of `/proc/PID/stat`; the command name before it may contain spaces and brackets. */
function startTimeOf(pid: number): string | null {
  const stat = readIfExists(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
}

function parseHolder(text: string): Holder | null {
  const value = parseJson(text) as Partial<Holder> | null | undefined; // written by another process of this program
  if (typeof value?.pid !== "number") return null; // an incomplete file after a crash
  const { pid, startTime = null, bootId = null, pidNamespace = null } = value;
  return { pid, startTime, bootId, pidNamespace };
}

function modifiedAt(file: string): number | null {
  return nullIfMissing(() => statSync(file).mtimeMs);
}

function readIfExists(file: string): string | null {
  return nullIfMissing(() => readFileSync(file, "utf8"));
}

function readLinkIfExists(file: string): string | null {
  return nullIfMissing(() => readlinkSync(file));
}

function nullIfMissing<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (isCode(error, "ENOENT") || isCode(error, "ESRCH")) return null;
    throw error;
  }
}

function isCode(error: unknown, code: string): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === code;
}
