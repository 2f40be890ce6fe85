import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { credential } from "@/lib/shared/credentials/credential";
import { credentialProblem } from "@/lib/upstream/credentials/save-check";
import { systemMachine } from "@/lib/upstream/credentials/system-machine";
import { startSystemTimer } from "@/lib/upstream/credentials/system-timer";

const guid = "11111111-aaaa-4bbb-8ccc-222222222222";
const roleArn = "arn:aws:iam::123456789012:role/r";
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
const ed25519 = generateKeyPairSync("ed25519").privateKey;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tollgate-credentials-"));
  await writeFile(path.join(folder, "token"), "a.token\n");
  await writeFile(path.join(folder, "large"), "x".repeat(64 * 1024 + 1));
});
afterAll(() => rm(folder, { recursive: true }));

function problemOf(entered: unknown, environment: Record<string, string> = {}, allowAmbient = true) {
  const machine = { ...systemMachine, environment };
  return credentialProblem(credential.parse(entered), machine, allowAmbient);
}

function account(private_key: unknown) {
  const file = { type: "service_account", client_email: "a@b.example", private_key };
  return { kind: "gcp_service_account", json: JSON.stringify(file) };
}

function external(credential_source: object) {
  const file = { type: "external_account", audience: "a", subject_token_type: "t", credential_source };
  return {
    kind: "gcp_external",
    json: JSON.stringify({ ...file, token_url: "https://sts.googleapis.com/v1/token" }),
  };
}

/** Source: docs/clouds.md#kinds, #ambient. */
describe("a credential that is about to be saved", () => {
  test("needs leave for what the machine lends", async () => {
    expect(await problemOf({ kind: "aws_imds" }, {}, false)).toBe("ambient_disabled");
    expect(await problemOf({ kind: "aws_role", roleArn, source: { kind: "aws_imds" } }, {}, false)).toBe(
      "ambient_disabled",
    );
    expect(await problemOf({ kind: "aws_imds" })).toBeNull();
    expect(await problemOf({ kind: "key", key: "k" }, {}, false)).toBeNull();
  });

  test("needs a private key that can sign", async () => {
    expect(await problemOf(account(rsa.export({ type: "pkcs8", format: "pem" })))).toBeNull();
    expect(await problemOf(account(ed25519.export({ type: "pkcs8", format: "pem" })))).toBe(
      "private_key_invalid",
    );
    expect(await problemOf(account("-----BEGIN PRIVATE KEY-----\nAAAA"))).toBe("private_key_invalid");
  });

  test.each([
    ["token", null],
    ["none", "token_file_unreadable"],
    ["large", "token_file_unreadable"],
    [".", "token_file_unreadable"],
  ])("with the token file %s has the problem %s", async (name, problem) => {
    const tokenFile = path.join(folder, name);
    const identity = { kind: "aws_web_identity", roleArn };
    const workload = { kind: "azure_workload", tenantId: guid, clientId: guid };
    expect(await problemOf({ ...identity, tokenFile })).toBe(problem);
    expect(await problemOf({ kind: "aws_role", roleArn, source: { ...identity, tokenFile } })).toBe(problem);
    expect(await problemOf(workload, { AZURE_FEDERATED_TOKEN_FILE: tokenFile })).toBe(problem);
    expect(await problemOf(external({ file: tokenFile }))).toBe(problem);
  });

  test("needs what the environment tells", async () => {
    expect(await problemOf({ kind: "aws_web_identity", roleArn })).toBe("environment_missing");
    expect(await problemOf({ kind: "aws_container" })).toBe("environment_missing");
    expect(
      await problemOf({ kind: "aws_container" }, { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: "/x" }),
    ).toBeNull();
    expect(
      await problemOf({ kind: "aws_container" }, { AWS_CONTAINER_CREDENTIALS_FULL_URI: "http://x/" }),
    ).toBe("address_refused");
    expect(await problemOf(external({ url: "https://x.example/" }))).toBeNull();
  });
});

test("a timer of the system runs once, or not when it is cancelled", async () => {
  let cancelled = false;
  const cancel = startSystemTimer(0, () => {
    cancelled = true;
  });
  cancel();
  const keepAlive = setInterval(() => {}, 1_000);
  await new Promise<void>((resolve) => startSystemTimer(1, resolve));
  clearInterval(keepAlive);
  expect(cancelled).toBe(false);
});
