import { readdirSync, readFileSync } from "node:fs";

const TICKS_PER_SECOND = 100;
const MS_PER_TICK = 1_000 / TICKS_PER_SECOND;
const KIB = 1_024;

/** Processor time a process and its living descendants have used. Units: milliseconds, in steps of 10. */
export function cpuMs(pid: number): number {
  return withDescendants(pid).reduce((sum, each) => sum + ownCpuMs(each), 0);
}

/** The same for the main thread alone. Units: milliseconds. */
export function mainThreadCpuMs(pid: number): number {
  return ticksOf(`/proc/${pid}/task/${pid}/stat`) * MS_PER_TICK;
}

/** Resident memory of a process and its living descendants. Units: bytes. */
export function residentBytes(pid: number): number {
  return withDescendants(pid).reduce((sum, each) => sum + ownResidentBytes(each), 0);
}

/** Bytes that a process has read from files and sockets; 0 when unknown. */
export function bytesRead(pid: number): number {
  return Number(/^rchar: (\d+)/m.exec(textOf(`/proc/${pid}/io`))?.[1] ?? 0);
}

function ownCpuMs(pid: number): number {
  return ticksOf(`/proc/${pid}/stat`) * MS_PER_TICK;
}

/** User and system time; the fields after the name, which may contain anything. */
function ticksOf(file: string): number {
  const fields = fieldsOf(file);
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
}

function fieldsOf(file: string): string[] {
  const text = textOf(file);
  return text.slice(text.lastIndexOf(")") + 2).split(" ");
}

function ownResidentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0) * KIB;
}

function withDescendants(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const parent = Number(fieldsOf(`/proc/${name}/stat`)[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const found: number[] = [];
  const waiting = [pid];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    found.push(next);
    waiting.push(...(children.get(next) ?? []));
  }
  return found;
}

/** A process that ends during the measurement counts as 0. */
function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
