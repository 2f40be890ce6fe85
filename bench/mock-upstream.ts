import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Child } from "./child";
import type { MockCounts } from "./mock/counters";
import { pinned } from "./pinning";

/** The mock upstream in a separate process, and its controls. */
export interface MockUpstream {
  url: string;
  pid: number;
  counts(): Promise<MockCounts>;
  /** Resets its counts once all other streams have ended. */
  reset(): Promise<void>;
  /** Holds new requests without a response, so that at the end of a load all responses are delivered. */
  pause(): Promise<MockCounts>;
  /** Drops held requests and answers again. */
  resume(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the mock upstream on a free port. */
export async function startMock(): Promise<MockUpstream> {
  const [command, args] = pinned("others", process.execPath, [path.resolve("dist/bench/mock.js"), "0"]);
  const { child, found } = await Child.start({ command, args, ready: /^mock (\d+)$/m });
  const url = `http://127.0.0.1:${found}`;
  const ask = async (what: string): Promise<MockCounts> => (await fetch(`${url}/__${what}`)).json();
  return {
    url,
    pid: child.pid,
    counts: () => ask("stats"),
    reset: async () => {
      while ((await ask("stats")).openStreams > 0) await sleep(50);
      await ask("reset");
    },
    pause: () => ask("pause"),
    resume: async () => void (await ask("resume")),
    stop: () => child.stop("SIGKILL"),
  };
}
