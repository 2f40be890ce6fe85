import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { containerVendor, imdsVendor, stsError, stsVendor } from "./aws-vendors";
import { ExchangeRig } from "./exchange-rig";
import { json } from "./vendor-server";

const HOUR_MS = 3_600_000;
const roleArn = "arn:aws:iam::123456789012:role/team/gateway";
const staticKeys = {
  kind: "aws_static",
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
};
const answered = { accessKeyId: "ASIAANSWERED", secretAccessKey: "answered/secret", sessionToken: "a&b+/==" };
const answeredKeys = { type: "aws", keys: answered };

let rig: ExchangeRig;
beforeAll(async () => {
  rig = await ExchangeRig.start();
});
beforeEach(() => rig.reset());
afterAll(() => rig.server.close());

function machineKeys(lifeS = 3_600) {
  return {
    Code: "Success",
    LastUpdated: rig.inSeconds(-60),
    Type: "AWS-HMAC",
    AccessKeyId: "ASIAMACHINE",
    SecretAccessKey: "machine/secret",
    Token: "machine/token==",
    Expiration: rig.inSeconds(lifeS),
  };
}

function useSts(region = "eu-west-1", changes: Partial<Parameters<typeof stsVendor>[0]> = {}) {
  const vendor = stsVendor({
    region,
    secrets: { [staticKeys.accessKeyId]: staticKeys.secretAccessKey, ASIAMACHINE: "machine/secret" },
    now: () => rig.clock.date(),
    mayAssume: (form) => form.get("RoleArn") === roleArn,
    answer: { ...answered, lifeS: 3_600 },
    ...changes,
  });
  rig.server.vendors.set(`sts.${region}.amazonaws.com`, vendor);
}

/** Source: docs/clouds.md#kinds. */
describe("static keys", () => {
  test("sign as they are and ask nobody", async () => {
    const { kind: _, ...keys } = staticKeys;
    expect(await rig.run(staticKeys)).toEqual({
      access: { type: "aws", keys: { ...keys, sessionToken: null } },
      principal: "AKIAIOSFODNN7EXAMPLE",
      lifeMs: null,
    });
    expect(rig.server.asked).toEqual([]);
  });
});

/** Source: docs/clouds.md#kinds, #skew. */
describe("a role", () => {
  const role = { kind: "aws_role", source: staticKeys, roleArn, externalId: "x:1", region: "eu-west-1" };

  test("is assumed with a signed call in the credential's region", async () => {
    const forms: Record<string, string>[] = [];
    useSts("eu-west-1", {
      mayAssume: (form) => {
        forms.push(Object.fromEntries(form));
        return form.get("ExternalId") === "x:1";
      },
    });
    expect(await rig.run({ ...role, durationS: 900, sessionName: "node-1" })).toEqual({
      access: answeredKeys,
      principal: roleArn,
      lifeMs: HOUR_MS,
    });
    expect(forms).toEqual([
      {
        Action: "AssumeRole",
        Version: "2011-06-15",
        RoleArn: roleArn,
        RoleSessionName: "node-1",
        DurationSeconds: "900",
        ExternalId: "x:1",
      },
    ]);
    expect(rig.server.asked[0]).toMatchObject({ reach: "public", maxBytes: 65_536 });
  });

  test("is asked for in the region of the node's host, or else in the first region", async () => {
    useSts("ap-south-1");
    const { region: _, ...anywhere } = role;
    await rig.run(anywhere, "bedrock-runtime.ap-south-1.amazonaws.com");
    useSts("us-east-1");
    await rig.run(anywhere, "bedrock.internal.example");
    expect(rig.server.asked).toHaveLength(2);
  });

  test.each([
    ["a clock that is late", 20],
    ["a clock that is early", -20],
  ])("is had with %s, by the time of the service, which is kept", async (_, minutes) => {
    const late = await ExchangeRig.start();
    const now = () => new Date(late.clock.date().getTime() + minutes * 60_000);
    useSts("eu-west-1", { now });
    for (const [host, vendor] of rig.server.vendors) late.server.vendors.set(host, vendor);
    expect((await late.run(role)).lifeMs).toBe(HOUR_MS);
    expect(late.server.asked).toHaveLength(2);
    await late.run(role);
    expect(late.server.asked).toHaveLength(3);
    expect(late.skews.of("sts.eu-west-1.amazonaws.com")).toBe(minutes * 60_000);
    await late.server.close();
  });

  test.each([
    [
      "another secret",
      { ...role, source: { ...staticKeys, secretAccessKey: "x".repeat(40) } },
      "SignatureDoesNotMatch",
    ],
    [
      "keys that are gone",
      { ...role, source: { ...staticKeys, accessKeyId: "AKIAGONEGONEGONEGONE" } },
      "InvalidClientTokenId",
    ],
    ["no right to it", { ...role, roleArn: "arn:aws:iam::123456789012:role/other" }, "AccessDenied"],
  ])("with %s fails by the service's word", async (_, credential, code) => {
    useSts();
    expect(await rig.codeOf(credential)).toBe(code);
  });

  test.each([
    ["an unknown word", () => stsError(400, "wJalrXUtnFEMI", "x", new Date()), "http_400"],
    ["a page of a proxy", () => ({ status: 502, body: "<html>Bad gateway</html>" }), "http_502"],
    ["no keys", () => ({ status: 200, body: "<AssumeRoleResponse/>" }), "bad_answer"],
    [
      "a redirect",
      () => ({ status: 307, headers: { location: "https://evil.example/" }, body: "" }),
      "redirected",
    ],
    ["more than 64 KiB", () => ({ status: 200, body: "x".repeat(65_537) }), "answer_too_large"],
    ["nothing", () => "hang" as const, "timeout"],
  ])("that is answered with %s fails", async (_, vendor, code) => {
    rig.server.vendors.set("sts.eu-west-1.amazonaws.com", vendor);
    expect(await rig.codeOf(role)).toBe(code);
    expect(rig.server.asked).toHaveLength(1);
  });

  test("fails when the service cannot be reached, or tells keys that have ended", async () => {
    expect(await rig.codeOf(role)).toBe("unreachable");
    useSts("eu-west-1", { answer: { ...answered, lifeS: -1 } });
    expect(await rig.codeOf(role)).toBe("already_expired");
  });

  test("is assumed with the keys of the machine", async () => {
    useSts();
    rig.server.vendors.set("169.254.169.254", imdsVendor("host-role", machineKeys));
    expect((await rig.run({ ...role, source: { kind: "aws_imds" } })).access).toEqual(answeredKeys);
  });
});

describe("a role for a token in a file", () => {
  const identity = { kind: "aws_web_identity", roleArn, region: "eu-west-1" };

  test("is had with an unsigned call, and the file is read each time", async () => {
    useSts();
    rig.environment = { AWS_WEB_IDENTITY_TOKEN_FILE: "/var/run/token" };
    rig.files = { "/var/run/token": "an.old.token\n" };
    expect(await rig.codeOf(identity)).toBe("InvalidIdentityToken");
    rig.files = { "/var/run/token": "a.good.token\n", "/other": "a.good.token" };
    expect(await rig.run(identity)).toMatchObject({ access: answeredKeys, principal: roleArn });
    rig.environment = {};
    expect((await rig.run({ ...identity, tokenFile: "/other" })).access).toEqual(answeredKeys);
  });

  test("fails without a file and asks nobody", async () => {
    expect(await rig.codeOf(identity)).toBe("environment_missing");
    expect(await rig.codeOf({ ...identity, tokenFile: "/nowhere" })).toBe("token_file_unreadable");
    rig.files = { "/two": "one\ntwo", "/empty": "\n" };
    expect(await rig.codeOf({ ...identity, tokenFile: "/two" })).toBe("token_file_unreadable");
    expect(await rig.codeOf({ ...identity, tokenFile: "/empty" })).toBe("token_file_unreadable");
    expect(rig.server.asked).toEqual([]);
  });
});

/** Source: docs/clouds.md#ambient. */
describe("the role of a container", () => {
  const container = { kind: "aws_container" };
  const keys = () => ({ ...machineKeys(), RoleArn: roleArn });

  test("is had from the task's endpoint", async () => {
    rig.environment = { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: "/v2/credentials/1?a=b" };
    rig.server.vendors.set("169.254.170.2", containerVendor("/v2/credentials/1?a=b", null, keys));
    expect(await rig.run(container)).toEqual({
      access: {
        type: "aws",
        keys: {
          accessKeyId: "ASIAMACHINE",
          secretAccessKey: "machine/secret",
          sessionToken: "machine/token==",
        },
      },
      principal: roleArn,
      lifeMs: HOUR_MS,
    });
    expect(rig.server.asked[0]?.reach).toBe("machine");
  });

  test("is had from a full address with the token of a file, or of the environment", async () => {
    rig.server.vendors.set("169.254.170.23", containerVendor("/v1/credentials", "pod-token", keys));
    const url = "http://169.254.170.23/v1/credentials";
    rig.files = { "/token": "pod-token\n" };
    rig.environment = {
      AWS_CONTAINER_CREDENTIALS_FULL_URI: url,
      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: "/token",
      AWS_CONTAINER_AUTHORIZATION_TOKEN: "another",
    };
    expect((await rig.run(container)).principal).toBe(roleArn);
    rig.environment = {
      AWS_CONTAINER_CREDENTIALS_FULL_URI: url,
      AWS_CONTAINER_AUTHORIZATION_TOKEN: "pod-token",
    };
    expect((await rig.run(container)).principal).toBe(roleArn);
    rig.environment = { AWS_CONTAINER_CREDENTIALS_FULL_URI: url, AWS_CONTAINER_AUTHORIZATION_TOKEN: "wrong" };
    expect(await rig.codeOf(container)).toBe("InvalidTokenException");
  });

  test.each([
    "http://example.com/keys",
    "http://169.254.169.254/keys",
    "http://127.0.0.1.evil.example/keys",
    "http://10.0.0.1/keys",
    "https://10.0.0.1/keys",
    "https://user:pass@example.com/keys",
    "file:///etc/passwd",
    "nonsense",
  ])("is never asked for at %s", async (url) => {
    rig.environment = { AWS_CONTAINER_CREDENTIALS_FULL_URI: url };
    expect(await rig.codeOf(container)).toBe("address_refused");
    expect(rig.server.asked).toEqual([]);
  });

  test.each([
    "http://localhost:51679/k",
    "http://127.0.0.1:9/k",
    "http://[::1]/k",
    "http://[fd00:ec2::23]/k",
    "https://keys.example/k",
  ])("is asked for at %s", async (url) => {
    rig.environment = { AWS_CONTAINER_CREDENTIALS_FULL_URI: url };
    rig.server.vendors.set(new URL(url).host, containerVendor("/k", null, machineKeys));
    expect((await rig.run(container)).principal).toBe("role of the container");
  });

  test("fails where there is none", async () => {
    expect(await rig.codeOf(container)).toBe("environment_missing");
    rig.environment = { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: "@evil.example/" };
    expect(await rig.codeOf(container)).toBe("address_refused");
    rig.environment = { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: "/x" };
    rig.server.vendors.set("169.254.170.2", () => json(200, { ...machineKeys(), Expiration: undefined }));
    expect(await rig.codeOf(container)).toBe("bad_answer");
    rig.server.vendors.set("169.254.170.2", () => json(200, { ...machineKeys(), Token: "with\nbreak" }));
    expect(await rig.codeOf(container)).toBe("bad_answer");
  });
});

/** Source: docs/clouds.md#ambient. */
describe("the role of a machine", () => {
  const imds = { kind: "aws_imds" };
  const use = (role: string | null, document: () => object = machineKeys) =>
    rig.server.vendors.set("169.254.169.254", imdsVendor(role, document));

  test("is had by version 2 of the metadata service, each question within a second", async () => {
    use("host-role");
    expect(await rig.run(imds)).toMatchObject({ principal: "host-role", lifeMs: HOUR_MS });
    expect(rig.server.asked.map(({ method }) => method)).toEqual(["PUT", "GET", "GET"]);
    expect(rig.server.asked.every(({ timeoutMs, reach }) => timeoutMs === 1_000 && reach === "machine")).toBe(
      true,
    );
    expect(rig.server.asked[0]?.headers).toEqual({ "x-aws-ec2-metadata-token-ttl-seconds": "21600" });
  });

  test("has the life that is left by the service's clock", async () => {
    const vendor = imdsVendor("host-role", machineKeys);
    const date = new Date(rig.inSeconds(600)).toUTCString();
    rig.server.vendors.set("169.254.169.254", async (request) => {
      const reply = await vendor(request);
      return reply === "hang" ? reply : { ...reply, headers: { ...reply.headers, date } };
    });
    expect((await rig.run(imds)).lifeMs).toBe(3_000_000);
  });

  test("fails where there is no service, no role, or no right", async () => {
    rig.server.vendors.set("169.254.169.254", () => "hang");
    expect(await rig.codeOf(imds)).toBe("timeout");
    rig.server.vendors.set("169.254.169.254", () => ({ status: 403, body: "" }));
    expect(await rig.codeOf(imds)).toBe("http_403");
    use(null);
    expect(await rig.codeOf(imds)).toBe("machine_without_role");
    use("host-role", () => ({ Code: "AssumeRoleUnauthorizedAccess", Message: "x" }));
    expect(await rig.codeOf(imds)).toBe("AssumeRoleUnauthorizedAccess");
    use("bad/role");
    expect(await rig.codeOf(imds)).toBe("bad_answer");
  });

  test("is never asked for without leave", async () => {
    use("host-role");
    expect(await rig.codeOf(imds, { mayReachMachine: false })).toBe("address_refused");
    expect(rig.server.asked).toEqual([]);
  });
});
