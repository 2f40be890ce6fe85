import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { compareSync, hashSync } from "bcryptjs";
import { messageOf } from "@/lib/kernel/thrown";
import type { PasswordAnswer, PasswordTask } from "./password";

/** On Linux each thread has its own niceness, and 0 means the calling thread; elsewhere it applies to the process. */
const NICENESS = 5;
if (process.platform === "linux") setPriority(0, NICENESS);

parentPort?.on("message", (task: PasswordTask) => {
  parentPort?.postMessage(answer(task));
});

function answer(task: PasswordTask): PasswordAnswer {
  try {
    return task.kind === "hash"
      ? { ok: true, value: hashSync(task.input, task.cost) }
      : { ok: true, value: compareSync(task.input, task.hash) };
  } catch (error) {
    return { ok: false, message: messageOf(error) };
  }
}
