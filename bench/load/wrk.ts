import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import path from "node:path";
import { endWithRun } from "../child";
import { pinned } from "../pinning";
import type { Load, LoadResult, PacedResult, Target } from "./target";
import { writeWrkScript } from "./wrk-script";

const LONGEST_S = 3_600;

/** The version of wrk on this machine, or null. */
export function wrkVersion(): string | null {
  const found = spawnSync("wrk", ["-v"], { encoding: "utf8" });
  return found.error ? null : (/wrk (\S+)/.exec(found.stdout + found.stderr)?.[1] ?? "unknown");
}

/** Starts wrk with one thread and several connections, each of which sends the next request after each response. */
export function startWrk(target: Target, connections: number, directory: string): Load<LoadResult> {
  return runWrk(target, connections, directory, reportAtEnd);
}

/**
 * Starts wrk with a pause before every request of each connection: a fixed request rate as long as responses take much less time than the pause. Units: milliseconds.
 */
export function startPacedWrk(
  target: Target,
  connections: number,
  pauseMs: number,
  directory: string,
): Load<PacedResult> {
  return runWrk(target, connections, directory, pausing(pauseMs));
}

function runWrk<Result>(
  target: Target,
  connections: number,
  directory: string,
  behaviour: string,
): Load<Result> {
  const script = writeWrkScript(target, mkdtempSync(path.join(directory, "wrk-")), behaviour);
  const flags = ["-t1", `-c${connections}`, `-d${LONGEST_S}s`, "--timeout", "60s", "-s", script, target.url];
  const [command, args] = pinned("others", "wrk", flags);
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  endWithRun(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (bytes) => {
      output += bytes;
    });
  }
  return { pid: child.pid ?? 0, finish: () => finish(child, () => output) };
}

/** SIGINT makes wrk end early and report. */
async function finish<Result>(child: ChildProcess, output: () => string): Promise<Result> {
  if (child.exitCode !== null) throw new Error(`wrk ended by itself:\n${output()}`);
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  child.kill("SIGINT");
  await closed;
  const found = /^RESULT (\{.*\})$/m.exec(output())?.[1];
  if (found === undefined) throw new Error(`wrk gave no result:\n${output()}`);
  return JSON.parse(found);
}

const reportAtEnd = `
function done(summary, latency, requests)
  local e = summary.errors
  io.write(string.format('RESULT {"requests":%d,"p50Us":%d,"p99Us":%d,"maxUs":%d,"failures":%d}\\n',
    summary.requests, latency:percentile(50), latency:percentile(99), latency.max,
    e.connect + e.read + e.write + e.status + e.timeout))
end
`;

/** Pauses are random, so that connections do not synchronise. */
function pausing(pauseMs: number): string {
  return `
local threads = {}
function setup(thread)
  table.insert(threads, thread)
end
served, refused, unhinted, others = 0, 0, 0, 0
function delay()
  return math.random(0, ${Math.round(2 * pauseMs)})
end
function response(status, headers)
  if status == 200 then served = served + 1
  elseif status == 503 then
    refused = refused + 1
    if not tonumber(headers["retry-after"]) then unhinted = unhinted + 1 end
  else others = others + 1 end
end
function done(summary, latency)
  local e = summary.errors
  local thread = threads[1]
  io.write(string.format('RESULT {"served":%d,"refused":%d,"unhinted":%d,"others":%d,"broken":%d,"p50Us":%d,"p99Us":%d}\\n',
    thread:get("served"), thread:get("refused"), thread:get("unhinted"), thread:get("others"),
    e.connect + e.read + e.write + e.timeout, latency:percentile(50), latency:percentile(99)))
end
`;
}
