import { spawnSync } from "node:child_process";
import { closeSync, fdatasyncSync, openSync, unlinkSync, writeSync } from "node:fs";
import { cpus, loadavg, release, totalmem, type } from "node:os";
import path from "node:path";
import { loadGenerator } from "./load/start-load";
import { isPinned } from "./pinning";
import { quantile } from "./statistics";

/** The machine of the measurements. */
export interface Machine {
  processor: string;
  cores: number;
  memoryGib: number;
  system: string;
  node: string;
  postgres: string;
  load: string;
  loadAverageAtStart: number;
  pinned: boolean;
  commit: string;
  /** The time of the disk to sync one database page, p50. */
  syncUs: number;
}

const PAGE_BYTES = 8_192;
const SYNCS = 200;

/** Describes this machine; measures the disk in a directory. */
export function describeMachine(directory: string): Machine {
  const [first] = cpus();
  return {
    processor: first?.model ?? "unknown",
    cores: cpus().length,
    memoryGib: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.version,
    postgres: versionOf("psql", ["--version"]),
    load: loadGenerator,
    loadAverageAtStart: loadavg()[0] ?? 0,
    pinned: isPinned(),
    commit: versionOf("git", ["rev-parse", "--short", "HEAD"]),
    syncUs: syncUs(directory),
  };
}

function syncUs(directory: string): number {
  const file = path.join(directory, "sync");
  const handle = openSync(file, "w");
  const page = Buffer.alloc(PAGE_BYTES, 1);
  const times = Array.from({ length: SYNCS }, () => {
    writeSync(handle, page);
    const began = performance.now();
    fdatasyncSync(handle);
    return (performance.now() - began) * 1_000;
  });
  closeSync(handle);
  unlinkSync(file);
  return quantile(times, 0.5);
}

function versionOf(command: string, args: string[]): string {
  const found = spawnSync(command, args, { encoding: "utf8" });
  return found.error ? "unknown" : found.stdout.trim();
}
