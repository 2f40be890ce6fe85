import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { entraScope, entraScopes } from "@/lib/upstream/credentials/entra-scope";
import { appServiceVendor, azureImdsVendor, entraVendor } from "./azure-vendors";
import { ExchangeRig } from "./exchange-rig";
import { json } from "./vendor-server";

const tenantId = "11111111-aaaa-4bbb-8ccc-222222222222";
const clientId = "33333333-aaaa-4bbb-8ccc-444444444444";
const otherId = "55555555-aaaa-4bbb-8ccc-666666666666";
const resourceId =
  "/subscriptions/s/resourceGroups/g/providers/Microsoft.ManagedIdentity/userAssignedIdentities/gateway";
const openai = "https://cognitiveservices.azure.com/.default";
const resource = "https://cognitiveservices.azure.com";

let rig: ExchangeRig;
beforeAll(async () => {
  rig = await ExchangeRig.start();
});
beforeEach(() => rig.reset());
afterAll(() => rig.server.close());

const nowS = () => rig.clock.date().getTime() / 1_000;

function useEntra(host = "login.microsoftonline.com", scope = openai) {
  const options = { tenantId, clientId, scope, secret: "s3cr3t~value", assertion: "good.assertion" };
  rig.server.vendors.set(host, entraVendor(options));
}

/** Source: docs/clouds.md#kinds. */
describe("an application with a secret", () => {
  const application = { kind: "azure_client", tenantId, clientId, clientSecret: "s3cr3t~value" };

  test("gets a token", async () => {
    useEntra();
    expect(await rig.run(application)).toEqual({
      access: { type: "bearer", token: "eyJ.entra" },
      principal: clientId,
      lifeMs: 3_599_000,
    });
    expect(rig.server.asked[0]?.reach).toBe("public");
  });

  test.each([
    ["us_government", "login.microsoftonline.us", "https://cognitiveservices.azure.us/.default"],
    ["china", "login.chinacloudapi.cn", "https://cognitiveservices.azure.cn/.default"],
  ])("of the cloud %s signs in there", async (cloud, host, scope) => {
    useEntra(host, scope);
    expect((await rig.run({ ...application, cloud })).access).toMatchObject({ token: "eyJ.entra" });
  });

  test("asks for what the node's host needs, or for what it says itself", async () => {
    useEntra("login.microsoftonline.com", entraScopes.public.foundry);
    await rig.run(application, "res.services.ai.azure.com");
    useEntra("login.microsoftonline.com", "api://own/.default");
    await rig.run({ ...application, scope: "api://own/.default" }, "res.services.ai.azure.com");
    expect(entraScope({ cloud: "public" }, "res.openai.azure.com")).toBe(openai);
    expect(entraScope({ cloud: "public" }, "proxy.example")).toBe(openai);
  });

  test.each([
    ["a wrong secret", { clientSecret: "wrong-secret" }, "AADSTS7000215"],
    ["an unknown tenant", { tenantId: otherId }, "AADSTS90002"],
    ["an unknown application", { clientId: otherId }, "AADSTS700016"],
    ["a wrong scope", { scope: "https://x.example/.default" }, "AADSTS70011"],
  ])("with %s fails by the number of the vendor", async (_, changes, code) => {
    useEntra();
    expect(await rig.codeOf({ ...application, ...changes })).toBe(code);
  });

  test.each([
    ["an expired secret", json(401, { error: "invalid_client", error_codes: [7000222] }), "AADSTS7000222"],
    [
      "numbers that are none",
      json(401, { error: "invalid_client", error_codes: ["s3cr3t"] }),
      "invalid_client",
    ],
    ["an unknown word", json(400, { error: "s3cr3t~value" }), "http_400"],
    ["a redirect", { status: 302, headers: { location: "http://169.254.169.254/" }, body: "" }, "redirected"],
    ["nothing", "hang" as const, "timeout"],
  ])("that is answered with %s fails", async (_, reply, code) => {
    rig.server.vendors.set("login.microsoftonline.com", () => reply);
    expect(await rig.codeOf(application)).toBe(code);
    expect(rig.server.asked).toHaveLength(1);
  });
});

/** Source: docs/clouds.md#ambient. */
describe("an application that trusts a file", () => {
  const workload = { kind: "azure_workload", tenantId, clientId };

  test("gets a token for the assertion, which is read each time", async () => {
    useEntra();
    rig.environment = { AZURE_FEDERATED_TOKEN_FILE: "/var/run/secrets/azure/tokens/azure-identity-token" };
    rig.files = { "/var/run/secrets/azure/tokens/azure-identity-token": "old.assertion" };
    expect(await rig.codeOf(workload)).toBe("AADSTS700213");
    rig.files = { "/var/run/secrets/azure/tokens/azure-identity-token": "good.assertion" };
    expect(await rig.run(workload)).toMatchObject({ access: { token: "eyJ.entra" }, principal: clientId });
  });

  test("fails without a file", async () => {
    expect(await rig.codeOf(workload)).toBe("environment_missing");
    expect(await rig.codeOf({ ...workload, tokenFile: "/none" })).toBe("token_file_unreadable");
  });
});

/** Source: docs/clouds.md#ambient. */
describe("the identity of a machine", () => {
  const managed = { kind: "azure_managed" };
  const use = () => {
    const ids = { client_id: clientId, object_id: otherId, msi_res_id: resourceId };
    rig.server.vendors.set("169.254.169.254", azureImdsVendor(resource, ids, nowS));
  };

  test.each([
    [{}, "own", "identity of the machine"],
    [{ clientId }, "client_id", clientId],
    [{ objectId: otherId }, "object_id", otherId],
    [{ resourceId }, "msi_res_id", resourceId],
  ])("named by %j gets a token", async (ids, asked, principal) => {
    use();
    expect(await rig.run({ ...managed, ...ids })).toEqual({
      access: { type: "bearer", token: `eyJ.machine.${asked}` },
      principal,
      lifeMs: 86_399_000,
    });
    expect(rig.server.asked[0]?.reach).toBe("machine");
  });

  test.each([
    [{}, "own"],
    [{ clientId }, "client_id"],
    [{ resourceId }, "mi_res_id"],
  ])("named by %j gets a token of the service that runs it", async (ids, asked) => {
    rig.environment = {
      IDENTITY_ENDPOINT: "http://169.254.131.2:8081/msi/token",
      IDENTITY_HEADER: "service-secret",
    };
    rig.server.vendors.set("169.254.131.2:8081", appServiceVendor("service-secret", resource, nowS));
    expect(await rig.run({ ...managed, ...ids })).toMatchObject({
      access: { token: `eyJ.service.${asked}` },
      lifeMs: 3_600_000,
    });
  });

  test("fails where there is none", async () => {
    use();
    expect(await rig.codeOf({ ...managed, clientId: otherId })).toBe("identity_not_found");
    rig.server.vendors.set("169.254.169.254", () => json(200, { access_token: "t" }));
    expect(await rig.codeOf(managed)).toBe("bad_answer");
    rig.server.vendors.set("169.254.169.254", () => "hang");
    expect(await rig.codeOf(managed)).toBe("timeout");
  });

  test.each(["http://10.0.0.1/msi/token", "https://evil.example/msi/token", "nonsense"])(
    "is never asked for at %s",
    async (endpoint) => {
      rig.environment = { IDENTITY_ENDPOINT: endpoint, IDENTITY_HEADER: "service-secret" };
      expect(await rig.codeOf(managed)).toBe("address_refused");
      expect(rig.server.asked).toEqual([]);
    },
  );
});
