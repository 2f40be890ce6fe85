import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { secretFields } from "@/lib/shared/credentials/secret-fields";
import { certificateSkipReason } from "../support/certificates";
import { CloudVendors, cloudCanaries, cloudCredentials, hosts, roleNamed } from "../support/cloud-vendors";
import { chatBody, fresh, gatewayFor, logEntry, requestIdOf } from "../support/gateway-fixtures";
import { waysOf } from "../support/node-canaries";

const { keys, role, entra, google } = cloudCredentials;
const { tenantId, clientId } = entra;
const tokenFile = path.join(tmpdir(), fresh("token-"));
const external = {
  type: "external_account",
  audience: "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q",
  subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
  token_url: `https://${hosts.googleSts}/v1/token`,
  credential_source: { file: tokenFile },
};

const bedrock = `https://${hosts.bedrock}/openai/v1`;
const azure = `https://${hosts.azure}/openai/v1`;
const vertex = `https://${hosts.vertex}/v1beta1/projects/p/locations/us-central1/endpoints/openapi`;
const nodes = [
  { name: "aws_static", baseUrl: bedrock, credential: keys },
  { name: "aws_role", baseUrl: bedrock, credential: role },
  {
    name: "aws_web_identity",
    baseUrl: bedrock,
    credential: { kind: "aws_web_identity", roleArn: "arn:aws:iam::123456789012:role/web", tokenFile },
  },
  { name: "aws_container", baseUrl: bedrock, credential: { kind: "aws_container" } },
  { name: "aws_imds", baseUrl: bedrock, credential: { kind: "aws_imds" } },
  {
    name: "aws_role-of-the-machine",
    baseUrl: bedrock,
    credential: { ...roleNamed("of-the-machine"), source: { kind: "aws_imds" } },
  },
  { name: "gcp_metadata", baseUrl: vertex, credential: { kind: "gcp_metadata" } },
  { name: "gcp_service_account", baseUrl: vertex, credential: google },
  {
    name: "gcp_external",
    baseUrl: vertex,
    credential: { kind: "gcp_external", json: JSON.stringify(external) },
  },
  { name: "azure_client", baseUrl: azure, credential: entra },
  {
    name: "azure_workload",
    baseUrl: azure,
    credential: { kind: "azure_workload", tenantId, clientId, tokenFile },
  },
  { name: "azure_managed", baseUrl: azure, credential: { kind: "azure_managed" } },
];

let vendors: CloudVendors;
const without = certificateSkipReason !== null;
beforeAll(async () => {
  if (without) return;
  writeFileSync(tokenFile, "canary.token.in.a.file");
  vendors = new CloudVendors(() => gateway.upstream.url);
  await vendors.start();
  vendors.instead = (headers) => {
    const sent = [headers.authorization, headers["x-amz-security-token"]].filter(
      (text) => text !== undefined,
    );
    const bare = sent.map((text) => text.replace("Bearer ", ""));
    const message = [...sent, ...bare].flatMap(waysOf).join(" ; ");
    return {
      status: 400,
      headers: {},
      body: JSON.stringify({ error: { message, type: message, code: message } }),
    };
  };
});
afterAll(async () => {
  rmSync(tokenFile, { force: true });
  await vendors?.close();
});

const gateway = gatewayFor({
  database: "postgres",
  nodes: () => (without ? [] : nodes),
  models: without
    ? []
    : nodes.map(({ name }) => ({ alias: name, routes: [[name, "m"]] as [string, string][] })),
  get env() {
    return { CLOUD_CREDENTIALS_AMBIENT: "1", LOG_LEVEL: "trace", ...vendors?.environment };
  },
});

/** The canaries in a text, plain and in base64. */
function leaksIn(text: string): string[] {
  const ways = cloudCanaries.flatMap((canary) => [
    canary,
    encodeURIComponent(canary),
    Buffer.from(canary).toString("base64").replace(/=+$/, ""),
    Buffer.from(canary).toString("base64url"),
  ]);
  const low = text.toLowerCase();
  return ways.filter((way) => low.includes(way.toLowerCase()));
}

/** Every row of every table; the secrets in it are encrypted. */
async function everyRow(): Promise<string> {
  const sql = postgres(gateway.server.env.DATABASE_URL ?? "", { max: 1, onnotice: () => {} });
  try {
    const tables = await sql<{ name: string }[]>`
      SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
      WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`;
    const texts: string[] = [];
    for (const { name } of tables) {
      const rows = await sql.unsafe<{ row: string }[]>(`SELECT t::text AS row FROM ${name} t`);
      texts.push(...rows.map(({ row }) => row));
    }
    return texts.join("\n");
  } finally {
    await sql.end();
  }
}

test("every kind but a plain key has a node here", () => {
  const kinds = new Set(nodes.map(({ credential }) => credential.kind));
  expect([...kinds, "key"].sort()).toEqual(Object.keys(secretFields).sort());
});

/** Source: docs/contract.md#b2, docs/clouds.md#kinds. */
describe.skipIf(without)("a node that echoes what it was called with", () => {
  test.each(nodes)("tells neither callers nor admins a secret or a token of $name", async ({ name }) => {
    const { server } = gateway;
    const admin = await server.adminToken();
    const key = await gateway.key();
    for (const stream of [false, true]) {
      const answer = await server.gateway("/v1/chat/completions", key.key, chatBody(name, { stream }));
      const told = `${answer.status} ${JSON.stringify([...answer.headers])} ${await answer.text()}`;
      expect(answer.status).toBe(400);
      const entry = await logEntry(server, key, requestIdOf(answer));
      expect([stream, leaksIn(told), leaksIn(JSON.stringify(entry))]).toEqual([stream, [], []]);
      expect(told).toContain("[key]");
    }
    const { body } = await server.api<{ data: { id: string; name: string }[] }>(
      "GET",
      "/api/admin/nodes",
      admin,
    );
    const id = body.data.find((node) => node.name === name)?.id;
    const tested = await server.api("POST", `/api/admin/nodes/${id}/test`, admin, { model: "m" });
    const shown = await server.api("GET", `/api/admin/nodes/${id}`, admin);
    expect(tested).toMatchObject({ status: 200, body: { ok: false } });
    expect([leaksIn(JSON.stringify(tested.body)), leaksIn(JSON.stringify(shown.body))]).toEqual([[], []]);
  });

  test("leaves none in a row of the database, in the log, the metrics, the audit", async () => {
    const { server } = gateway;
    const admin = await server.adminToken();
    const seen = {
      rows: await everyRow(),
      output: server.output,
      metrics: await (await fetch(`${server.url}/metrics`)).text(),
      audit: JSON.stringify((await server.api("GET", "/api/admin/audit?pageSize=100", admin)).body),
    };
    for (const [place, text] of Object.entries(seen)) expect([place, leaksIn(text)]).toEqual([place, []]);
    expect(seen.rows).toContain("aws_web_identity");
  });
});
