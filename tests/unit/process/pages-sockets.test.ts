import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makePagesSockets } from "@/lib/process/pages";

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), "sockets-"));
});
afterEach(() => rmSync(parent, { recursive: true }));

/** The number of a process that has ended. */
function deadPid(): number {
  return spawnSync(process.execPath, ["--eval", ""]).pid;
}

test("the sockets are in a directory that only this user can enter", async () => {
  const sockets = await makePagesSockets([parent]);
  const directory = path.dirname(sockets.pages);
  expect(path.dirname(directory)).toBe(parent);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  sockets.remove();
  sockets.remove();
  expect(existsSync(directory)).toBe(false);
});

test("a directory with a path too long for a socket is passed over", async () => {
  const long = path.join(parent, "x".repeat(100));
  mkdirSync(long);
  const sockets = await makePagesSockets([long, parent]);
  expect(path.dirname(path.dirname(sockets.pages))).toBe(parent);
  expect(readdirSync(long)).toEqual([]);
  sockets.remove();
});

test("without a suitable directory the reasons are named", async () => {
  const missing = path.join(parent, "missing");
  await expect(makePagesSockets([missing])).rejects.toThrow(/no directory .* ENOENT/);
});

test("what a killed process left is removed, and nothing else", async () => {
  const pid = deadPid();
  const left = path.join(parent, `tollgate-${pid}-abcdef`);
  const answering = path.join(parent, `tollgate-${pid}-ghijkl`);
  const alive = path.join(parent, `tollgate-${process.ppid}-abcdef`);
  const sameNumber = path.join(parent, `tollgate-${process.pid}-abcdef`);
  const foreign = path.join(parent, "tollgate-notes");
  for (const each of [left, answering, alive, sameNumber, foreign]) mkdirSync(each);
  writeFileSync(path.join(left, "reads.sock"), "");
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path.join(answering, "reads.sock"), resolve));
  const sockets = await makePagesSockets([parent]);
  expect([left, sameNumber].map((each) => existsSync(each))).toEqual([false, false]);
  expect([answering, alive, foreign].map((each) => existsSync(each))).toEqual([true, true, true]);
  sockets.remove();
  server.close();
});
