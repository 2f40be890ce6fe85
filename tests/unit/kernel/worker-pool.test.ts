import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { WorkerPool, WorkersBusyError } from "@/lib/kernel/worker-pool";

/** Does what the task says and answers with the thread's number; "hang" answers never. */
const WORKER = `
import { parentPort, threadId } from "node:worker_threads";
parentPort.on("message", (task) => {
  if (task === "throw") throw new Error("thrown in the worker");
  if (task === "exit") process.exit(0);
  if (task !== "hang") parentPort.postMessage(threadId);
});
`;
const directory = mkdtempSync(path.join(tmpdir(), "worker-pool-"));
const file = path.join(directory, "worker.mjs");
writeFileSync(file, WORKER);
afterAll(() => rmSync(directory, { recursive: true }));

type Task = "answer" | "throw" | "exit" | "hang";
const pools: WorkerPool<Task, number>[] = [];
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())));

function poolOf(maxWorkers: number, maxWaiting: number): WorkerPool<Task, number> {
  const pool = new WorkerPool<Task, number>(file, maxWorkers, maxWaiting);
  pools.push(pool);
  return pool;
}

describe("a worker pool", () => {
  test("does all that it accepted on no more threads than it may have, and refuses the rest", async () => {
    const pool = poolOf(2, 3);
    const accepted = Array.from({ length: 5 }, () => pool.run("answer"));
    await expect(pool.run("answer")).rejects.toThrow(WorkersBusyError);
    expect(new Set(await Promise.all(accepted)).size).toBe(2);
  });

  test("uses an idle thread again", async () => {
    const pool = poolOf(2, 0);
    expect(await pool.run("answer")).toBe(await pool.run("answer"));
  });

  test.each([
    ["throw", "thrown in the worker"],
    ["exit", "a worker ended"],
  ] as const)(
    "rejects the task whose thread dies (%s), and does those that wait on a new one",
    async (death, reason) => {
      const pool = poolOf(1, 2);
      const lost = pool.run(death);
      const waiting = [pool.run("answer"), pool.run("answer")];
      await expect(lost).rejects.toThrow(reason);
      const [first, second] = await Promise.all(waiting);
      expect(first).toBe(second);
    },
  );

  test("rejects what runs and what waits when it is closed", async () => {
    const pool = poolOf(1, 1);
    const ends = Promise.allSettled([pool.run("hang"), pool.run("answer")]);
    await pool.close();
    expect((await ends).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });
});
