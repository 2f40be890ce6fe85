import { describe, expect, test } from "vitest";
import { decryptCredential } from "@/lib/config/credentials";
import { parseSettings } from "@/lib/config/env";
import { credentialColumns, storedCredential } from "@/lib/config/node-credential";
import { type KeyRing, loadSecrets } from "@/lib/config/secrets";
import { type Credential, credential } from "@/lib/shared/credentials/credential";

const AUTH = "Kk3v0nQ9sW1xYzA7bC5dE2fG8hJ4mN6pR0tU";
const KEY = Buffer.from("0f1e2d3c4b5a69788796a5b4c3d2e1f0").toString("base64");

async function makeRing(): Promise<KeyRing> {
  const given = { AUTH_SECRET: AUTH, ENCRYPTION_KEY: KEY };
  return (await loadSecrets(parseSettings(given, { cwd: "/", exists: () => false }))).credentials;
}

const key: Credential = { kind: "key", key: "sk-0123456789abcdef" };
const keys = credential.parse({
  kind: "aws_static",
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "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",
  region: "eu-west-1",
});
const role = credential.parse({
  kind: "aws_role",
  roleArn: "arn:aws:iam::123456789012:role/r",
  source: keys,
});

/** Source: docs/clouds.md#stored. */
describe("the columns of a credential", () => {
  test.each([key, keys, role])("give it back, and tell no secret beside it ($kind)", async (one) => {
    const ring = await makeRing();
    const { credential: sealed, ...rest } = credentialColumns(ring, "n", one);
    expect(storedCredential(ring, { id: "n", credential: sealed, ...rest })).toEqual(one);
    expect(JSON.stringify(rest)).not.toMatch(/CANARY|sk-01/);
    expect(sealed?.includes("CANARY")).toBe(false);
    expect(rest.apiKeyHint).toBe(one.kind === "key" ? "cdef" : "");
  });

  test("of another kind than a key are not decrypted by a process that knows keys only", async () => {
    const ring = await makeRing();
    const { credential: sealed, credentialKeyId } = credentialColumns(ring, "n", keys);
    if (sealed === null || credentialKeyId === null) throw new Error("nothing is stored");
    expect(() => decryptCredential(ring, "n", { credential: sealed, credentialKeyId })).toThrow();
  });
});
