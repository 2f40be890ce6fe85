import { generateKeyPairSync } from "node:crypto";
import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Credential, credential } from "@/lib/shared/credentials/credential";
import { principalOf } from "@/lib/shared/credentials/principal";
import { secretsOf, withoutSecrets } from "@/lib/shared/credentials/secret-fields";
import { audienceOf } from "@/lib/upstream/credentials/audience";
import { ClockSkews } from "@/lib/upstream/credentials/clock-skew";
import { CredentialError } from "@/lib/upstream/credentials/credential-error";
import { exchangeOf } from "@/lib/upstream/credentials/exchanges";
import type { TokenAnswer, TokenRequest } from "@/lib/upstream/credentials/send";
import { DialError } from "@/lib/upstream/upstream-answer";
import { ManualClock } from "./manual-clock";

const CANARY = "CANARYcanary0123";
const privateKey = generateKeyPairSync("rsa", { modulusLength: 2048 })
  .privateKey.export({ type: "pkcs8", format: "pem" })
  .toString();
const keyLine = privateKey.split("\n")[3] ?? "";

const roleArn = "arn:aws:iam::123456789012:role/r";
const guid = "11111111-aaaa-4bbb-8ccc-222222222222";
const staticKeys = {
  kind: "aws_static",
  accessKeyId: "ASIAIOSFODNN7EXAMPLE",
  secretAccessKey: `${CANARY}/secret`,
  sessionToken: `${CANARY}/session`,
};
const subject = { type: "json", subject_token_field_name: "access_token" };
const external = (credential_source: object, impersonated: boolean) => ({
  kind: "gcp_external",
  json: JSON.stringify({
    type: "external_account",
    audience: "a",
    subject_token_type: "t",
    token_url: "https://sts.googleapis.com/v1/token",
    credential_source,
    ...(impersonated && {
      service_account_impersonation_url:
        "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/a@b.example:generateAccessToken",
    }),
  }),
});

const credentials: Credential[] = [
  { kind: "key", key: `${CANARY}-key` },
  staticKeys,
  { kind: "aws_role", roleArn, source: staticKeys },
  { kind: "aws_role", roleArn, source: { kind: "aws_imds" } },
  { kind: "aws_web_identity", roleArn, tokenFile: "/token" },
  { kind: "aws_container" },
  { kind: "aws_imds" },
  {
    kind: "gcp_service_account",
    json: JSON.stringify({ type: "service_account", client_email: "a@b.example", private_key: privateKey }),
  },
  external({ file: "/token" }, true),
  external(
    { url: "https://tokens.example/", headers: { authorization: `Bearer ${CANARY}` }, format: subject },
    true,
  ),
  external({ file: "/token" }, false),
  { kind: "gcp_metadata" },
  { kind: "azure_client", tenantId: guid, clientId: guid, clientSecret: `${CANARY}~secret` },
  { kind: "azure_workload", tenantId: guid, clientId: guid, tokenFile: "/token" },
  { kind: "azure_managed" },
].map((one) => credential.parse(one));

/** Answers that repeat secrets wherever a code, a text or a token may stand; most of them succeed in part. */
const anyStatus = fc.constantFrom(200, 200, 200, 302, 400, 401, 403, 404, 500);
const anyWord = fc.constantFrom(
  CANARY,
  `${CANARY}Exception`,
  keyLine,
  "invalid_grant",
  "AccessDenied",
  7000215,
);
const jsonBody = fc
  .record(
    {
      error: fc.oneof(anyWord, fc.record({ status: anyWord, message: anyWord })),
      error_description: anyWord,
      error_codes: fc.array(anyWord),
      code: anyWord,
      Code: fc.oneof(fc.constant("Success"), anyWord),
      message: anyWord,
      access_token: anyWord,
      accessToken: anyWord,
      expires_in: fc.oneof(fc.constant(3_600), anyWord),
      expireTime: fc.oneof(fc.constant("2030-01-01T00:00:00Z"), anyWord),
      AccessKeyId: anyWord,
      SecretAccessKey: anyWord,
      Token: anyWord,
      Expiration: fc.oneof(fc.constant("2030-01-01T00:00:00Z"), anyWord),
    },
    { requiredKeys: [] },
  )
  .map((body) => JSON.stringify(body));
const xmlBody = anyWord.map(
  (word) =>
    `<ErrorResponse><Error><Code>${word}</Code><Message>Signature expired: ${word}</Message></Error></ErrorResponse>`,
);
const anyReply = fc.oneof(
  fc.record({
    status: anyStatus,
    headers: fc.constantFrom({}, { "metadata-flavor": "Google" }, { date: CANARY, location: CANARY }),
    body: fc.oneof(jsonBody, xmlBody, fc.constantFrom(CANARY, "role", `<html>${keyLine}</html>`)),
  }),
  fc.constantFrom(new DialError("connect", new Error(CANARY)), new TypeError(`${CANARY} in ${keyLine}`)),
);
const anyEnvironment = fc.constantFrom<Record<string, string>>(
  { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: "/x", AWS_CONTAINER_AUTHORIZATION_TOKEN: CANARY },
  {
    AWS_CONTAINER_CREDENTIALS_FULL_URI: `http://${CANARY}.example/`,
    IDENTITY_ENDPOINT: CANARY,
    IDENTITY_HEADER: CANARY,
  },
  {
    IDENTITY_ENDPOINT: "http://127.0.0.1/",
    IDENTITY_HEADER: CANARY,
    AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: CANARY,
  },
);

/** All that a log or a page could take from an error. */
function textsOf(error: unknown): string {
  return [String(error), inspect(error, { depth: 10, showHidden: true }), JSON.stringify(error)].join("\n");
}

function expectNoSecret(text: string): void {
  expect(text).not.toContain(CANARY);
  expect(text).not.toContain(keyLine);
}

/** Source: docs/clouds.md#failures. */
describe("an exchange that fails", () => {
  test("tells nothing secret, whatever vendors answer", async () => {
    let failures = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...credentials),
        fc.array(anyReply, { minLength: 1, maxLength: 4 }),
        anyEnvironment,
        fc.constantFrom(CANARY, `{"access_token":"${CANARY}"}`, null),
        async (value, replies, environment, file) => {
          let at = 0;
          const send = async (_request: TokenRequest): Promise<TokenAnswer> => {
            const reply = replies[at++ % replies.length];
            if (reply === undefined || reply instanceof Error) throw reply;
            return reply;
          };
          const readFile = async (path: string) => {
            if (file === null) throw new Error(`${path} ${CANARY}`);
            return file;
          };
          const clock = new ManualClock();
          const { signal } = new AbortController();
          const context = {
            send,
            readFile,
            clock,
            environment,
            skews: new ClockSkews(),
            mayReachMachine: true,
            signal,
          };
          const error = await exchangeOf(
            value,
            audienceOf(value, "node.example"),
          )(context).then(
            () => null,
            (reason: unknown) => reason,
          );
          if (error === null) return;
          failures++;
          expect(error).toBeInstanceOf(CredentialError);
          expectNoSecret(textsOf(error));
        },
      ),
      { numRuns: 3_000 },
    );
    expect(failures).toBeGreaterThan(1_000);
  });
});

/** Source: docs/clouds.md#kinds. */
describe("a credential", () => {
  test.each(credentials)("of kind $kind is shown without its secrets, and so is who it is", (value) => {
    expectNoSecret(JSON.stringify(withoutSecrets(value)));
    expectNoSecret(String(principalOf(value)));
    expect(withoutSecrets(value)).toMatchObject({ kind: value.kind });
    const text = JSON.stringify(value);
    const isSecret = text.includes(CANARY) || text.includes(keyLine);
    expect(secretsOf(value).some((secret) => secret.includes(CANARY) || secret.includes(keyLine))).toBe(
      isSecret,
    );
  });

  test("that is not valid is told without its secrets", () => {
    const wrong = fc.constantFrom(`${CANARY} `, `${CANARY}\n${keyLine}`, `{"${CANARY}":1}`, "");
    const name = fc.constantFrom(
      "key",
      "secretAccessKey",
      "sessionToken",
      "clientSecret",
      "json",
      "accessKeyId",
      "roleArn",
    );
    fc.assert(
      fc.property(fc.constantFrom(...credentials), name, wrong, (value, member, text) => {
        const { error } = credential.safeParse({ ...value, [member]: text });
        if (error !== undefined) expectNoSecret(textsOf(error));
      }),
      { numRuns: 1_000 },
    );
  });
});
