import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildWhenChanged } from "../../scripts/build.mjs";
import { bundle } from "../../scripts/bundle.mjs";

const LOCK = path.resolve(import.meta.dirname, "../../dist/.building");
const OWNER = path.join(LOCK, "pid");

/**
 * A current build for tests that start the server; two runs never build at the same time. `TEST_BUILD=server`
 * rebuilds the server only, for work on `lib` while the pages do not build.
 */
export async function buildForTests(): Promise<void> {
  await takeLock();
  const letGo = () => rmSync(LOCK, { recursive: true, force: true });
  process.once("exit", letGo);
  try {
    if (process.env.TEST_BUILD === "server") await bundle();
    else await buildWhenChanged();
  } finally {
    process.off("exit", letGo);
    letGo();
  }
}

async function takeLock(): Promise<void> {
  mkdirSync(path.dirname(LOCK), { recursive: true });
  for (;;) {
    try {
      mkdirSync(LOCK);
      writeFileSync(OWNER, String(process.pid));
      return;
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
    if (isAbandoned()) rmSync(LOCK, { recursive: true, force: true });
    else await sleep(200);
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EEXIST";
}

function isAbandoned(): boolean {
  const pid = existsSync(OWNER) ? Number(readFileSync(OWNER, "utf8")) : 0;
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}
