import { fork } from "node:child_process";
import path from "node:path";
import { endWithRun } from "../child";
import { pinProcess } from "../pinning";
import type { Target } from "./target";

/** The parameters of the stream reader. */
export interface StreamOrder {
  /** At one address; a reader asks for one after the other. */
  targets: readonly Target[];
  /** Readers, each with one stream at once. */
  streams: number;
  /** How often each reader asks for all targets. */
  turns: number;
  /** So many are read before it begins, for the reader's own JIT compiler. */
  warmUp: number;
  /** The starts of the readers are spread over this time. */
  spreadMs: number;
}

/** The measurements. Units: microseconds. */
export interface StreamResult {
  completed: number;
  failed: number;
  /** How the first failed one ended. */
  failure: string;
  chunks: number;
  /** From request to first delta. */
  ttftP50Us: number;
  ttftP99Us: number;
  /** From the mock's sending of a delta to its arrival. */
  delayP50Us: number;
  delayP99Us: number;
  /** Of all readers. */
  turns: number;
  /** From the first request of a turn to the end of its last stream. */
  turnP50Us: number;
}

/** Reads streams in a separate process and returns their timings. */
export function readStreams(order: StreamOrder): Promise<StreamResult> {
  const child = fork(path.resolve("dist/bench/stream-load.js"));
  if (child.pid !== undefined) pinProcess("others", child.pid);
  endWithRun(child);
  return new Promise((resolve, reject) => {
    child.once("message", (result) => resolve(result as StreamResult)); // what stream-main.ts sends
    child.once("exit", (code) => reject(new Error(`the reader of streams ended with ${code}`)));
    child.send(order);
  });
}
