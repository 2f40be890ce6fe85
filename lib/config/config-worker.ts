import { parentPort, workerData } from "node:worker_threads";
import { type ConfigAnswer, readConfigFile } from "./file";
import { isStartupError } from "./startup-error";

async function answer(path: string): Promise<ConfigAnswer> {
  try {
    return { file: await readConfigFile(path) };
  } catch (error) {
    if (!isStartupError(error)) throw error;
    return { title: error.title, problems: error.problems };
  }
}

parentPort?.postMessage(await answer(String(workerData)));
