import { fork } from "node:child_process";
import { bundlePath } from "@/lib/kernel/worker-pool";

/** The simulated provider in a separate process, on loopback. */
export interface Simulator {
  /** `http://127.0.0.1:port`. */
  url: string;
  /** Resolves when the process ends without `close`. */
  crashed: Promise<void>;
  close(): void;
}

/**
 * Starts `dist/simulator.js`. The child always ends together with this process, and ignores signals: a terminal sends
 * them to both processes, and running responses must finish during a graceful shutdown.
 * Throws: Error when it ends before it listens. Source: docs/contract.md#s2 (`DEMO_PROVIDER`).
 */
export async function startSimulator(): Promise<Simulator> {
  const child = fork(bundlePath("simulator"), { execArgv: [] });
  const url = await new Promise<string>((resolve, reject) => {
    child.once("message", (listening: string) => resolve(listening)); // its only message is its address
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
