import { Worker } from "node:worker_threads";
import { workerPath } from "@/lib/kernel/worker-pool";
import type { ConfigAnswer } from "./config-worker";
import type { ConfigFile } from "./file";
import { StartupError } from "./startup-error";

/**
 * Reads and checks the file in a worker thread: a thousand aliases take half a second, which must not delay calls.
 * Throws: StartupError, as `readConfigFile`. Source: docs/contract.md#b15.
 */
export function readConfigFileInWorker(file: string): Promise<ConfigFile> {
  const worker = new Worker(workerPath("config-worker"), { workerData: file });
  return new Promise((resolve, reject) => {
    worker.once("message", (answer: ConfigAnswer) => {
      if ("file" in answer) resolve(answer.file);
      else reject(new StartupError(answer.title, answer.problems));
    });
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("the worker that reads the configuration file ended early")));
  });
}
