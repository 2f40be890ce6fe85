import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { sourceText } from "@/tests/support/source-files";

const report = "../../../scripts/test-report.mjs";

describe("npm test", () => {
  test("counts a test file that could not be loaded, and an error outside of tests, as failures", async () => {
    const { readVitest } = await import(report);
    const file = (status: string, tests: string[]) => ({
      name: `tests/${status}.test.ts`,
      status,
      assertionResults: tests.map((result) => ({
        status: result,
        ancestorTitles: ["group"],
        title: "t",
        fullName: "group t",
        failureMessages: result === "failed" ? ["Error: not equal\n    at line 1"] : [],
      })),
    });
    const unloaded = file("failed", []);
    const wrong = { ...file("failed", ["failed"]), name: "tests/wrong.test.ts" };
    const broken = { testResults: [unloaded, wrong, file("passed", ["passed", "skipped", "passed"])] };
    expect(readVitest(broken, false)).toEqual({
      passed: 2,
      failed: 2,
      skipped: 1,
      notes: [
        "skipped 1: group",
        "failed: tests/failed.test.ts",
        "failed: tests/wrong.test.ts › group t\n  Error: not equal\n      at line 1",
      ],
    });
    expect(readVitest({ testResults: [file("passed", ["passed"])] }, false).failed).toBe(1);
    expect(readVitest({ testResults: [], errorsOutsideTests: ["t: Error: x"] }, false).notes).toEqual([
      "failed: vitest, outside its tests: t: Error: x",
    ]);
    expect(readVitest(null, false).failed).toBe(1);
    expect(readVitest({ testResults: [file("passed", ["passed"])] }, true).failed).toBe(0);
  });

  test("is what continuous integration runs, and nothing else", () => {
    expect(sourceText(".ci/run")).toMatch(/exec npm test\n$/);
  });
});

describe("commands", () => {
  test("refuse a Node that is too old before they touch anything else", () => {
    const source = [
      'Object.defineProperty(process.versions, "node", { value: "20.18.9" });',
      'const { checkNode } = await import("./scripts/prepare.mjs");',
      "checkNode();",
      'console.log("went on");',
    ].join("\n");
    const run = () =>
      execFileSync(process.execPath, ["--input-type=module", "-e", source], { stdio: "pipe" });
    expect(run).toThrow(/needs Node\.js 20\.19 or newer; this is 20\.18\.9/);
  });

  test("import nothing but Node's own modules before the packages are there", () => {
    for (const file of [
      "start",
      "prepare",
      "pinned-node",
      "test",
      "test-report",
      "test-faults",
      "machine",
      "doctor",
      "admin-reset",
      "db-move",
      "build",
      "check",
    ]) {
      const imports = [...sourceText(`scripts/${file}.mjs`).matchAll(/^import .* from "([^"]+)"/gm)].map(
        (match) => match[1],
      );
      expect(
        imports.filter(
          (name) =>
            !/^(node:|\.\/(prepare|pinned-node|machine|test-report|test-faults)\.mjs$)/.test(name ?? ""),
        ),
      ).toEqual([]);
    }
  });
});
