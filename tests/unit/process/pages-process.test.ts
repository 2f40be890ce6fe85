import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { PagesProcess } from "@/lib/process/pages-process";

const silent = { warn: () => {}, error: () => {} };

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), "pages-process-"));
});
afterAll(() => rmSync(directory, { recursive: true }));

const running: PagesProcess[] = [];
afterEach(async () => {
  for (const pages of running.splice(0)) await pages.stop();
});

/** A supervisor of a program, with the children it has started. */
function supervise(name: string, program: string) {
  const file = path.join(directory, `${name}.mjs`);
  writeFileSync(file, program);
  const children: ChildProcess[] = [];
  const pages = new PagesProcess(() => {
    const child = fork(file, { execArgv: [], stdio: ["ignore", "ignore", "ignore", "ipc"] });
    children.push(child);
    return child;
  }, silent);
  running.push(pages);
  pages.start();
  return { pages, children };
}

const LISTENS = `
process.once("disconnect", () => process.exit(0));
process.send("ready");
setInterval(() => {}, 1000);`;

test("a process that is killed is back, and those who wait for it go on", async () => {
  const { pages, children } = supervise("listens", LISTENS);
  expect(await pages.ready(10_000)).toBe(true);
  const first = pages.pid;
  const ended = new Promise((resolve) => children[0]?.once("exit", resolve));
  process.kill(Number(first), "SIGKILL");
  await ended;
  expect(await pages.ready(10_000)).toBe(true);
  expect(pages.pid).not.toBe(first);
  expect(children).toHaveLength(2);
});

test("a process that never listens is waited for no longer than it is told", async () => {
  const { pages } = supervise(
    "mute",
    'process.once("disconnect", () => process.exit()); setInterval(() => {}, 1000);',
  );
  expect(await pages.ready(100)).toBe(false);
});

test("a process that ends again and again is started after longer and longer delays", async () => {
  const delays: number[] = [];
  const file = path.join(directory, "ends.mjs");
  writeFileSync(file, "process.exit(3)");
  const four = new Promise<void>((resolve) => {
    const log = {
      error: () => {},
      warn: ({ delayMs }: { delayMs: number }) => {
        if (delays.push(delayMs) === 4) resolve();
      },
    };
    const pages = new PagesProcess(() => fork(file, { execArgv: [] }), log as typeof silent);
    running.push(pages);
    pages.start();
  });
  await four;
  expect(delays).toEqual([100, 200, 400, 800]);
});

test("a process that listens but does not answer twice in a row is killed and started again", async () => {
  const file = path.join(directory, "hangs.mjs");
  writeFileSync(file, LISTENS);
  const answers = [true, false, true, false, false];
  const started: number[] = [];
  let second = () => {};
  const isBack = new Promise<void>((resolve) => {
    second = resolve;
  });
  const pages = new PagesProcess(
    () => {
      if (started.push(answers.length) === 2) second();
      return fork(file, { execArgv: [], stdio: ["ignore", "ignore", "ignore", "ipc"] });
    },
    silent,
    { everyMs: 1, answers: async () => answers.shift() ?? true },
  );
  running.push(pages);
  pages.start();
  await isBack;
  expect(started).toEqual([5, 0]);
});

test("stopping ends the process for good, even one that does not notice", async () => {
  const { pages, children } = supervise("deaf", 'process.send("ready"); setInterval(() => {}, 1000);');
  await pages.ready(10_000);
  await pages.stop();
  expect(children[0]?.signalCode).toBe("SIGKILL");
  expect(await pages.ready(10_000)).toBe(false);
  expect(children).toHaveLength(1);
});
