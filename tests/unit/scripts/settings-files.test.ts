import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { loadSettingsFiles } from "@/scripts/prepare.mjs";
import { runDirectory } from "@/tests/support/run-directory";

function folderWith(files: Record<string, string | Buffer>): string {
  const folder = mkdtempSync(path.join(runDirectory(), "settings-"));
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(folder, name), content);
  return folder;
}

/** Source: docs/contract.md#setting-texts. */
test("settings files are read with any line ends, quotes and a byte order mark; the environment wins over them", () => {
  const env: Record<string, string | undefined> = { PORT: "1" };
  const notes = loadSettingsFiles(
    folderWith({
      ".env.local": '\uFEFFOPENAI_API_KEY="sk-local"\r\nexport LOG_LEVEL=warn # fine\r\n',
      ".env": "OPENAI_API_KEY=sk-other\nPORT=2\n# comment\n\nHOST: 0.0.0.0\nDRAIN_SECONDS='9'\n",
    }),
    env,
  );
  expect(env).toEqual({ PORT: "1", OPENAI_API_KEY: "sk-local", LOG_LEVEL: "warn", DRAIN_SECONDS: "9" });
  expect(notes).toEqual([".env, line 5, is no setting and has no effect; write NAME=value"]);
});

test("a value of several lines is read whole, whatever its lines look like", () => {
  const env: Record<string, string | undefined> = {};
  const text = 'A="one\ntwo: 2\nthree"\nHOST: 1\nB=1\n';
  expect(loadSettingsFiles(folderWith({ ".env": text }), env)).toEqual([
    ".env, line 4, is no setting and has no effect; write NAME=value",
  ]);
  expect(env).toEqual({ A: "one\ntwo: 2\nthree", B: "1" });
});

test("a quote that is never closed hides no other line", () => {
  const env: Record<string, string | undefined> = {};
  expect(loadSettingsFiles(folderWith({ ".env": "HOST: 1\nB=2\nA='x\nPORT: 2\n" }), env)).toHaveLength(2);
  expect(env).toMatchObject({ B: "2" });
});

test("a settings file in UTF-16, or one that cannot be read, is named", () => {
  const utf16 = Buffer.from("\uFEFFPORT=3000\r\n", "utf16le");
  expect(() => loadSettingsFiles(folderWith({ ".env": utf16 }), {})).toThrow(
    /\.env is saved as UTF-16; save it/,
  );
  const folder = folderWith({});
  mkdirSync(path.join(folder, ".env"));
  expect(() => loadSettingsFiles(folder, {})).toThrow(/\.env cannot be read \(EISDIR\)/);
});
