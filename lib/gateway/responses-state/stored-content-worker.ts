import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { type ContentTask, performContentTask } from "./content-tasks";

/** On Linux each thread has its own niceness, and 0 means the calling thread; elsewhere it applies to the process. */
const NICENESS = 5;
if (process.platform === "linux") setPriority(0, NICENESS);

parentPort?.on("message", (task: ContentTask) => {
  parentPort?.postMessage(performContentTask(task));
});
