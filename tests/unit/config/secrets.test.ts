import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { decryptCredential, encryptCredential } from "@/lib/config/credentials";
import { parseSettings } from "@/lib/config/env";
import { loadSecrets } from "@/lib/config/secrets";

const made: string[] = [];
afterEach(() => {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true });
});

function settingsIn(dataDir: string, env: Record<string, string> = {}) {
  return parseSettings({ DATA_DIR: dataDir, ...env }, { cwd: "/", exists: () => false });
}

function freshDirectory(): string {
  const directory = mkdtempSync(path.join(tmpdir(), "tollgate-secrets-"));
  made.push(directory);
  return path.join(directory, "data");
}

describe("secrets", () => {
  test("are made once, readable by their owner only, and the same afterwards", async () => {
    const dataDir = freshDirectory();
    const first = await loadSecrets(settingsIn(dataDir));
    const second = await loadSecrets(settingsIn(dataDir));
    expect(second).toEqual(first);
    expect(statSync(path.join(dataDir, "secrets.json")).mode & 0o777).toBe(0o600);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  });

  test("are the same for processes that start at once on an empty directory", async () => {
    const dataDir = freshDirectory();
    const all = await Promise.all(Array.from({ length: 8 }, () => loadSecrets(settingsIn(dataDir))));
    expect(new Set(all.map((secrets) => secrets.fingerprints.auth.current)).size).toBe(1);
  });

  test("derive a different key for every purpose, none of them the master", async () => {
    const dataDir = freshDirectory();
    const secrets = await loadSecrets(settingsIn(dataDir));
    const rings = [
      secrets.jwt,
      secrets.session,
      secrets.provenance,
      secrets.consoleKeys,
      secrets.credentials,
    ];
    const keys = rings.map((ring) => ring.current.key.toString("base64"));
    const file = readFileSync(path.join(dataDir, "secrets.json"), "utf8");
    expect(new Set(keys).size).toBe(5);
    expect(keys.some((key) => file.includes(key))).toBe(false);
  });

  test("come from the environment when it has them, and then leave no file", async () => {
    const dataDir = freshDirectory();
    const env = {
      AUTH_SECRET: randomBytes(48).toString("base64"),
      ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    };
    await loadSecrets(settingsIn(dataDir, env));
    expect(() => statSync(dataDir)).toThrow("ENOENT");
  });

  test("of a damaged file stop the start instead of being made anew", async () => {
    const dataDir = freshDirectory();
    await loadSecrets(settingsIn(dataDir));
    writeFileSync(path.join(dataDir, "secrets.json"), '{"authSecret": "');
    await expect(loadSecrets(settingsIn(dataDir))).rejects.toThrow("is damaged");
  });
});

describe("credentials", () => {
  const ringOf = async (env: Record<string, string>) =>
    (await loadSecrets(settingsIn(freshDirectory(), env))).credentials;

  test("decrypt to what was encrypted, never twice to the same bytes", async () => {
    const ring = await ringOf({});
    const first = encryptCredential(ring, "node-1", "sk-secret-with-ümlaut-1234");
    const second = encryptCredential(ring, "node-1", "sk-secret-with-ümlaut-1234");
    expect(decryptCredential(ring, "node-1", first)).toBe("sk-secret-with-ümlaut-1234");
    expect(first.credential.equals(second.credential)).toBe(false);
    expect(first.credential.includes("secret")).toBe(false);
    expect(first.apiKeyHint).toBe("1234");
  });

  /** Source: docs/reliability.md#r-140. */
  test("of another row, or changed by a bit, do not decrypt", async () => {
    const ring = await ringOf({});
    const sealed = encryptCredential(ring, "node-1", "sk-secret");
    expect(() => decryptCredential(ring, "node-2", sealed)).toThrow();
    for (let index = 0; index < sealed.credential.length; index += 1) {
      const bent = Buffer.from(sealed.credential);
      bent[index] = (bent[index] ?? 0) ^ 1;
      expect(() => decryptCredential(ring, "node-1", { ...sealed, credential: bent })).toThrow();
    }
  });

  /** Source: docs/reliability.md#r-140. */
  test("under the previous key still decrypt, under an unknown one they name it", async () => {
    const [former, present] = [randomBytes(32).toString("base64"), randomBytes(32).toString("base64")];
    const sealed = encryptCredential(await ringOf({ ENCRYPTION_KEY: former }), "node-1", "sk-secret");
    const rotated = await ringOf({ ENCRYPTION_KEY: present, ENCRYPTION_KEY_PREVIOUS: former });
    expect(decryptCredential(rotated, "node-1", sealed)).toBe("sk-secret");
    expect(encryptCredential(rotated, "node-1", "x").credentialKeyId).not.toBe(sealed.credentialKeyId);
    const other = await ringOf({ ENCRYPTION_KEY: present });
    expect(() => decryptCredential(other, "node-1", sealed)).toThrow(sealed.credentialKeyId);
  });

  test("that are short keep even their last characters", async () => {
    expect(encryptCredential(await ringOf({}), "n", "short").apiKeyHint).toBe("");
  });
});
