import { Sha256 } from "@aws-crypto/sha256-js";
import { HttpRequest } from "@smithy/protocol-http";
import { SignatureV4 } from "@smithy/signature-v4";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AwsKeys } from "@/lib/upstream/credentials/aws-keys";
import { signAwsRequest, type UnsignedRequest } from "@/lib/upstream/credentials/aws-signature";
import { type AwsTarget, awsTarget, stsHost } from "@/lib/upstream/credentials/aws-target";
import { SigningKeys } from "@/lib/upstream/credentials/signing-keys";

const RUNS = 10_000;

const example: AwsKeys = {
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
  sessionToken: "TOK/EN+==",
};
const noon = new Date("2026-11-29T12:00:00Z");
const bedrock: AwsTarget = { region: "us-east-1", service: "bedrock" };

function requestOf(path: string, changes: Partial<UnsignedRequest> = {}): UnsignedRequest {
  const url = new URL(`https://bedrock-runtime.us-east-1.amazonaws.com${path}`);
  return { method: "POST", url, contentType: "application/json", body: '{"a":1}', ...changes };
}

function signatureOf(headers: Record<string, string>): string {
  return /Signature=(\w+)$/.exec(headers.authorization ?? "")?.[1] ?? "";
}

/** What another implementation adds to the same request. */
async function otherwiseSigned(
  { method, url, contentType, body }: UnsignedRequest,
  keys: AwsKeys,
  target: AwsTarget,
  at: Date,
) {
  const { sessionToken, ...pair } = keys;
  const credentials = sessionToken === null ? pair : { ...pair, sessionToken };
  const signer = new SignatureV4({ ...target, credentials, sha256: Sha256 });
  const query: Record<string, string[]> = {};
  for (const name of url.searchParams.keys()) query[name] = url.searchParams.getAll(name);
  const headers: Record<string, string> = { host: url.host };
  if (contentType !== null) headers["content-type"] = contentType;
  const request = new HttpRequest({
    method,
    protocol: url.protocol,
    path: url.pathname,
    query,
    headers,
    body,
  });
  const signed = await signer.sign(request, { signingDate: at });
  const added = Object.entries(signed.headers).filter(([name]) => !(name in headers));
  return Object.fromEntries(added.map(([name, value]) => [name.toLowerCase(), value]));
}

const region = fc.constantFrom("us-east-1", "eu-central-1", "ap-southeast-2", "us-gov-west-1", "cn-north-1");
const anyTarget = fc.record({ region, service: fc.constantFrom("bedrock", "bedrock-mantle", "sts") });
const keyCharacter = fc.constantFrom(..."ABCDEFGHabcdefgh0123456789+/=");
const keyText = (length: number) => fc.string({ unit: keyCharacter, minLength: 1, maxLength: length });
const anyKeys = fc.record({
  accessKeyId: fc.stringMatching(/^A[KS]IA[A-Z2-7]{16}$/),
  secretAccessKey: keyText(40),
  sessionToken: fc.option(keyText(300)),
});
const idUnit = fc.oneof(
  fc.constantFrom(..."/:@%!'()*+,;=&$~._- "),
  fc.string({ unit: "binary", maxLength: 3 }),
);
const modelId = fc
  .array(fc.oneof(idUnit, fc.stringMatching(/^[a-z0-9]{1,8}$/)), { minLength: 1, maxLength: 8 })
  .map((parts) => `m${parts.join("").toWellFormed()}`);
/** As a segment of a path: all encoded, or what a path may hold left as it is. */
const segment = fc.oneof(
  modelId.map(encodeURIComponent),
  modelId.map((id) => id.replace(/[^A-Za-z0-9\-._~!$&'()*+,;=:@]+/gu, encodeURIComponent)),
);
const port = fc.constantFrom("", ":443", ":80", ":8443", ":65535");
const query = fc
  .array(fc.tuple(fc.constantFrom("nextToken", "a", "a b", "é", "A-1"), modelId), { maxLength: 3 })
  .map((pairs) => new URLSearchParams(pairs).toString());
const anyUrl = fc
  .record({
    scheme: fc.constantFrom("https", "http"),
    host: fc.constantFrom(
      "bedrock-runtime.eu-west-1.amazonaws.com",
      "vpce-1.example",
      "10.0.0.7",
      "[fd00::1]",
    ),
    port,
    path: fc.array(segment, { minLength: 1, maxLength: 4 }),
    query,
  })
  .map(
    ({ scheme, host, port, path, query }) => new URL(`${scheme}://${host}${port}/${path.join("/")}?${query}`),
  );
const anyRequest: fc.Arbitrary<UnsignedRequest> = fc.record({
  method: fc.constantFrom("POST", "GET", "PUT"),
  url: anyUrl,
  contentType: fc.constantFrom(null, "application/json", "application/x-www-form-urlencoded; charset=utf-8"),
  body: fc.oneof(fc.string({ unit: "binary" }), fc.uint8Array({ maxLength: 200 })),
});
const anyTime = fc.date({ min: new Date("2020-01-01"), max: new Date("2099-12-31"), noInvalidDate: true });

/** Source: docs/clouds.md#signing. */
describe("a signature", () => {
  test.each([
    [
      "us.anthropic.claude-sonnet-4-5-20250929-v1%3A0",
      "6354406555a50c0f01ce2c44d8ed2f5de104c875f1d24ab552645f018b8470dd",
    ],
    [
      "arn%3Aaws%3Abedrock%3Aus-east-1%3A123456789012%3Aapplication-inference-profile%2Fabc123",
      "9ea1ec9a33fd2820dc99fce4201e2eea121522ead1d7842b9044d683a57f5dbd",
    ],
  ])("for model %s is the known one", (id, expected) => {
    const request = requestOf(`/model/${id}/invoke-with-response-stream`);
    expect(signatureOf(signAwsRequest(request, example, bedrock, noon))).toBe(expected);
  });

  test(`of ${RUNS} generated requests is that of another implementation, as are all headers`, async () => {
    const property = fc.asyncProperty(
      anyRequest,
      anyKeys,
      anyTarget,
      anyTime,
      async (request, keys, target, at) => {
        const expected = await otherwiseSigned(request, keys, target, at);
        expect(signAwsRequest(request, keys, target, at)).toEqual(expected);
      },
    );
    await fc.assert(property, { numRuns: RUNS });
  });

  test("covers the type, the host, the hash, the time and the session token, and nothing else", () => {
    const { authorization } = signAwsRequest(requestOf("/model/m/invoke"), example, bedrock, noon);
    expect(authorization).toContain(
      "SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date;x-amz-security-token,",
    );
    const plain = { ...example, sessionToken: null };
    const get = requestOf("/foundation-models", { method: "GET", contentType: null, body: "" });
    const headers = signAwsRequest(get, plain, bedrock, noon);
    expect(headers.authorization).toContain("SignedHeaders=host;x-amz-content-sha256;x-amz-date,");
    expect(Object.keys(headers)).not.toContain("x-amz-security-token");
  });

  test("is of the port that is dialled, unless it is that of the scheme", () => {
    const at = (origin: string) =>
      signatureOf(
        signAwsRequest(requestOf("", { url: new URL(`${origin}/model/m/invoke`) }), example, bedrock, noon),
      );
    expect(at("https://proxy.example:443")).toBe(at("https://proxy.example"));
    expect(at("https://proxy.example:8443")).not.toBe(at("https://proxy.example"));
    expect(at("https://vpce-1.example")).not.toBe(at("https://proxy.example"));
  });

  test("is of a path that is not normalised", () => {
    const of = (path: string) => signatureOf(signAwsRequest(requestOf(path), example, bedrock, noon));
    expect(of("/model//invoke")).not.toBe(of("/model/invoke"));
    expect(of("/model/a%3Ab/invoke")).not.toBe(of("/model/a:b/invoke"));
  });

  test("takes no secret into the headers", () => {
    fc.assert(
      fc.property(anyRequest, anyTarget, (request, target) => {
        const text = JSON.stringify(signAwsRequest(request, example, target, noon));
        expect(text).not.toContain(example.secretAccessKey);
      }),
      { numRuns: 50 },
    );
  });
});

describe("signing keys", () => {
  test("are made once a day for each key, region and service, and never more than allowed", () => {
    const keys = new SigningKeys(2);
    const first = keys.get(example, bedrock, "20261129");
    expect(keys.get(example, bedrock, "20261129")).toBe(first);
    const others = ["20261130", "20261201", "20261202"].map((day) =>
      keys.get(example, bedrock, day).toString("hex"),
    );
    expect(new Set(others).size).toBe(3);
    expect(keys.size).toBe(2);
    expect(keys.get(example, bedrock, "20261129")).toEqual(first);
  });

  test("change with the secret of the same access key", () => {
    const keys = new SigningKeys(2);
    const before = keys.get(example, bedrock, "20261129");
    expect(keys.get({ ...example, secretAccessKey: "other" }, bedrock, "20261129")).not.toEqual(before);
  });
});

describe("region and service", () => {
  test.each([
    ["bedrock-runtime.us-east-1.amazonaws.com", "us-east-1", "bedrock"],
    ["bedrock-runtime-fips.us-gov-west-1.amazonaws.com", "us-gov-west-1", "bedrock"],
    ["vpce-0a1b-c2d3.bedrock-runtime.eu-west-3.vpce.amazonaws.com", "eu-west-3", "bedrock"],
    ["bedrock-runtime.cn-north-1.amazonaws.com.cn", "cn-north-1", "bedrock"],
    ["bedrock-runtime.eusc-de-east-1.api.aws", "eusc-de-east-1", "bedrock"],
    ["Bedrock-Mantle.ap-southeast-2.api.aws", "ap-southeast-2", "bedrock-mantle"],
    ["bedrock.us-west-2.amazonaws.com", "us-west-2", "bedrock"],
  ])("of %s are its own", (hostname, region, service) => {
    expect(awsTarget(hostname, { region: "sa-east-1" })).toEqual({ region, service });
  });

  test.each([
    "bedrock-runtime.us-east-1.amazonaws.com.evil.example",
    "evilbedrock-runtime.us-east-1.amazonaws.com",
    "bedrock-runtime.us-east-1.amazonaws.org",
    "bedrock.internal.example",
  ])("of %s are those of the credential", (hostname) => {
    expect(awsTarget(hostname, { region: "sa-east-1", service: "other" })).toEqual({
      region: "sa-east-1",
      service: "other",
    });
    expect(awsTarget(hostname, {})).toBeNull();
  });

  test("lead to the token service of the same partition", () => {
    expect(stsHost("eu-west-1")).toBe("sts.eu-west-1.amazonaws.com");
    expect(stsHost("cn-north-1")).toBe("sts.cn-north-1.amazonaws.com.cn");
  });
});
