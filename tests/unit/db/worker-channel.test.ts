import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { WorkerChannel } from "@/lib/db/worker-channel";
import { runDirectory } from "@/tests/support/run-directory";

function workerFile(name: string, body: string): string {
  const file = path.join(runDirectory(), `${name}.mjs`);
  writeFileSync(file, `import { parentPort } from "node:worker_threads";\n${body}`);
  return file;
}

const ready = `parentPort.postMessage({ kind: "ready" });`;
const open = (file: string) => WorkerChannel.open(file, "/nowhere", () => {});
const question = { kind: "command", sql: "SELECT 1" } as const;

test("a worker that crashes fails every open request and every later one, and says why", async () => {
  const file = workerFile(
    "crash",
    `${ready} parentPort.on("message", () => { throw new Error("out of memory"); });`,
  );
  const channel = await open(file);
  const results = await Promise.allSettled([channel.send(question), channel.send(question)]);
  for (const result of results) {
    expect(result).toMatchObject({
      status: "rejected",
      reason: { message: expect.stringContaining("out of memory") },
    });
  }
  await expect(channel.send(question)).rejects.toThrow("the embedded database stopped");
  await channel.terminate();
});

test("a worker that ends by itself fails the open requests", async () => {
  const channel = await open(workerFile("exit", `${ready} parentPort.on("message", () => process.exit(3));`));
  await expect(channel.send(question)).rejects.toThrow("ended with code 3");
});

test("a database that cannot be opened fails the start with its own reason", async () => {
  const failure = `{ message: "disk is bad", code: "58030", constraint: null, detail: null }`;
  const file = workerFile("failed", `parentPort.postMessage({ kind: "failed", error: ${failure} });`);
  await expect(open(file)).rejects.toMatchObject({ message: "disk is bad", code: "58030" });
});
