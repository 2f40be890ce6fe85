import { setTimeout as sleep } from "node:timers/promises";
import { type Arm, noLedger } from "./arms/arm";
import type { Speed } from "./calibration/speed";
import { startLoad } from "./load/start-load";
import type { LoadResult } from "./load/target";
import type { MockCounts } from "./mock/counters";
import type { MockUpstream } from "./mock-upstream";
import type { Payload } from "./payloads";
import {
  bytesRead,
  cpuMs,
  descendantsCpuMs,
  descendantsResidentBytes,
  mainThreadCpuMs,
  residentBytes,
} from "./process-usage";

/** Shared resources of all measurements of a run. */
export interface Rig {
  mock: MockUpstream;
  /** Temporary files. */
  directory: string;
  /** Processor time of the database; null when unknown. Units: milliseconds. */
  databaseCpuMs(): number | null;
}

/** Resources of measurements that are compared with each other. */
export interface CalibratedRig extends Rig {
  /** The present speed of the gateway's core, in steps of the calibration loop per millisecond. */
  speed(): Promise<number>;
}

/** What loads have done and cost. Units are in the names; `null`: there is nothing to measure. */
interface Spent extends Usage {
  /** Answered by the mock. */
  requests: number;
  activeMs: number;
}

/** Processor time of a process. Units: milliseconds. */
interface Usage {
  /** Of the gateway process alone. */
  cpuMs: number | null;
  mainThreadCpuMs: number | null;
  /** Of the processes that the gateway has started. */
  childrenCpuMs: number | null;
  databaseCpuMs: number | null;
  mockCpuMs: number;
}

/** What one load has done and cost, and how long its requests took. */
export interface Loaded extends Spent {
  p50Us: number;
  p99Us: number;
}

/** Loads at the same time: what they have done and cost together, and the measurements of each. */
interface Together {
  spent: Spent;
  results: LoadResult[];
}

/** One arm under one load in one round. */
export interface Sample extends Loaded {
  suite: string;
  payload: string;
  connections: number;
  arm: string;
  round: number;
  /** Of the gateway process alone. */
  residentBytes: number | null;
  childrenResidentBytes: number | null;
  speed: Speed;
}

/** Which cell of the plan is measured. */
export interface Cell {
  suite: string;
  payload: Payload;
  connections: number;
}

/** All responses have arrived when the load generator has read nothing for this long. */
const SILENCE_MS = 600;
const SILENT_WITHIN_MS = 20_000;
const LOOK_MS = 100;
const LAST_LINES = 5;
const RELEASE_TIMEOUT_MS = 3_000;

/** Loads an arm for some time, with the machine's speed before and after. Throws: as `load`. */
export async function measure(
  rig: CalibratedRig,
  arm: Arm,
  cell: Cell,
  round: number,
  ms: number,
): Promise<Sample> {
  const before = await rig.speed();
  const loaded = await load(rig, arm, cell, ms);
  return {
    suite: cell.suite,
    payload: cell.payload.name,
    connections: cell.connections,
    arm: arm.name,
    round,
    ...loaded,
    residentBytes: arm.pid === null ? null : residentBytes(arm.pid),
    childrenResidentBytes: arm.pid === null ? null : descendantsResidentBytes(arm.pid),
    speed: { before, after: await rig.speed() },
  };
}

/** Loads an arm for some time. Throws: as `loadTogether`. */
export async function load(rig: Rig, arm: Arm, cell: Cell, ms: number): Promise<Loaded> {
  const { spent, results } = await loadTogether(rig, arm, [cell], ms);
  const [{ p50Us, p99Us } = { p50Us: 0, p99Us: 0 }] = results;
  return { ...spent, p50Us, p99Us };
}

/**
 * Loads an arm for some time with several cells at once. At the end the mock holds new requests, so that no response is
 * lost between it and the load generators: its count is exactly the number of delivered responses. Throws: for a failed
 * request, and when the ledger of the arm differs from the mock's count.
 */
export async function loadTogether(
  rig: Rig,
  arm: Arm,
  cells: readonly Cell[],
  ms: number,
): Promise<Together> {
  const { mock } = rig;
  await mock.reset();
  const before = usage(rig, arm);
  const running = cells.flatMap(({ payload, connections }) => {
    const targets = arm.targets?.(payload) ?? [arm.target(payload)];
    const each = Math.ceil(connections / targets.length);
    return targets.map((target) => startLoad(target, each, rig.directory));
  });
  await sleep(ms);
  await mock.pause();
  for (const { pid } of running) await untilSilent(pid);
  const counts = await mock.counts();
  const results = await Promise.all(running.map((each) => each.finish()));
  await untilNoneHeld(mock);
  await mock.resume();
  const after = usage(rig, arm);
  const connections = cells.reduce((sum, cell) => sum + cell.connections, 0);
  const problems = [
    ...loadProblems(results, counts.completed, arm.verify === noLedger ? connections : 0),
    ...(await arm.verify(counts)),
  ];
  if (problems.length > 0) throw new Error(`${placeOf(arm, cells)}: ${problems.join("; ")}${lastWords(arm)}`);
  return { spent: spentBetween(before, after, counts), results };
}

function placeOf(arm: Arm, cells: readonly Cell[]): string {
  const places = cells.map(({ suite, payload, connections }) => `${suite} ${payload.name} at ${connections}`);
  return `${arm.name}, ${places.join(" and ")}`;
}

/** Under heavy load the last responses may still be in the gateway. */
async function untilSilent(pid: number): Promise<void> {
  const deadline = Date.now() + SILENT_WITHIN_MS;
  let read = bytesRead(pid);
  for (let silentMs = 0; silentMs < SILENCE_MS && Date.now() < deadline; silentMs += LOOK_MS) {
    await sleep(LOOK_MS);
    const now = bytesRead(pid);
    if (now !== read) silentMs = -LOOK_MS;
    read = now;
  }
}

/**
 * The load generator has disconnected, and a correct proxy aborts its upstream requests. Another one would retry them
 * when the held connections are closed.
 */
async function untilNoneHeld(mock: MockUpstream): Promise<void> {
  const deadline = Date.now() + RELEASE_TIMEOUT_MS;
  while ((await mock.counts()).held > 0 && Date.now() < deadline) await sleep(20);
}

function lastWords({ said }: Arm): string {
  const lines = said?.().trimEnd().split("\n").slice(-LAST_LINES) ?? [];
  return lines.length === 0 ? "" : `\nIts last lines:\n${lines.join("\n")}`;
}

function usage(rig: Rig, { pid }: Arm): Usage {
  return {
    cpuMs: pid === null ? null : cpuMs(pid),
    mainThreadCpuMs: pid === null ? null : mainThreadCpuMs(pid),
    childrenCpuMs: pid === null ? null : descendantsCpuMs(pid),
    databaseCpuMs: rig.databaseCpuMs(),
    mockCpuMs: cpuMs(rig.mock.pid),
  };
}

function spentBetween(before: Usage, after: Usage, counts: MockCounts): Spent {
  return {
    requests: counts.completed,
    activeMs: counts.activeMs,
    cpuMs: difference(after.cpuMs, before.cpuMs),
    mainThreadCpuMs: difference(after.mainThreadCpuMs, before.mainThreadCpuMs),
    childrenCpuMs: difference(after.childrenCpuMs, before.childrenCpuMs),
    databaseCpuMs: difference(after.databaseCpuMs, before.databaseCpuMs),
    mockCpuMs: after.mockCpuMs - before.mockCpuMs,
  };
}

/**
 * Every response of the mock reached a load generator and was valid. An arm without a ledger may still send its
 * last response on each connection.
 */
function loadProblems(results: readonly LoadResult[], completed: number, slack: number): string[] {
  const requests = results.reduce((sum, result) => sum + result.requests, 0);
  const failures = results.reduce((sum, result) => sum + result.failures, 0);
  const problems: string[] = [];
  if (completed === 0) problems.push("nothing was answered");
  if (failures > 0) problems.push(`${failures} requests failed`);
  if (Math.abs(requests - completed) > slack)
    problems.push(`the load generator has ${requests} answers, the mock gave ${completed}`);
  return problems;
}

function difference(after: number | null, before: number | null): number | null {
  return after === null || before === null ? null : after - before;
}
