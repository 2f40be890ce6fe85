import { fork } from "node:child_process";
import type { Database } from "@/lib/db/database";
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

/** An account of the demo besides the admin's. */
export interface DemoAccount {
  username: string;
  /** Printed once at startup. */
  password: string;
}

/** The demo data and traffic of `DEMO_SEED=1`; passed in, because it is not part of the product. */
export interface Demo {
  /** Fills an empty database with usage. Shape: the created accounts; null when it ran before. */
  seed(db: Database, adminId: string, now: Date): Promise<DemoAccount[] | null>;
  /** Sends calls to the server at `url` until `ended` aborts or the traffic is over. Resolves after the last call. */
  playLiveTraffic(db: Database, url: string, ended: AbortSignal): Promise<void>;
}
