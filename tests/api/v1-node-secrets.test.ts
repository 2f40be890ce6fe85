import type { Socket } from "node:net";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contentAnswer, scripts } from "../support/echo-scripts";
import { type EchoedRequest, type EchoingUpstream, startEchoingUpstream } from "../support/echoing-upstream";
import { foldStream } from "../support/fold";
import { chatBody, gatewayFor, logEntry, type NodeSpec, requestIdOf } from "../support/gateway-fixtures";
import {
  credentials,
  DIRECT_HOST,
  echoOf,
  headers,
  leaksIn,
  NAMED_HOST,
  PROXY_PASSWORD,
  shapes,
} from "../support/node-canaries";

const protocols = ["chat", "messages"] as const;
const paths = { chat: "/v1/chat/completions", messages: "/v1/messages" };

/** Every script in every pair of protocols, whole and streamed; the shapes take turns, each node serves one case. */
const cases = Object.entries(scripts).flatMap(([script, bytes], number) =>
  protocols.flatMap((client, c) =>
    protocols.flatMap((node, n) =>
      [false, true].map((stream, s) => ({
        script,
        bytes,
        client,
        node,
        stream,
        shape: shapes[(number + 3 * c + 2 * n + s) % shapes.length] ?? "",
        proxied: (number + c + n + s) % 2 === 1,
      })),
    ),
  ),
);

let upstream: EchoingUpstream | null = null;
beforeAll(async () => {
  upstream = await startEchoingUpstream(answer);
});
afterAll(() => upstream?.close());

function answer(socket: Socket, request: EchoedRequest): void {
  const [kind, number = ""] = request.model.split("-");
  const found = cases[Number(number)];
  if (kind === "case" && found) socket.end(found.bytes(echoOf(request), found.node));
  else socket.end(contentAnswer(request));
}

function nodeOf(name: string, protocol: "chat" | "messages", shape: string, proxied: boolean): NodeSpec {
  const port = upstream?.port ?? 0;
  const proxy = `http://proxyman:${encodeURIComponent(PROXY_PASSWORD)}@127.0.0.1:${port}`;
  return {
    name,
    protocol,
    url: proxied ? `http://${NAMED_HOST}:8443` : `http://${DIRECT_HOST}:${port}`,
    apiKey: credentials[shape] ?? "",
    headers,
    ...(proxied ? { proxy } : {}),
  };
}

const contentNodes = protocols.flatMap((protocol) =>
  shapes.map((shape) => ({ name: `says-${protocol}-${shape}`, protocol, shape })),
);

const gateway = gatewayFor({
  database: "postgres",
  env: { LOG_LEVEL: "trace" },
  nodes: () => [
    ...cases.map(({ node, shape, proxied }, index) => nodeOf(`n${index}`, node, shape, proxied)),
    { ...nodeOf("closed", "chat", "word", false), url: `http://${DIRECT_HOST}:9` },
    ...contentNodes.map(({ name, protocol, shape }) => nodeOf(name, protocol, shape, shape === "uuid")),
  ],
  models: [
    ...cases.map((_, index) => ({
      alias: `case-${index}`,
      routes: [[`n${index}`, `case-${index}`]] as [string, string][],
    })),
    ...contentNodes.map(({ name, protocol }) => ({
      alias: name,
      routes: [[name, `says-${protocol}`]] as [string, string][],
    })),
  ],
});

/** Every row of every table but the configuration itself. */
async function everyRow(databaseUrl: string): Promise<string> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  try {
    const tables = await sql<{ name: string }[]>`
      SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
      WHERE schemaname NOT IN ('pg_catalog', 'information_schema') AND tablename <> 'nodes'`;
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

/** Source: docs/contract.md#b2, docs/reliability.md#r-75, #r-141, #r-142. */
describe("the secrets that a node echoes", () => {
  test.each(Object.keys(scripts))("in %s reach neither the caller nor the log entry", async (script) => {
    const { server } = gateway;
    const key = await gateway.key();
    for (const [index, one] of cases.entries()) {
      if (one.script !== script) continue;
      const body = chatBody(`case-${index}`, { stream: one.stream });
      const answer = await server.gateway(paths[one.client], key.key, body);
      const told = `${answer.status} ${answer.statusText} ${JSON.stringify([...answer.headers])} ${await answer.text()}`;
      const entry = await logEntry(server, key, requestIdOf(answer));
      expect([index, leaksIn(told), leaksIn(JSON.stringify(entry))]).toEqual([index, [], []]);
      expect(entry).toMatchObject({ cost: "0", attemptCount: 1 });
      expect(entry.status).toMatch(/^(error|interrupted)$/);
    }
  });

  test("are in no row of the database, no line of the log, no metric, no admin's page and no result of a test", async () => {
    const { server } = gateway;
    const admin = await server.adminToken();
    const { body: list } = await server.api<{ data: { id: string; name: string }[] }>(
      "GET",
      "/api/admin/nodes",
      admin,
    );
    const seen: Record<string, unknown> = {};
    for (const { id, name } of list.data) {
      if (name === "closed") {
        const { body } = await server.api("POST", `/api/admin/nodes/${id}/test`, admin, { model: "m" });
        expect(body).toMatchObject({ ok: false, error: expect.stringContaining("ECONNREFUSED [host]") });
      }
      const number = /^n(\d+)$/.exec(name)?.[1];
      if (number === undefined) continue;
      const { body } = await server.api<{ health: unknown }>("GET", `/api/admin/nodes/${id}`, admin);
      seen[`health of ${name}`] = body.health;
      if (Number(number) % 8 !== 0) continue;
      const tested = await server.api("POST", `/api/admin/nodes/${id}/test`, admin, {
        model: `case-${number}`,
      });
      expect([name, tested.status]).toEqual([name, 200]);
      seen[`test of ${name}`] = tested.body;
    }
    seen.logs = (await server.api("GET", "/api/admin/logs?pageSize=100", admin)).body;
    seen.metrics = await (await fetch(`${server.url}/metrics`)).text();
    seen.rows = await everyRow(server.env.DATABASE_URL ?? "");
    seen.output = server.output;
    for (const [place, text] of Object.entries(seen))
      expect([place, leaksIn(JSON.stringify(text))]).toEqual([place, []]);
    expect(JSON.stringify(seen.rows)).toContain("case-0");
    expect(JSON.stringify(seen)).toMatch(/\[key\]|\[host\]/);
  });
});

/** Source: docs/contract.md#b2: the content of an answer is never altered. */
describe.each(protocols)("the same texts in an answer of a %s node", (protocol) => {
  test.each(shapes)("arrive byte for byte in text, reasoning and tool arguments (%s)", async (shape) => {
    const key = await gateway.key();
    const host = shape === "uuid" ? `${NAMED_HOST}:8443` : `${DIRECT_HOST}:${upstream?.port}`;
    const said = `Key ${credentials[shape]} at http://${host}/v1, ${headers["x-signature"]}.`;
    for (const client of protocols) {
      for (const stream of [false, true]) {
        const tool = { name: "use", description: "Uses", parameters: { type: "object" } };
        const tools =
          client === "chat"
            ? [{ type: "function", function: tool }]
            : [{ name: "use", input_schema: { type: "object" } }];
        const body = chatBody(`says-${protocol}-${shape}`, { stream, tools });
        const answer = await gateway.server.gateway(paths[client], key.key, body);
        const text = await answer.text();
        expect([answer.status, text.slice(0, 200)]).toEqual([200, expect.anything()]);
        const whole = stream ? foldStream(client, text) : JSON.parse(text);
        expect(contentOf(client, whole)).toMatchObject({ text: said, reasoning: said, tool: { said } });
      }
    }
  });
});

function contentOf(client: "chat" | "messages", whole: Record<string, never>) {
  const loose = JSON.parse(JSON.stringify(whole));
  if (client === "chat") {
    const { message } = loose.choices[0];
    return {
      text: message.content,
      reasoning: message.reasoning_content,
      tool: JSON.parse(message.tool_calls[0].function.arguments),
    };
  }
  const block = (type: string) => loose.content.find((one: { type: string }) => one.type === type);
  return { text: block("text").text, reasoning: block("thinking").thinking, tool: block("tool_use").input };
}
