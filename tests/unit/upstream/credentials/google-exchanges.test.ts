import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ExchangeRig } from "./exchange-rig";
import { exchangeVendor, impersonationVendor, metadataVendor, tokenVendor } from "./google-vendors";
import { json } from "./vendor-server";

const MINUTE_MS = 60_000;
const mail = "gateway@project-1.iam.gserviceaccount.com";
const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
const other = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pkcs8 = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const pkcs1 = pair.privateKey.export({ type: "pkcs1", format: "pem" }).toString();

let rig: ExchangeRig;
beforeAll(async () => {
  rig = await ExchangeRig.start();
});
beforeEach(() => rig.reset());
afterAll(() => rig.server.close());

function account(changes: Record<string, unknown> = {}) {
  const file = {
    type: "service_account",
    project_id: "project-1",
    private_key_id: "key-1",
    private_key: pkcs8,
    client_email: mail,
    client_id: "1",
    token_uri: "https://oauth2.googleapis.com/token",
    ...changes,
  };
  return { kind: "gcp_service_account", json: JSON.stringify(file) };
}

function useTokens(host = "oauth2.googleapis.com", now = () => rig.clock.date()) {
  const keys = { "key-1": pair.publicKey };
  rig.server.vendors.set(host, tokenVendor({ keys, mail, token: "ya29.token", now }));
}

/** Source: docs/clouds.md#kinds. */
describe("a service account", () => {
  test.each([
    ["the usual form", pkcs8],
    ["the older form", pkcs1],
  ])("with a key in %s gets a token for what the key signs", async (_, private_key) => {
    useTokens();
    expect(await rig.run(account({ private_key }))).toEqual({
      access: { type: "bearer", token: "ya29.token" },
      principal: mail,
      lifeMs: 3_599_000,
    });
  });

  test("asks the endpoint of its file", async () => {
    useTokens("sts.eu.googleapis.com");
    await rig.run(account({ token_uri: "https://sts.eu.googleapis.com/token" }));
    expect(rig.server.asked[0]).toMatchObject({ reach: "public" });
  });

  test.each([
    ["a key of another account", { private_key: other.privateKey.export({ type: "pkcs8", format: "pem" }) }],
    ["a deleted key", { private_key_id: "key-0" }],
    ["another mail", { client_email: "other@project-1.iam.gserviceaccount.com" }],
  ])("with %s is refused as invalid_grant", async (_, changes) => {
    useTokens();
    expect(await rig.codeOf(account(changes))).toBe("invalid_grant");
  });

  test("on a machine with a wrong clock is refused as invalid_grant", async () => {
    useTokens("oauth2.googleapis.com", () => new Date(rig.clock.date().getTime() + 90 * MINUTE_MS));
    expect(await rig.codeOf(account())).toBe("invalid_grant");
  });

  test.each([
    ["no key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"],
    [
      "a key of another kind",
      generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }),
    ],
  ])("whose PEM text holds %s asks nobody", async (_, private_key) => {
    expect(await rig.codeOf(account({ private_key }))).toBe("private_key_invalid");
    expect(rig.server.asked).toEqual([]);
  });

  test.each([
    ["an unknown word", json(400, { error: "ya29.secret" }), "http_400"],
    ["no life", json(200, { access_token: "t" }), "bad_answer"],
    ["a life of nothing", json(200, { access_token: "t", expires_in: 0 }), "already_expired"],
    ["no token", json(200, { id_token: "t", expires_in: 1 }), "bad_answer"],
    ["a token that no header can carry", json(200, { access_token: "a\nb", expires_in: 1 }), "bad_answer"],
    ["something else", { status: 200, body: "<html>" }, "bad_answer"],
    ["nothing", "hang" as const, "timeout"],
  ])("that is answered with %s fails", async (_, reply, code) => {
    rig.server.vendors.set("oauth2.googleapis.com", () => reply);
    expect(await rig.codeOf(account())).toBe(code);
  });
});

/** Source: docs/clouds.md#kinds, #ambient. */
describe("an external account", () => {
  const audience = "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/k8s";
  const impersonation = `https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/${mail}:generateAccessToken`;

  function external(source: Record<string, unknown>, changes: Record<string, unknown> = {}) {
    const file = {
      type: "external_account",
      audience,
      subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
      token_url: "https://sts.googleapis.com/v1/token",
      credential_source: source,
      ...changes,
    };
    return { kind: "gcp_external", json: JSON.stringify(file) };
  }

  beforeEach(() => {
    rig.server.vendors.set("sts.googleapis.com", exchangeVendor(audience, "subject.jwt", "federated"));
    const vendor = impersonationVendor(mail, "federated", "impersonated", (seconds) =>
      rig.inSeconds(seconds),
    );
    rig.server.vendors.set("iamcredentials.googleapis.com", vendor);
  });

  test("exchanges the token of a file, which is read each time", async () => {
    rig.files = { "/token": "old.jwt" };
    expect(await rig.codeOf(external({ file: "/token" }))).toBe("invalid_grant");
    rig.files = { "/token": "subject.jwt\n" };
    expect(await rig.run(external({ file: "/token" }))).toEqual({
      access: { type: "bearer", token: "federated" },
      principal: audience,
      lifeMs: 3_600_000,
    });
  });

  test("exchanges the token in a JSON file of several lines", async () => {
    rig.files = { "/token.json": JSON.stringify({ a: { b: 1 }, id_token: "subject.jwt" }, null, 2) };
    const format = { type: "json", subject_token_field_name: "id_token" };
    expect((await rig.run(external({ file: "/token.json", format }))).access).toMatchObject({
      token: "federated",
    });
    const wrong = { type: "json", subject_token_field_name: "other" };
    expect(await rig.codeOf(external({ file: "/token.json", format: wrong }))).toBe("subject_token_missing");
  });

  test("impersonates a service account for as long as its file says", async () => {
    rig.files = { "/token": "subject.jwt" };
    const changes = {
      service_account_impersonation_url: impersonation,
      service_account_impersonation: { token_lifetime_seconds: 900 },
    };
    expect(await rig.run(external({ file: "/token" }, changes))).toEqual({
      access: { type: "bearer", token: "impersonated" },
      principal: mail,
      lifeMs: 900_000,
    });
    rig.server.vendors.set(
      "iamcredentials.googleapis.com",
      impersonationVendor(mail, "another", "t", String),
    );
    expect(await rig.codeOf(external({ file: "/token" }, changes))).toBe("PERMISSION_DENIED");
  });

  test("gets the token of an address with the headers of its file", async () => {
    rig.server.vendors.set("169.254.169.254", ({ headers }) =>
      headers.metadata === "True" ? json(200, { access_token: "subject.jwt" }) : { status: 400, body: "" },
    );
    const url = "http://169.254.169.254/metadata/identity/oauth2/token?resource=x";
    const format = { type: "json", subject_token_field_name: "access_token" };
    const source = { url, headers: { Metadata: "True" }, format };
    expect((await rig.run(external(source))).access).toMatchObject({ token: "federated" });
    expect(await rig.codeOf(external({ url, format }))).toBe("subject_token_http_400");
    expect(rig.server.asked.map(({ reach }) => reach)).toEqual(["machine", "public", "machine"]);
  });

  test.each(["http://tokens.example/t", "http://10.0.0.1/t", "https://192.168.0.1/t"])(
    "never asks %s for a token",
    async (url) => {
      expect(await rig.codeOf(external({ url }))).toBe("address_refused");
      expect(rig.server.asked).toEqual([]);
    },
  );

  test("of a pool that does not trust it is refused", async () => {
    rig.files = { "/token": "subject.jwt" };
    expect(await rig.codeOf(external({ file: "/token" }, { audience: "//other" }))).toBe("invalid_target");
    expect(await rig.codeOf(external({ file: "/none" }))).toBe("token_file_unreadable");
  });
});

/** Source: docs/clouds.md#ambient. */
describe("the service account of a machine", () => {
  const use = () => rig.server.vendors.set("metadata.google.internal", metadataVendor(mail, "ya29.machine"));

  test("gets a token and is known by its mail", async () => {
    use();
    const expected = {
      access: { type: "bearer", token: "ya29.machine" },
      principal: mail,
      lifeMs: 1_800_000,
    };
    expect(await rig.run({ kind: "gcp_metadata" })).toEqual(expected);
    expect(await rig.run({ kind: "gcp_metadata", serviceAccount: mail })).toEqual(expected);
    expect(rig.server.asked.every(({ timeoutMs, reach }) => timeoutMs === 1_000 && reach === "machine")).toBe(
      true,
    );
  });

  test("fails where there is none, or where somebody else answers", async () => {
    use();
    expect(await rig.codeOf({ kind: "gcp_metadata", serviceAccount: "o@x.example" })).toBe(
      "service_account_missing",
    );
    rig.server.vendors.set("metadata.google.internal", () => json(200, { access_token: "t", expires_in: 1 }));
    expect(await rig.codeOf({ kind: "gcp_metadata" })).toBe("not_a_metadata_server");
    rig.server.vendors.delete("metadata.google.internal");
    expect(await rig.codeOf({ kind: "gcp_metadata" })).toBe("unreachable");
  });

  test("still gets a token where its mail is not told", async () => {
    const vendor = metadataVendor(mail, "ya29.machine");
    rig.server.vendors.set("metadata.google.internal", (request) =>
      request.url.pathname.endsWith("/email") ? "hang" : vendor(request),
    );
    expect((await rig.run({ kind: "gcp_metadata" })).principal).toBe("default");
  });
});
