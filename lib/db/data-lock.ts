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

const HEARTBEAT_MS = 3_000;
const FOREIGN_WAIT_MS = 10_000;

/** Who holds a data directory. A reused pid has another start time; a restart of the machine has another boot id. */
interface Holder {
  pid: number;
  /** Clock ticks since boot, from `/proc/PID/stat`; null where there is no such file. */
  startTime: string | null;
  bootId: string | null;
  /** Process numbers mean something only inside one of these (containers). */
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
 * Takes a lock file, also one that a crashed process left behind.
 * Throws: DataDirectoryBusyError naming the process that holds it. Source: docs/contract.md#s9.
 */
export async function lockDataDirectory(file: string): Promise<DataLock> {
  const mine = JSON.stringify(thisProcess());
  for (;;) {
    if (claim(file, mine)) return hold(file, mine);
    const text = readIfThere(file);
    if (text === null) continue;
    const holder = parseHolder(text);
    if (holder && (await isAlive(file, holder))) throw new DataDirectoryBusyError(file, holder.pid);
    takeAway(file, text);
  }
}

function claim(file: string, content: string): boolean {
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, content, { mode: 0o600 });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    throw error;
  } finally {
    unlinkSync(draft);
  }
}

/** Removes a stale lock; puts it back when, in between, somebody else had already replaced it. */
function takeAway(file: string, stale: string): void {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (isCode(error, "ENOENT")) return;
    throw error;
  }
  if (readIfThere(aside) !== stale) linkSync(aside, file);
  unlinkSync(aside);
}

function hold(file: string, mine: string): DataLock {
  const beat = setInterval(() => {
    const now = new Date();
    if (readIfThere(file) === mine) utimesSync(file, now, now);
  }, HEARTBEAT_MS);
  beat.unref();
  return {
    release() {
      clearInterval(beat);
      if (readIfThere(file) === mine) unlinkSync(file);
    },
  };
}

async function isAlive(file: string, holder: Holder): Promise<boolean> {
  const me = thisProcess();
  if (holder.bootId !== me.bootId) return false;
  if (holder.pidNamespace !== me.pidNamespace) return isTouched(file);
  if (holder.startTime !== null) return startTimeOf(holder.pid) === holder.startTime;
  try {
    process.kill(holder.pid, 0);
    return true;
  } catch (error) {
    return isCode(error, "EPERM");
  }
}

/** A process of another container cannot be looked up; it shows that it lives by touching its lock file. */
async function isTouched(file: string): Promise<boolean> {
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
    bootId: readIfThere("/proc/sys/kernel/random/boot_id")?.trim() ?? null,
    pidNamespace: linkIfThere("/proc/self/ns/pid"),
  };
}

/** Field 22 of `/proc/PID/stat`; the command name before it may hold blanks and brackets. */
function startTimeOf(pid: number): string | null {
  const stat = readIfThere(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
}

function parseHolder(text: string): Holder | null {
  try {
    const value: Partial<Holder> | null = JSON.parse(text);
    if (typeof value?.pid !== "number") return null;
    const { pid, startTime = null, bootId = null, pidNamespace = null } = value;
    return { pid, startTime, bootId, pidNamespace };
  } catch {
    // A crash while writing leaves half a file: nobody holds it.
    return null;
  }
}

function modifiedAt(file: string): number | null {
  return ifThere(() => statSync(file).mtimeMs);
}

function readIfThere(file: string): string | null {
  return ifThere(() => readFileSync(file, "utf8"));
}

function linkIfThere(file: string): string | null {
  return ifThere(() => readlinkSync(file));
}

function ifThere<T>(read: () => T): T | null {
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
