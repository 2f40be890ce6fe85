import Anthropic from "@anthropic-ai/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { certificateSkipReason } from "../support/certificates";
import { CloudVendors, cloudCredentials, hosts } from "../support/cloud-vendors";
import { chatBody, gatewayFor, logEntry, requestIdOf } from "../support/gateway-fixtures";

const paths = { chat: "/v1/chat/completions", messages: "/v1/messages", responses: "/v1/responses" };
type Protocol = keyof typeof paths;
const protocols = Object.keys(paths) as Protocol[];

const { keys, google } = cloudCredentials;
const protocol = "messages" as const;
const profile = "us.anthropic.m-v1:0";
const vertex = `https://${hosts.vertex}/v1/projects/p/locations/us-central1`;
const nodes = [
  { name: "invoke", protocol, baseUrl: `https://${hosts.bedrock}`, credential: keys },
  { name: "invoke-again", protocol, baseUrl: `https://${hosts.bedrock}`, credential: keys },
  { name: "private", protocol, baseUrl: `https://${hosts.vpce}`, credential: keys },
  { name: "predict", protocol, baseUrl: vertex, credential: google },
];
const models: Record<string, string> = { predict: "claude-m@20250929" };

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
        ...nodes.map(({ name }) => ({
          alias: name,
          routes: [[name, models[name] ?? profile]] as [string, string][],
        })),
        { alias: "private-too", routes: [["private", "us.anthropic.other-v1:0"]] as [string, string][] },
        {
          alias: "with-another",
          routes: [
            ["invoke-again", profile, 0],
            ["messages", "m", 1],
          ],
        },
      ],
  get env() {
    return { LOG_LEVEL: "trace", ...vendors?.environment };
  },
});

function bodyOf(client: string, model: string, stream: boolean) {
  return client === "responses" ? { model, input: "Say hello.", stream } : chatBody(model, { stream });
}

async function nodeId(name: string): Promise<string> {
  const { server } = gateway;
  const { body } = await server.api<{ data: { id: string; name: string }[] }>(
    "GET",
    "/api/admin/nodes",
    await server.adminToken(),
  );
  return body.data.find((node) => node.name === name)?.id ?? "";
}

/** Source: docs/clouds.md#forms. */
describe.skipIf(without)("Claude at a host with a form of its own", () => {
  describe.each(nodes.filter(({ name }) => name !== "invoke-again"))("$name", ({ name }) => {
    test.each(protocols)(
      "answers clients of %s, whole and streamed, with what it counted",
      async (client) => {
        const key = await gateway.key();
        const used: unknown[] = [];
        for (const stream of [false, true]) {
          const answer = await gateway.server.gateway(paths[client], key.key, bodyOf(client, name, stream));
          const text = await answer.text();
          expect([stream, answer.status, text]).toEqual([stream, 200, expect.anything()]);
          expect(text).not.toContain(profile);
          if (stream) expect(text).toMatch(/\[DONE\]|message_stop|response\.completed/);
          const entry = await logEntry(gateway.server, key, requestIdOf(answer));
          expect(entry.usageSource).toBe("upstream");
          used.push([entry.promptTokens, entry.completionTokens]);
        }
        expect(used[0]).toEqual(used[1]);
      },
    );

    test("counts tokens as the same model elsewhere does", async () => {
      const { key } = await gateway.key();
      const count = async (model: string) => {
        const { max_tokens: _, ...body } = chatBody(model) as Record<string, unknown>;
        const answer = await gateway.server.gateway("/v1/messages/count_tokens", key, body);
        return [answer.status, await answer.json()];
      };
      const asked = vendors.asked.length;
      expect(await count(name)).toEqual([200, { input_tokens: expect.any(Number) }]);
      expect(vendors.asked.length).toBe(asked + 1);
    });

    test("passes its test", async () => {
      const admin = await gateway.server.adminToken();
      const path = `/api/admin/nodes/${await nodeId(name)}/test`;
      const tested = await gateway.server.api("POST", path, admin, { model: models[name] ?? profile });
      expect(tested).toMatchObject({ status: 200, body: { ok: true, streamed: false } });
    });
  });

  test("is read by the vendor's own client", async () => {
    const { key } = await gateway.key();
    const client = new Anthropic({ apiKey: key, baseURL: gateway.server.url, maxRetries: 0 });
    for (const model of ["invoke", "predict"]) {
      const messages = [{ role: "user" as const, content: "Say hello." }];
      const stream = client.messages.stream({ model, max_tokens: 50, messages });
      const streamed = await stream.finalMessage();
      const whole = await client.messages.create({ model, max_tokens: 50, messages });
      expect([streamed.model, streamed.stop_reason]).toEqual([model, whole.stop_reason]);
      expect(streamed.content).toEqual(whole.content);
    }
  });

  test("gets beta flags that it knows, and callers hear of the others", async () => {
    const { key } = await gateway.key();
    const beta = "context-1m-2025-08-07,files-api-2025-04-14";
    const call = (model: string) =>
      gateway.server.gateway(paths.messages, key, chatBody(model), { "anthropic-beta": beta });
    const answer = await call("invoke");
    expect([answer.status, answer.headers.get("x-tollgate-warnings")]).toEqual([
      200,
      "dropped:anthropic-beta.files-api-2025-04-14",
    ]);
    const sent = vendors.asked.at(-1);
    expect(JSON.parse(sent?.body ?? "")).toMatchObject({ anthropic_beta: ["context-1m-2025-08-07"] });
    expect(sent?.headers).not.toHaveProperty("anthropic-beta");
    expect((await call("predict")).status).toBe(200);
    expect(vendors.asked.at(-1)?.headers["anthropic-beta"]).toBe(beta);
  });

  test("lists models and profiles of Bedrock's control plane; others are said to have no list", async () => {
    const admin = await gateway.server.adminToken();
    const list = async (name: string) =>
      (await gateway.server.api("GET", `/api/admin/nodes/${await nodeId(name)}/models`, admin)).body;
    const ids = [{ id: "anthropic.m" }, { id: "us.anthropic.m" }];
    expect(await list("invoke")).toMatchObject({ problem: null, models: ids });
    for (const name of ["private", "predict"])
      expect([name, await list(name)]).toMatchObject([name, { problem: "missing", models: [] }]);
  });

  test.each([
    ["throttlingException", 503],
    ["internalServerException", 502],
    ["validationException", 400],
  ])(
    "that begins with %s lets another node answer, or the caller is refused with %i",
    async (type, status) => {
      vendors.exception = { type, after: 0 };
      try {
        const { server } = gateway;
        const key = await gateway.key();
        const alone = await server.gateway(paths.messages, key.key, bodyOf("messages", "invoke", true));
        expect([alone.status, await alone.text()]).toEqual([status, expect.not.stringContaining("data:")]);
        const answer = await server.gateway(paths.chat, key.key, bodyOf("chat", "with-another", true));
        expect(answer.status).toBe(status === 400 ? 400 : 200);
        await answer.text();
        const { attempts } = await logEntry(server, key, requestIdOf(answer));
        expect(attempts).toHaveLength(status === 400 ? 1 : 2);
      } finally {
        vendors.exception = null;
        const admin = await gateway.server.adminToken();
        for (const name of ["invoke", "invoke-again"])
          await gateway.server.api("POST", `/api/admin/nodes/${await nodeId(name)}/reset`, admin);
      }
    },
  );

  test("that refuses one model serves the others, and a quota is waited for longer than a limit", async () => {
    const { server } = gateway;
    const { key } = await gateway.key();
    const admin = await server.adminToken();
    const call = async (model: string) => {
      const answer = await server.gateway(paths.messages, key, bodyOf("messages", model, false));
      await answer.text();
      return answer.status;
    };
    const refuse = (status: number, type: string) => {
      vendors.instead = () => ({ status, headers: { "x-amzn-errortype": type }, body: '{"message":"No."}' });
    };
    type Health = { health: { models: { state: string; cause: string; returnsInMs: number }[] } };
    const cooling = async () => {
      const { body } = await server.api<Health>("GET", `/api/admin/nodes/${await nodeId("private")}`, admin);
      return body.health.models.filter(({ state }) => state === "cooling");
    };
    const reset = async () => server.api("POST", `/api/admin/nodes/${await nodeId("private")}/reset`, admin);
    for (let times = 0; times < 4; times++) {
      refuse(403, "AccessDeniedException");
      expect(await call("private-too")).toBeGreaterThanOrEqual(502);
    }
    vendors.instead = null;
    expect(await cooling()).toMatchObject([{ cause: "model" }]);
    expect(await call("private")).toBe(200);
    await reset();
    refuse(400, "ServiceQuotaExceededException");
    expect(await call("private")).toBe(503);
    vendors.instead = null;
    const [quota] = await cooling();
    expect(quota).toMatchObject({ cause: "limited" });
    expect(quota?.returnsInMs).toBeGreaterThan(30_000);
    await reset();
  });

  test("that breaks off with an exception looks broken, and what came is billed", async () => {
    vendors.exception = { type: "modelStreamErrorException", after: 4 };
    try {
      const key = await gateway.key();
      const answer = await gateway.server.gateway(
        paths.messages,
        key.key,
        bodyOf("messages", "private", true),
      );
      const text = await answer.text();
      expect(text).toContain("event: error");
      expect(text).not.toContain("message_stop");
      const entry = await logEntry(gateway.server, key, requestIdOf(answer));
      expect(entry).toMatchObject({ attempts: [{ result: "truncated" }] });
    } finally {
      vendors.exception = null;
    }
  });
});
