import { describe, expect, test } from "vitest";
import { credential } from "@/lib/shared/credentials/credential";
import type { CredentialError } from "@/lib/upstream/credentials/credential-error";
import type { TokenRequest } from "@/lib/upstream/credentials/send";
import { TokenSources, type TokenSourcesOptions } from "@/lib/upstream/credentials/token-sources";
import { ExchangeRig } from "./exchange-rig";
import { ManualClock } from "./manual-clock";
import { json } from "./vendor-server";

const application = credential.parse({
  kind: "azure_client",
  tenantId: "11111111-aaaa-4bbb-8ccc-222222222222",
  clientId: "33333333-aaaa-4bbb-8ccc-444444444444",
  clientSecret: "secret",
});

function sourcesOf(changes: Partial<TokenSourcesOptions> = {}) {
  const clock = new ManualClock();
  const asked: TokenRequest[] = [];
  const warnings: [string, string][] = [];
  const sources = new TokenSources({
    send: async (request) => {
      asked.push(request);
      return {
        status: 200,
        headers: { "metadata-flavor": "Google" },
        body: '{"access_token":"t","expires_in":3600}',
      };
    },
    clock,
    startTimer: clock.startTimer,
    environment: {},
    readFile: async () => "a.token",
    allowAmbient: false,
    onWarning: ({ kind }, { code }) => warnings.push([kind, code]),
    onSkew: () => {},
    ...changes,
  });
  return { sources, clock, asked, warnings };
}

/** Source: docs/clouds.md#refresh. */
describe("token sources", () => {
  test("are one for each value of a credential, by what its tokens are for", () => {
    const { sources } = sourcesOf();
    const source = sources.get(application, "a.openai.azure.com");
    expect(sources.get({ ...application }, "b.openai.azure.com")).toBe(source);
    expect(sources.get(application, "a.services.ai.azure.com")).not.toBe(source);
    expect(sources.get({ ...application, scope: "api://x/.default" } as typeof application, "a")).not.toBe(
      source,
    );
  });

  test("ask a vendor once for a thousand callers of many nodes, at the start and when the token ends", async () => {
    const rig = await ExchangeRig.start();
    rig.server.vendors.set("login.microsoftonline.com", () =>
      json(200, { access_token: "t", expires_in: 3_600 }),
    );
    const { clock } = rig;
    const sources = new TokenSources({
      ...rig.context,
      startTimer: clock.startTimer,
      allowAmbient: false,
      onWarning: () => {},
      onSkew: () => {},
    });
    const storm = () =>
      Promise.all(
        Array.from({ length: 1_000 }, (_, at) => sources.get(application, `n${at}.openai.azure.com`).get()),
      );
    await storm();
    expect(rig.server.asked).toHaveLength(1);
    clock.advance(3_600_000);
    await storm();
    expect(rig.server.asked).toHaveLength(2);
    await rig.server.close();
  });

  test("name the credential whose refresh failed", async () => {
    let isDown = false;
    const body = '{"access_token":"t","expires_in":3600}';
    const { sources, clock, warnings } = sourcesOf({
      send: async () => ({ status: isDown ? 503 : 200, headers: {}, body }),
    });
    const source = sources.get(application, "a.openai.azure.com");
    await source.get();
    isDown = true;
    clock.advance(50 * 60_000);
    source.ready();
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([["azure_client", "http_503"]]);
  });
});

/** Source: docs/clouds.md#ambient. */
describe("what the gateway's machine lends", () => {
  const lent = [
    { kind: "aws_web_identity", roleArn: "arn:aws:iam::123456789012:role/r", tokenFile: "/t" },
    { kind: "aws_container" },
    { kind: "aws_imds" },
    { kind: "aws_role", roleArn: "arn:aws:iam::123456789012:role/r", source: { kind: "aws_imds" } },
    { kind: "gcp_metadata" },
    { kind: "azure_managed" },
    { ...application, kind: "azure_workload", tokenFile: "/t", clientSecret: undefined },
    {
      kind: "gcp_external",
      json: JSON.stringify({
        type: "external_account",
        audience: "a",
        subject_token_type: "t",
        token_url: "https://sts.googleapis.com/v1/token",
        credential_source: { file: "/t" },
      }),
    },
  ].map((one) => credential.parse(JSON.parse(JSON.stringify(one))));

  test.each(lent)("is not asked for without leave: $kind", async (one) => {
    const { sources, asked } = sourcesOf();
    const error = await sources
      .get(one, "h.example")
      .get()
      .catch((reason: CredentialError) => reason);
    expect(error).toMatchObject({ code: "ambient_disabled" });
    expect(asked).toEqual([]);
  });

  test("is had with leave, and then only for the kinds that need it", async () => {
    const { sources, asked } = sourcesOf({ allowAmbient: true });
    await sources.get(credential.parse({ kind: "gcp_metadata" }), "h.example").get();
    await sources.get(application, "h.example").get();
    expect(asked.map(({ reach }) => reach)).toEqual(["machine", "machine", "public"]);
  });

  test("is not needed by other kinds", async () => {
    const { sources } = sourcesOf();
    expect(await sources.get(application, "h.example").get()).toMatchObject({ access: { token: "t" } });
  });
});
