import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { certificateSkipReason } from "../support/certificates";
import { CloudVendors, cloudCanaries, cloudCredentials, hosts, roleNamed } from "../support/cloud-vendors";
import { chatBody, eventually, gatewayFor, logEntry, requestIdOf } from "../support/gateway-fixtures";

const paths = { chat: "/v1/chat/completions", messages: "/v1/messages", responses: "/v1/responses" };
type Protocol = keyof typeof paths;
const protocols = Object.keys(paths) as Protocol[];

const bedrock: Record<Protocol, string> = {
  chat: `https://${hosts.bedrock}/openai/v1`,
  messages: `https://${hosts.bedrock}/anthropic`,
  responses: `https://${hosts.bedrock}/openai/v1`,
};

const { keys, role, entra, google } = cloudCredentials;
const container = { kind: "aws_container" };
const vertex = `https://${hosts.vertex}/v1beta1/projects/p/locations/us-central1/endpoints/openapi`;

const nodes = [
  ...protocols.flatMap((protocol) => [
    { name: `keys-${protocol}`, protocol, baseUrl: bedrock[protocol], credential: keys },
    { name: `role-${protocol}`, protocol, baseUrl: bedrock[protocol], credential: role },
  ]),
  { name: "container-chat", baseUrl: bedrock.chat, credential: container },
  { name: "entra-chat", baseUrl: `https://${hosts.azure}/openai/v1`, credential: entra },
  {
    name: "entra-responses",
    protocol: "responses" as const,
    baseUrl: `https://${hosts.azure}/openai/v1`,
    credential: entra,
  },
  { name: "google-chat", baseUrl: vertex, credential: google },
  { name: "machine-of-amazon", baseUrl: bedrock.chat, credential: { kind: "aws_imds" } },
  { name: "machine-of-google", baseUrl: vertex, credential: { kind: "gcp_metadata" } },
  { name: "refused-chat", baseUrl: bedrock.chat, credential: roleNamed("refused") },
];

let vendors: CloudVendors;
const without = certificateSkipReason !== null;
beforeAll(async () => {
  if (without) return;
  vendors = new CloudVendors(() => gateway.upstream.url);
  await vendors.start();
});
afterAll(() => vendors?.close());

const gateway = gatewayFor({
  nodes: () => (without ? [] : nodes),
  models: without
    ? []
    : [
        ...nodes.map(({ name }) => ({ alias: name, routes: [[name, "m"]] as [string, string][] })),
        {
          alias: "with-another",
          routes: [
            ["refused-chat", "m", 0],
            ["chat", "m", 1],
          ],
        },
      ],
  get env() {
    return { CLOUD_CREDENTIALS_AMBIENT: "1", LOG_LEVEL: "trace", ...vendors?.environment };
  },
});

function bodyOf(protocol: string, model: string, stream: boolean) {
  return protocol === "responses" ? { model, input: "Say hello.", stream } : chatBody(model, { stream });
}

/** Source: docs/clouds.md#signing, #kinds. */
describe.skipIf(without)("calls of nodes of clouds", () => {
  test.each(nodes.filter(({ name }) => name !== "refused-chat"))(
    "$name are let in, whole and streamed, from every client",
    async ({ name }) => {
      const { key } = await gateway.key();
      for (const client of protocols)
        for (const stream of [false, true]) {
          const answer = await gateway.server.gateway(paths[client], key, bodyOf(client, name, stream));
          const text = await answer.text();
          expect([client, stream, answer.status, text]).toEqual([client, stream, 200, expect.anything()]);
          if (stream) expect(text).toMatch(/\[DONE\]|message_stop|response\.completed/);
        }
    },
  );

  test("are signed where tokens are counted and models are listed, too", async () => {
    const { server } = gateway;
    const { key } = await gateway.key();
    const path = "/v1/messages/count_tokens";
    const counted = await server.gateway(path, key, chatBody("keys-messages"));
    expect([counted.status, await counted.json()]).toEqual([200, { input_tokens: expect.any(Number) }]);
    expect(vendors.asked.at(-1)?.url.pathname).toBe(`/anthropic${path}`);
    const admin = await server.adminToken();
    const { body } = await server.api<{ data: { id: string; name: string }[] }>(
      "GET",
      "/api/admin/nodes",
      admin,
    );
    const id = body.data.find(({ name }) => name === "keys-chat")?.id;
    const listed = await server.api("GET", `/api/admin/nodes/${id}/models`, admin);
    expect(listed.body).toMatchObject({ problem: null, models: [{ id: "m" }] });
  });

  test("ask a vendor for one token, whatever number of nodes and calls there is", () => {
    expect(vendors.countOf(hosts.entra)).toBe(1);
    expect(vendors.countOf(hosts.google)).toBe(1);
    expect(vendors.countOf(hosts.sts)).toBe(1);
    expect(vendors.countOf("/role")).toBe(1);
    expect(vendors.countOf("/latest/api/token")).toBe(1);
    expect(vendors.countOf("/computeMetadata/v1/instance/service-accounts/default/token")).toBe(1);
  });

  test("of machines say whose they are once they have a token", async () => {
    const admin = await gateway.server.adminToken();
    const tested = async (name: string) => {
      const node = nodes.find((one) => one.name === name);
      const {
        protocol = "chat",
        baseUrl,
        credential,
      } = node as { protocol?: string } & (typeof nodes)[number];
      const draft = { protocol, baseUrl, credential, model: "m" };
      return (await gateway.server.api("POST", "/api/admin/nodes/test", admin, draft)).body;
    };
    const amazon = { kind: "aws_imds", principal: "machine-role", token: "ok", accepted: true };
    expect(await tested("machine-of-amazon")).toMatchObject({ access: amazon, test: { ok: true } });
    const principal = "machine@canary.iam.gserviceaccount.com";
    const google = { kind: "gcp_metadata", principal, token: "ok", accepted: true };
    expect(await tested("machine-of-google")).toMatchObject({ access: google, test: { ok: true } });
  });

  test("survive a clock that is ten minutes off by signing once more, which is warned of", async () => {
    const { key } = await gateway.key();
    vendors.aheadMs = 10 * 60_000;
    const before = vendors.countOf(hosts.bedrock);
    const call = async () =>
      (await gateway.server.gateway(paths.chat, key, bodyOf("chat", "keys-chat", false))).status;
    expect(await call()).toBe(200);
    expect(vendors.countOf(hosts.bedrock)).toBe(before + 2);
    expect(await call()).toBe(200);
    expect(vendors.countOf(hosts.bedrock)).toBe(before + 3);
    await eventually(async () => /clock of a node/.test(gateway.server.output) || null);
    const metrics = await (await fetch(`${gateway.server.url}/metrics`)).text();
    expect(metrics).toMatch(/^tollgate_clock_skews_total 1$/m);
    vendors.aheadMs = 0;
  });

  test("go to the next node where a credential fails, and only admins are told of it", async () => {
    vendors.refused.add(roleNamed("refused").roleArn);
    const { server } = gateway;
    const key = await gateway.key();
    const answer = await server.gateway(paths.chat, key.key, bodyOf("chat", "with-another", false));
    expect([answer.status, await answer.json()]).toMatchObject([200, { choices: [{}] }]);
    const id = requestIdOf(answer);
    const own = await logEntry(server, key, id);
    expect(own.attempts).toMatchObject([{ result: "credential" }, { result: "ok" }]);
    expect(JSON.stringify(own)).not.toContain("role/refused");
    const admin = await server.adminToken();
    const { body } = await server.api("GET", `/api/admin/logs/${id}`, admin);
    const access = { code: "AccessDenied", principal: roleNamed("refused").roleArn };
    expect(body).toMatchObject({ attempts: [{ node: "refused-chat", access }, { node: "chat" }] });
    const alone = await server.gateway(paths.chat, key.key, bodyOf("chat", "refused-chat", false));
    expect(alone.status).toBe(503);
    expect(await alone.text()).not.toMatch(/role|AccessDenied/);
  });

  test("leave no secret and no token in logs, records, metrics and output", async () => {
    const { server } = gateway;
    const admin = await server.adminToken();
    const read = async (path: string) => (await server.api("GET", `/api/admin/${path}`, admin)).body;
    const seen = JSON.stringify([
      await read("nodes"),
      await read("logs?pageSize=100"),
      await read("audit?pageSize=100"),
      await (await fetch(`${server.url}/metrics`)).text(),
      server.output,
    ]);
    expect(cloudCanaries.filter((text) => seen.includes(text))).toEqual([]);
  });
});
