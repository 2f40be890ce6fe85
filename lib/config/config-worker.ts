import { parentPort, workerData } from "node:worker_threads";
import { type ConfigFile, readConfigFile } from "./file";
import { isStartupError } from "./startup-error";

/** The worker's answer: the file, or why it is invalid. */
export type ConfigAnswer = { file: ConfigFile } | { title: string; problems: readonly string[] };

async function answer(path: string): Promise<ConfigAnswer> {
  try {
    return { file: await readConfigFile(path) };
  } catch (error) {
    if (!isStartupError(error)) throw error;
    return { title: error.title, problems: error.problems };
  }
}

parentPort?.postMessage(await answer(String(workerData)));
