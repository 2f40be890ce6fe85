import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  chatBody,
  type ErrorBody,
  gatewayFor,
  keyMoney,
  logEntry,
  requestIdOf,
} from "../support/gateway-fixtures";
import { type ScriptedUpstream, sendJson, startScriptedUpstream } from "../support/scripted-upstream";

/** What each upstream model answers; changed by the tests. */
const answers = new Map<string, { status: number; body: unknown; headers?: Record<string, string> }>();
let bad: ScriptedUpstream | null = null;

beforeAll(async () => {
  bad = await startScriptedUpstream((response, { body }) => {
    const { model, stream } = JSON.parse(body);
    const { status, body: told, headers } = answers.get(model) ?? { status: 200, body: good };
    if (status === 200 && stream) {
      response
        .writeHead(200, { "content-type": "text/event-stream" })
        .end(`data: ${JSON.stringify(told)}\n\n`);
    } else sendJson(response, status, told, headers);
  });
});
afterAll(() => bad?.close());

const good = {
  id: "c",
  object: "chat.completion",
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "hello" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
};
const refusedKey = {
  error: { message: "Incorrect API key provided.", type: "invalid_request_error", code: "invalid_api_key" },
};

/** Refusals that are about what the caller sent, as vendors word them. */
const aboutContent: Readonly<Record<string, unknown>> = {
  "a moderated model": {
    error: {
      message: "Your chosen model requires moderation and your input was flagged. No credits were charged.",
      code: 403,
      metadata: { reasons: ["violence"], flagged_input: "How to", provider_name: "Acme" },
    },
  },
  "a content filter": {
    error: { message: "The response was filtered.", code: "content_filter", status: 400 },
  },
  "a policy": { error: { message: "Request rejected", type: "content_policy_violation" } },
  "a safety system": {
    type: "error",
    error: { type: "permission_error", message: "This request was blocked by our safety system." },
  },
  "an inner error": {
    error: { message: "Refused", code: "403", innererror: { code: "ResponsibleAIPolicyViolation" } },
  },
  "the end user's region": {
    error: {
      message: "This content is not available in the region of the end user.",
      code: "user_region_unsupported",
    },
  },
};

/** Refusals that are about the node's own account, key or address. */
const aboutNode: Readonly<Record<string, unknown>> = {
  "a permission": {
    error: {
      message: "You have insufficient permissions for this operation.",
      code: "insufficient_permissions",
    },
  },
  "an organization's policy": { error: { message: "Your organization policy does not allow this model." } },
  "the gateway's own address": {
    error: {
      message: "Country, region, or territory not supported",
      code: "unsupported_country_region_territory",
    },
  },
  "a terminated account": {
    error: { message: "Your access was terminated due to violation of our usage policies." },
  },
  "a page of a firewall": "<html>Access denied</html>",
};

const paths = { chat: "/v1/chat/completions", messages: "/v1/messages" } as const;
const clients = ["chat", "messages"] as const;
const redirects = [300, 301, 302, 303, 304, 307, 308];
const contentModels = Object.keys(aboutContent).map((_, index) => `content-${index}`);
const nodeModels = Object.keys(aboutNode).map((_, index) => `node-${index}`);
const single = ["row", "mixed", "again"];

const gateway = gatewayFor({
  nodes: () =>
    [
      ...contentModels,
      ...nodeModels,
      ...single,
      ...redirects.flatMap((status) => [`r${status}`, `o${status}`]),
    ].map((name) => ({ name, url: bad?.url ?? "" })),
  models: [
    ...[...contentModels, ...nodeModels].map((name) => ({
      alias: name,
      routes: [
        [name, name, 0],
        ["messages-b", "sim-good", 1],
      ] as [string, string, number][],
    })),
    ...single.map((name) => ({ alias: name, routes: [[name, name]] as [string, string][] })),
    ...redirects.flatMap((status) => [
      {
        alias: `r${status}`,
        routes: [
          [`r${status}`, `r${status}`, 0],
          ["chat-b", "sim-good", 1],
        ] as [string, string, number][],
      },
      { alias: `o${status}`, routes: [[`o${status}`, `r${status}`]] as [string, string][] },
    ]),
  ],
});

async function ask(client: "chat" | "messages", model: string, fields: Record<string, unknown> = {}) {
  const key = await gateway.key();
  const answer = await gateway.server.gateway(paths[client], key.key, chatBody(model, fields));
  return { key, answer, text: await answer.text() };
}

const callsOf = (model: string) => bad?.calls.filter((call) => JSON.parse(call.body).model === model).length;

async function healthOf(name: string): Promise<{ state: string; attempts: number; returnsInMs: number }> {
  const admin = await gateway.server.adminToken();
  const { body } = await gateway.server.api<{
    data: { name: string; health: Awaited<ReturnType<typeof healthOf>> }[];
  }>("GET", "/api/admin/nodes", admin);
  const found = body.data.find((node) => node.name === name);
  if (found === undefined) throw new Error(`no node ${name}`);
  return found.health;
}

/** Source: docs/contract.md#b1. */
describe.each(Object.keys(aboutContent))("a 403 that speaks of content (%s)", (name) => {
  const model = contentModels[Object.keys(aboutContent).indexOf(name)] ?? "";

  test("is the caller's 403, asks no other node, costs nothing, and leaves the node alone however often it comes", async () => {
    answers.set(model, { status: 403, body: aboutContent[name] });
    for (const stream of [false, true]) {
      for (const client of clients) {
        for (let times = 0; times < 2; times += 1) {
          const { key, answer, text } = await ask(client, model, { stream });
          expect([answer.status, text]).toEqual([403, expect.anything()]);
          expect(answer.headers.get("x-should-retry")).toBe("false");
          const { error, type }: ErrorBody = JSON.parse(text);
          expect(type).toBe("error");
          expect(error).toMatchObject({ code: "INVALID_REQUEST", type: "invalid_request_error" });
          expect(error.details).toMatchObject({ error_code: "INVALID_REQUEST", reason: "content_policy" });
          expect(await keyMoney(gateway.server, key)).toMatchObject({ usedQuota: 0, held: 0 });
          const entry = await logEntry(gateway.server, key, requestIdOf(answer));
          expect(entry).toMatchObject({
            status: "error",
            httpStatus: 403,
            errorCode: "INVALID_REQUEST",
            cost: "0",
            attemptCount: 1,
          });
        }
      }
    }
    expect(callsOf(model)).toBe(8);
    expect(await healthOf(model)).toMatchObject({ state: "healthy", attempts: 0 });
  });
});

/** Source: docs/contract.md#b1. */
describe.each(Object.keys(aboutNode))("a 403 about the node itself (%s)", (name) => {
  const model = nodeModels[Object.keys(aboutNode).indexOf(name)] ?? "";

  test("is failed over each time, and the node is left alone after the third in a row only", async () => {
    answers.set(model, { status: 403, body: aboutNode[name] });
    for (let times = 1; times <= 4; times += 1) {
      const { answer } = await ask(times % 2 === 0 ? "messages" : "chat", model);
      expect(answer.status).toBe(200);
      expect(callsOf(model)).toBe(Math.min(times, 3));
      expect((await healthOf(model)).state).toBe(times < 3 ? "healthy" : "cooling");
    }
    const { returnsInMs } = await healthOf(model);
    expect(returnsInMs).toBeGreaterThan(20_000);
    expect(returnsInMs).toBeLessThanOrEqual(30_000);
  });
});

/** Source: docs/contract.md#b1. */
test("a success between refused credentials begins the count anew", async () => {
  for (const status of [401, 403, 200, 403, 401]) {
    answers.set("mixed", { status, body: status === 200 ? good : refusedKey });
    const { answer } = await ask("chat", "mixed");
    expect(answer.status).toBe(status === 200 ? 200 : 502);
  }
  expect(await healthOf("mixed")).toMatchObject({ state: "healthy" });
  await ask("chat", "mixed");
  const { answer } = await ask("chat", "mixed");
  expect(answer.status).toBe(503);
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(20);
});

/** Source: docs/contract.md#b1. */
test("a stream that begins with a refusal about content is the caller's 403 as well", async () => {
  answers.set("row", {
    status: 200,
    body: { error: { message: "Input was flagged by moderation", code: 403 } },
  });
  for (const client of clients) {
    const { answer, text } = await ask(client, "row", { stream: true });
    expect(answer.status).toBe(403);
    expect(JSON.parse(text).error.details.reason).toBe("content_policy");
  }
  expect(await healthOf("row")).toMatchObject({ state: "healthy", attempts: 0 });
});

/** Source: docs/contract.md#b3. */
describe.each(redirects)("a node that answers %i", (status) => {
  const location = () => ({ location: `${bad?.url}/elsewhere` });

  test("is replaced by the next node, is never followed, and counts as one that answers 500", async () => {
    answers.set(`r${status}`, { status, body: { moved: true }, headers: location() });
    for (const client of clients) {
      for (const stream of [false, true]) {
        const { key, answer } = await ask(client, `r${status}`, { stream });
        expect(answer.status).toBe(200);
        const entry = await logEntry(gateway.server, key, requestIdOf(answer));
        expect(entry.attempts.map(({ result, upstreamStatus }) => [result, upstreamStatus])).toEqual([
          ["server", status],
          ["ok", 200],
        ]);
      }
    }
    await ask("chat", `r${status}`);
    expect((await healthOf(`r${status}`)).state).toBe("ejected");
    expect(bad?.calls.some((call) => call.path.includes("elsewhere"))).toBe(false);
  });

  test("is 502 UPSTREAM_ERROR when there is no other node", async () => {
    answers.set(`r${status}`, { status, body: { moved: true }, headers: location() });
    const { key, answer, text } = await ask("chat", `o${status}`);
    expect(answer.status).toBe(502);
    const body: ErrorBody = JSON.parse(text);
    expect(body.error.code).toBe("UPSTREAM_ERROR");
    expect(body.error.message).toMatch(/status 3\d\d\. Nothing was billed\.$/);
    expect(await keyMoney(gateway.server, key)).toMatchObject({ usedQuota: 0, held: 0 });
  });
});
