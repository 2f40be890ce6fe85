import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { aroundCredential, requestText, type Target } from "@/bench/load/target";
import { writeWrkScript } from "@/bench/load/wrk-script";

const directory = mkdtempSync(path.join(tmpdir(), "tollgate-wrk-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const target: Target = {
  url: "http://127.0.0.1:8080/v1/chat/completions",
  headers: { "content-type": "application/json", authorization: "Bearer one" },
  body: '{"model":"m","text":"狐狸"}',
};

/** What the script reads from the file of this name. */
function read(script: string, name: string): string {
  const file = path.join(directory, name);
  expect(script).toContain(`(${JSON.stringify(file)}`);
  return readFileSync(file, "utf8");
}

describe("the script of wrk", () => {
  test("sends the same request again and again", () => {
    const script = readFileSync(writeWrkScript(target, directory, "-- reports"), "utf8");
    expect(script).toContain('wrk.headers["authorization"] = "Bearer one"');
    expect(script).not.toContain("function request");
    expect(script.endsWith("-- reports")).toBe(true);
    expect(read(script, "wrk.body")).toBe(target.body);
  });

  test("joins each request of its ends and a drawn credential", () => {
    const credentials = ["Bearer one", "Bearer two", "Bearer three"];
    const many = { ...target, credentials };
    const script = readFileSync(writeWrkScript(many, directory, "-- reports"), "utf8");
    expect(script).toMatch(/math\.randomseed\(\d+\)/);
    expect(script).toContain("return before .. credentials[math.random(#credentials)] .. after");
    expect(read(script, "wrk.credentials").split("\n")).toEqual(credentials);
    const request = `${read(script, "wrk.before")}Bearer one${read(script, "wrk.after")}`;
    expect(request).toBe(requestText(target));
  });
});

test("a request has its length in bytes, whatever its credential", () => {
  const [before, after] = aroundCredential(target);
  expect(before).toMatch(/^POST \/v1\/chat\/completions HTTP\/1\.1\r\n/);
  expect(before.endsWith("authorization: ")).toBe(true);
  expect(after).toContain(`content-length: ${Buffer.byteLength(target.body)}\r\n\r\n{`);
});
