import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { draftTestResult } from "@/lib/api/schemas/node-tests";
import type { ApiError, Body } from "../support/account-server";
import { certificateSkipReason } from "../support/certificates";
import {
  CloudVendors,
  cloudCanaries,
  cloudCredentials,
  hosts,
  KEY_LINE,
  roleNamed,
  USER,
} from "../support/cloud-vendors";
import { fresh, gatewayFor } from "../support/gateway-fixtures";
import { postgresServer } from "../support/postgres";
import { discardServer, startServer } from "../support/server";
import { cheapestDatabase } from "../support/server-databases";

const { keys, role, entra, google } = cloudCredentials;

let vendors: CloudVendors;
const without = certificateSkipReason !== null;
beforeAll(async () => {
  if (without) return;
  vendors = new CloudVendors(() => gateway.upstream.url);
  await vendors.start();
});
afterAll(() => vendors?.close());

const gateway = gatewayFor({
  models: [],
  get env() {
    return { ALLOW_PRIVATE_UPSTREAMS: "1", ...vendors?.environment };
  },
});

const baseUrl = `https://${hosts.bedrock}/openai/v1`;

async function admin<T = Body>(method: string, path: string, body?: unknown) {
  return gateway.server.api<T>(method, `/api/admin/${path}`, await gateway.server.adminToken(), body);
}

const make = (fields: object) =>
  admin<Body & ApiError>("POST", "nodes", { name: fresh("n"), protocol: "chat", baseUrl, ...fields });

async function refusalOf(fields: object) {
  const { status, body } = await make(fields);
  return [status, body.error?.fields];
}

/** Source: docs/clouds.md#kinds. */
describe.skipIf(without)("the credential of a node", () => {
  test.each([
    [keys, { kind: "aws_static", principal: USER.accessKeyId, accessKeyId: USER.accessKeyId }],
    [role, { kind: "aws_role", principal: role.roleArn, roleArn: role.roleArn, durationS: 3_600 }],
    [entra, { kind: "azure_client", principal: entra.clientId, tenantId: entra.tenantId, cloud: "public" }],
    [google, { kind: "gcp_service_account", principal: "gate@canary.iam.gserviceaccount.com" }],
    [
      { kind: "key", key: "canary.token.of.nothing" },
      { kind: "key", principal: null },
    ],
  ])("of the kind %o is shown without its secrets, replaced and removed", async (credential, shown) => {
    const { status, body } = await make({ credential });
    expect([status, body]).toMatchObject([201, { hasApiKey: true, credential: shown }]);
    const list = await admin("GET", "nodes");
    expect(cloudCanaries.filter((text) => JSON.stringify([body, list.body]).includes(text))).toEqual([]);
    const keyed = await admin("PATCH", `nodes/${body.id}`, { apiKey: "sk-0123456789abcdef" });
    expect(keyed.body).toMatchObject({ apiKeyHint: "cdef", credential: { kind: "key", principal: null } });
    const again = await admin("PATCH", `nodes/${body.id}`, { credential });
    expect(again.body).toMatchObject({ credential: shown });
    const none = await admin("PATCH", `nodes/${body.id}`, { credential: null });
    expect(none.body).toMatchObject({ hasApiKey: false, credential: null });
    const audit = JSON.stringify((await admin("GET", "audit?pageSize=100")).body);
    expect(audit).toContain("node.update-credential");
    expect(cloudCanaries.filter((text) => audit.includes(text))).toEqual([]);
  });

  test("that is wrong is a 400 that names the field", async () => {
    const problem = expect.any(Array);
    expect(await refusalOf({ credential: keys, apiKey: "x" })).toEqual([400, { credential: problem }]);
    expect(await refusalOf({ credential: { ...keys, secretAccessKey: "x" } })).toEqual([
      400,
      { "credential.secretAccessKey": problem },
    ]);
    expect(await refusalOf({ credential: { ...role, roleArn: "x" } })).toEqual([
      400,
      { "credential.roleArn": problem },
    ]);
    expect(await refusalOf({ credential: keys, baseUrl: "https://gate.example.com/v1" })).toEqual([
      400,
      { "credential.region": ["is required: the host of baseUrl does not tell it"] },
    ]);
    const broken = { ...google, json: google.json.replace(KEY_LINE, "AAAA") };
    const [status, fields] = await refusalOf({ credential: broken });
    expect([status, fields]).toEqual([400, { credential: [expect.stringMatching(/private_key_invalid/)] }]);
  });

  test("still has its region when the address of the node changes", async () => {
    const { body } = await make({ credential: keys });
    const moved = await admin<ApiError>("PATCH", `nodes/${body.id}`, {
      baseUrl: "https://gate.example.com/v1",
    });
    expect([moved.status, moved.body.error.fields]).toEqual([
      400,
      { "credential.region": expect.any(Array) },
    ]);
  });

  test.each(["aws_container", "aws_imds", "gcp_metadata", "azure_managed"])(
    "of the kind %s is refused where nothing allows it, alone and as the source of a role",
    async (kind) => {
      const told = { "credential.kind": [expect.stringContaining("CLOUD_CREDENTIALS_AMBIENT=1")] };
      expect(await refusalOf({ credential: { kind } })).toEqual([400, told]);
      if (kind.startsWith("aws_"))
        expect(await refusalOf({ credential: { ...role, source: { kind } } })).toEqual([400, told]);
    },
  );

  test("is tested stage by stage: whose it is, its token, and what the node says", async () => {
    const test = async (credential: object, more: object = {}) => {
      const body = { protocol: "chat", baseUrl, credential, model: "m", ...more };
      const { body: told } = await admin("POST", "nodes/test", body);
      expect(cloudCanaries.filter((text) => JSON.stringify(told).includes(text))).toEqual([]);
      return draftTestResult.strict().parse(told);
    };
    const principal = USER.accessKeyId;
    expect(await test(keys)).toMatchObject({
      authenticated: true,
      access: { kind: "aws_static", principal, token: "ok", accepted: true },
      test: { ok: true },
    });
    const other = { ...keys, secretAccessKey: "0123456789012345678901234567890123456789" };
    expect(await test(other)).toMatchObject({ access: { token: "ok", accepted: false }, reachable: true });
    vendors.refused.add(roleNamed("refused").roleArn).add("canary~secret~of~entra");
    expect(await test(roleNamed("refused"))).toMatchObject({
      problem: "credential",
      access: { principal: roleNamed("refused").roleArn, token: "AccessDenied", accepted: null },
      test: null,
    });
    const azure = { baseUrl: `https://${hosts.azure}/openai/v1` };
    expect(await test(entra, azure)).toMatchObject({ access: { token: "AADSTS7000215", accepted: null } });
    vendors.refused.clear();
  });
});

const database = await postgresServer();

/** Source: docs/clouds.md#stored. */
describe.skipIf("unavailable" in database)("beside a process that knows keys only", () => {
  test("no node gets another kind, and one does as soon as that process has ended", async () => {
    const sql = postgres(gateway.server.env.DATABASE_URL ?? "", { max: 1, onnotice: () => {} });
    const { body } = await make({ apiKey: "sk-0123456789abcdef" });
    const change = () => admin<ApiError>("PATCH", `nodes/${body.id}`, { credential: keys });
    await sql`INSERT INTO instances (id, level) VALUES ('older', 1)`;
    const refused = await change();
    expect([refused.status, refused.body.error]).toMatchObject([409, { reason: "older_process" }]);
    expect((await make({ credential: keys })).status).toBe(409);
    await sql`DELETE FROM instances WHERE id = 'older'`;
    expect((await change()).status).toBe(200);
    await sql.end();
  });
});

/** Source: docs/clouds.md#ambient. */
describe("the configuration file", () => {
  const config = (credential: object) =>
    JSON.stringify({ nodes: [{ name: "a", protocol: "chat", baseUrl, credential }], models: [] });

  test("takes the environment in a credential", async () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of the file
    const file = { kind: "aws_static", accessKeyId: USER.accessKeyId, secretAccessKey: "${CLOUD_SECRET}" };
    const server = await startServer({
      database: await cheapestDatabase(),
      config: config(file),
      env: { CLOUD_SECRET: USER.secretAccessKey },
    });
    const { body } = await server.api("GET", "/api/admin/nodes", await server.adminToken());
    expect(body).toMatchObject({
      data: [{ managedByFile: true, credential: { kind: "aws_static", principal: USER.accessKeyId } }],
    });
    expect(JSON.stringify(body)).not.toContain(USER.secretAccessKey);
    await discardServer(server);
  });

  test.each([
    [{ kind: "aws_imds" }, /nodes\.0\.credential\.kind: .*CLOUD_CREDENTIALS_AMBIENT=1/],
    [{ kind: "aws_static", accessKeyId: "x" }, /nodes\.0\.credential\.accessKeyId/],
  ])("is refused with what is wrong with %o", async (credential, told) => {
    const started = startServer({ database: await cheapestDatabase(), config: config(credential) });
    await expect(started).rejects.toThrow(told);
  });
});
