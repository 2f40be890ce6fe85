import { fork } from "node:child_process";
import path from "node:path";
import { endWithRun } from "../child";
import { pinProcess } from "../pinning";
import type { Load, LoadResult, Target } from "./target";
import { startWrk, wrkVersion } from "./wrk";

const hasWrk = wrkVersion() !== null;

/** Which load generator is used, for reports. */
export const loadGenerator: string = hasWrk
  ? `wrk ${wrkVersion()}`
  : "autocannon (latencies in whole milliseconds)";

/** Starts the load generator of this machine: wrk where it is installed, else autocannon. */
export function startLoad(target: Target, connections: number, directory: string): Load {
  return hasWrk ? startWrk(target, connections, directory) : startAutocannon(target, connections);
}

function startAutocannon(target: Target, connections: number): Load {
  const child = fork(path.resolve("bench/load/autocannon.mjs"));
  if (child.pid !== undefined) pinProcess("others", child.pid);
  endWithRun(child);
  child.send({ target, connections });
  return {
    pid: child.pid ?? 0,
    finish: () =>
      new Promise<LoadResult>((resolve, reject) => {
        child.once("message", (result) => resolve(result as LoadResult)); // what autocannon.mjs sends
        child.once("exit", (code) => reject(new Error(`autocannon ended with ${code}`)));
        child.send("stop");
      }),
  };
}
