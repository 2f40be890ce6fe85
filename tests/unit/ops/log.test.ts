import { spawn } from "node:child_process";
import path from "node:path";
import { buildSync } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import { createUser } from "@/lib/accounts/users";
import { plans } from "@/lib/db/schema/accounts";
import { loggedError, messageOfCause } from "@/lib/ops/log-error";
import { type LeftOut, RepeatedLines } from "@/lib/ops/log-repeats";
import { forEachDatabaseInAll } from "@/tests/support/database";
import { runDirectory } from "@/tests/support/run-directory";

await forEachDatabaseInAll((_kind, open) => {
  test("a logged error of a statement has its cause and its place, and neither SQL, parameters, hash nor mail", async () => {
    const db = await open();
    await db.orm.insert(plans).values({ id: 1, name: "Free", keyQuotaMicroCents: 0n, selfService: true });
    const account = { username: "taken", password: "canary-password", email: "canary@mail.example" };
    await createUser(db, account, { quotaCents: 100 });
    const failure = await createUser(db, account, { quotaCents: 100 }).catch((error: unknown) => error);
    const logged = loggedError(failure);
    expect(logged).toMatchObject({ code: "23505", message: expect.stringContaining("users_username_key") });
    expect(logged.stack?.split("\n").length).toBeLessThanOrEqual(5);
    expect(logged.stack).toContain("users.ts");
    expect(JSON.stringify(logged)).not.toMatch(/insert into|params|\$2[aby]\$|canary/i);
    const failed = await db.query("SELECT 1 / 0 AS canary").catch((error: unknown) => error);
    expect(JSON.stringify(loggedError(failed))).not.toContain("canary");
  });
});

describe("what is logged of an error", () => {
  test("is bounded, whatever the error is", () => {
    const circle = new Error("outer");
    circle.cause = new Error("x ".repeat(5_000), { cause: circle });
    expect(loggedError(circle).message.length).toBeLessThanOrEqual(301);
    for (const thrown of [null, undefined, 7, "text", {}, [], new AggregateError([])])
      expect(loggedError(thrown).message.length).toBeGreaterThan(0);
    const refused = Object.assign(new Error("connect ECONNREFUSED ::1:1"), { code: "ECONNREFUSED" });
    expect(loggedError(new AggregateError([refused]))).toMatchObject({
      code: "ECONNREFUSED",
      message: "connect ECONNREFUSED ::1:1",
    });
  });

  test.each([
    ["a failing statement", Object.assign(new Error("Failed query: x\nparams: canary"), { query: "x" })],
    ["a database's address", new Error("no postgres://tollgate:canary/p@rt@db.example:5432/name")],
    ["a gateway key", new Error(`key tgw-12345678canary${"A".repeat(32)}`)],
    ["a provider's key", new Error("Incorrect API key provided: sk-canary-0123456789")],
    ["a bearer token", new Error("authorization: Bearer canary.abc-def")],
    ["a hash of a password", new Error("$2b$12$canaryAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")],
    ["a mail address", new Error("no mail to canary@mail.example")],
    ["a body that is not JSON", thrownBy(() => JSON.parse('{"canary"'))],
  ])("tells nothing of %s", (_what, error) => {
    expect(JSON.stringify(loggedError(error))).not.toContain("canary");
    expect(messageOfCause(error)).not.toContain("canary");
  });
});

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe("equal lines", () => {
  function counted() {
    const clock = { nowMs: 0 };
    const leftOut: LeftOut[] = [];
    const repeats = new RepeatedLines(
      () => clock.nowMs,
      (lines) => leftOut.push(lines),
    );
    return { clock, leftOut, repeats };
  }

  test("are written ten times in ten seconds; the others become one number when the time is over", () => {
    const { clock, leftOut, repeats } = counted();
    const written = Array.from({ length: 1_000 }, () => repeats.admits(50, "refused", "ECONNREFUSED"));
    expect(written.filter(Boolean)).toHaveLength(10);
    expect(repeats.admits(50, "refused", "57P01")).toBe(true);
    clock.nowMs = 9_999;
    repeats.sweep();
    expect(leftOut).toEqual([]);
    clock.nowMs = 10_000;
    expect(repeats.admits(50, "refused", "57P01")).toBe(true);
    const about = { level: 50, message: "refused", code: "ECONNREFUSED" };
    expect(leftOut).toEqual([{ ...about, repeated: 990 }]);
    expect(repeats.admits(50, "refused", "ECONNREFUSED")).toBe(false);
    clock.nowMs = 20_000;
    repeats.sweep();
    expect(leftOut).toEqual([
      { ...about, repeated: 990 },
      { ...about, repeated: 1 },
    ]);
    clock.nowMs = 30_000;
    expect(repeats.admits(50, "refused", "ECONNREFUSED")).toBe(true);
  });

  test("are counted until the end of the process", () => {
    const { leftOut, repeats } = counted();
    for (let line = 0; line < 15; line++) repeats.admits(40, "refused", null);
    repeats.flush();
    expect(leftOut).toEqual([{ level: 40, message: "refused", code: null, repeated: 5 }]);
  });

  test("of many kinds are bounded in lines and in memory", () => {
    const { leftOut, repeats } = counted();
    let written = 0;
    for (let line = 0; line < 20_000; line++)
      if (repeats.admits(50, `node ${line} has failed`, null)) written += 1;
    expect(written).toBe(101);
    repeats.flush();
    expect(leftOut).toEqual([{ level: 50, message: "other lines", code: null, repeated: 19_899 }]);
  });

  test("of a few kinds are bounded together: twenty, then the first of each, and all are counted", () => {
    const { clock, leftOut, repeats } = counted();
    let written = 0;
    for (let line = 0; line < 6_000; line++) if (repeats.admits(50, `fault ${line % 6}`, null)) written += 1;
    expect(written).toBeLessThanOrEqual(20 + 6);
    for (const fresh of ["another", "a third"]) expect(repeats.admits(40, fresh, null)).toBe(true);
    clock.nowMs = 10_000;
    repeats.sweep();
    expect(written + leftOut.reduce((sum, { repeated }) => sum + repeated, 0)).toBe(6_000);
    expect(repeats.admits(50, "fault 1", null)).toBe(false);
    for (clock.nowMs = 20_000; clock.nowMs <= 30_000; clock.nowMs += 10_000) repeats.sweep();
    expect(["fault 1", "another"].map((text) => repeats.admits(50, text, null))).toEqual([true, true]);
  });
});

describe("a process that logs", () => {
  const program = path.join(runDirectory(), "log-lines.cjs");
  beforeAll(() => {
    buildSync({
      stdin: {
        contents: `
          import { createLog } from "@/lib/ops/log";
          const log = createLog("info");
          for (let line = 0; line < 500; line++) log.error({ err: new Error("away") }, "refused");
          if (process.argv[2] === "later") setTimeout(() => process.exit(1), 300);
          else process.exit(1);`,
        resolveDir: process.cwd(),
      },
      bundle: true,
      platform: "node",
      format: "cjs",
      outfile: program,
    });
  });

  test.each(["at once", "later"])("writes the last number when it ends %s", async (when) => {
    const child = spawn(process.execPath, [program, when], { stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
    });
    const status = await new Promise((resolve) => child.once("close", resolve));
    const lines = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(status).toBe(1);
    expect(lines).toHaveLength(11);
    expect(lines.at(-1)).toMatchObject({ level: 50, msg: "refused", repeated: 490 });
    expect(lines[0]).toMatchObject({ msg: "refused", err: { type: "Error", message: "away" } });
  });

  test.each(["at once", "later"])("ends %s when nobody reads its output any more", async (when) => {
    const child = spawn(process.execPath, [program, when], { stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.destroy();
    let said = "";
    child.stderr.on("data", (chunk) => {
      said += chunk;
    });
    expect(await new Promise((resolve) => child.once("close", resolve))).toBe(1);
    expect(said).toBe("");
  });
});

/** Source: docs/adr/0020-own-log-output.md#decision. */
describe("a process that logs more than its slow reader has taken when it ends", () => {
  const program = path.join(runDirectory(), "log-slow-reader.cjs");
  beforeAll(() => {
    buildSync({
      stdin: {
        contents: `
          import { writeSync } from "node:fs";
          import { createLog } from "@/lib/ops/log";
          const [lines, length, later] = process.argv.slice(2).map(Number);
          const log = createLog("debug");
          const say = (from, to) => {
            for (let line = from; line < to; line++) log.debug({ line, text: "x".repeat(length) });
          };
          const end = () => {
            writeSync(2, "written");
            process.exit(1);
          };
          say(0, lines / 2);
          const rest = () => {
            say(lines / 2, lines);
            end();
          };
          if (later === 1) setTimeout(rest, 50);
          else rest();`,
        resolveDir: process.cwd(),
      },
      bundle: true,
      platform: "node",
      format: "cjs",
      outfile: program,
    });
  });

  test.each([
    { lines: 4, length: 10, later: 0 },
    { lines: 4, length: 10, later: 1 },
    { lines: 2_000, length: 1_000, later: 0 },
    { lines: 2_000, length: 1_000, later: 1 },
    { lines: 10, length: 300_000, later: 1 },
  ])("writes every line whole, once and in order: %o", async ({ lines, length, later }) => {
    const child = spawn(process.execPath, [program, ...[lines, length, later].map(String)], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let text = "";
    // The reader begins when the last line has been logged.
    child.stderr.once("data", () => {
      child.stdout.on("data", (chunk) => {
        text += chunk;
      });
    });
    expect(await new Promise((resolve) => child.once("close", resolve))).toBe(1);
    const read = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).line);
    expect(read).toEqual(Array.from({ length: lines }, (_, line) => line));
  });
});
