import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmdirSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const VARIABLE = "TOLLGATE_TEST_RUN";
const IN_MEMORY = "/dev/shm";
const NEEDED_BYTES = 4 * 1024 ** 3;

/** The temporary directory of this test run; all test files of the run share it. */
export function runDirectory(): string {
  const known = process.env[VARIABLE];
  if (known) return known;
  const made = mkdtempSync(path.join(temporaryRoot(), "tg-"));
  process.env[VARIABLE] = made;
  return made;
}

/** The in-memory file system of machines with a large one, because tests create and remove many data directories. */
function temporaryRoot(): string {
  try {
    accessSync(IN_MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= NEEDED_BYTES ? IN_MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** The result of `make`, computed once per test run by the first test file that needs it. Shape: JSON. */
export async function oncePerRun<T>(name: string, make: () => Promise<T>): Promise<T> {
  const file = path.join(runDirectory(), `${name}.json`);
  const lock = `${file}.lock`;
  for (;;) {
    if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8"));
    try {
      mkdirSync(lock);
    } catch {
      await sleep(50);
      continue;
    }
    try {
      if (!existsSync(file)) {
        const unfinished = `${file}.new`;
        writeFileSync(unfinished, JSON.stringify(await make()));
        renameSync(unfinished, file);
      }
    } finally {
      rmdirSync(lock);
    }
  }
}
