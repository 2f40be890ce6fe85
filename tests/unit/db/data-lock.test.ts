import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { DataDirectoryBusyError, lockDataDirectory } from "@/lib/db/data-lock";
import { runDirectory } from "@/tests/support/run-directory";

const newFile = (): string => path.join(mkdtempSync(path.join(runDirectory(), "lock-")), "lock");

async function lockOf(file: string): Promise<Record<string, unknown>> {
  const lock = await lockDataDirectory(file);
  const content = JSON.parse(readFileSync(file, "utf8"));
  lock.release();
  return content;
}

test("a second opener is told the pid of the first, and gets in once it has gone", async () => {
  const file = newFile();
  const first = await lockDataDirectory(file);
  await expect(lockDataDirectory(file)).rejects.toThrow(new RegExp(`in use by process ${process.pid} `));
  await expect(lockDataDirectory(file)).rejects.toBeInstanceOf(DataDirectoryBusyError);
  first.release();
  expect(existsSync(file)).toBe(false);
  (await lockDataDirectory(file)).release();
});

test("another live process is respected", async () => {
  const file = newFile();
  const content = await lockOf(file);
  const child = spawn("sleep", ["30"]);
  try {
    const stat = readFileSync(`/proc/${child.pid}/stat`, "utf8");
    const startTime = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    writeFileSync(file, JSON.stringify({ ...content, pid: child.pid, startTime }));
    await expect(lockDataDirectory(file)).rejects.toThrow(`process ${child.pid} `);
  } finally {
    child.kill("SIGKILL");
  }
});

test.each([
  ["a process that has ended", { pid: 999_999_999 }],
  ["a reused pid: the same number, another start time", { startTime: "1" }],
  ["the time before the machine restarted", { bootId: "00000000-0000-0000-0000-000000000000" }],
])("the lock of %s does not block the start", async (_name, change) => {
  const file = newFile();
  const content = await lockOf(file);
  writeFileSync(file, JSON.stringify({ ...content, ...change }));
  (await lockDataDirectory(file)).release();
});

test("half a lock file, left by a crash while it was written, does not block the start", async () => {
  const file = newFile();
  writeFileSync(file, '{"pid": 12');
  (await lockDataDirectory(file)).release();
});

test("of many who find a stale lock at once, one gets it", async () => {
  const file = newFile();
  const content = await lockOf(file);
  writeFileSync(file, JSON.stringify({ ...content, startTime: "1" }));
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => lockDataDirectory(file)));
  const won = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  expect(won).toHaveLength(1);
  won[0]?.release();
});
