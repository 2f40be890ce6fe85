import { fork } from "node:child_process";
import { bundlePath } from "@/lib/kernel/worker-path";

/** The simulated provider in a process of its own, on loopback. */
export interface Simulator {
  /** `http://127.0.0.1:port`. */
  url: string;
  /** Resolves when it ends without being closed. */
  crashed: Promise<void>;
  close(): void;
}

/**
 * Starts `dist/simulator.js`. The child ends when this process ends, however that happens, and ignores signals: a
 * terminal sends them to both, and answers under way at a shutdown are completed.
 * Throws: Error when it ends before it listens. Source: docs/contract.md#s2 (`DEMO_PROVIDER`).
 */
export async function startSimulator(): Promise<Simulator> {
  const child = fork(bundlePath("simulator"), { execArgv: [] });
  const url = await new Promise<string>((resolve, reject) => {
    child.once("message", (listening: string) => resolve(listening)); // it sends its address and nothing else
    child.once("error", reject);
    child.once("exit", (code, signal) =>
      reject(new Error(`The simulated provider did not start (${signal ?? code}).`)),
    );
  });
  child.unref();
  child.channel?.unref();
  let closing = false;
  return {
    url,
    crashed: new Promise((resolve) => child.once("exit", () => !closing && resolve())),
    close: () => {
      closing = true;
      if (child.connected) child.disconnect();
    },
  };
}
