import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import {
  type ErrorBody,
  eventually,
  gatewayFor,
  keyMoney,
  logEntry,
  requestIdOf,
} from "../support/gateway-fixtures";
import { streamProblems } from "../support/stream-grammar";

const PATH = "/v1/responses";
const nodes = ["chat", "messages"] as const;
const gateway = gatewayFor({
  plans: [
    { id: 1, name: "Open", qps: null, rpm: null, tpm: null, keyQuotaCents: 1_000_000, selfService: true },
    { id: 2, name: "Once", qps: null, rpm: 1, tpm: null, keyQuotaCents: 1_000_000, selfService: true },
  ],
  models: [
    ...nodes.flatMap((node) => [
      { alias: `good-${node}`, routes: [[node, "sim-usage-10-5"]] as [string, string][] },
      { alias: `cut-${node}`, routes: [[node, "sim-cut-after-8"]] as [string, string][] },
      { alias: `eof-${node}`, routes: [[node, "sim-eof-after-8"]] as [string, string][] },
      { alias: `error-${node}`, routes: [[node, "sim-error-after-8"]] as [string, string][] },
    ]),
    { alias: "unreachable", routes: [["refusing", "sim-a"]] },
    { alias: "dear", routes: [["chat", "sim-usage-10-5"]], prices: { input: 0, output: 1_000_000 } },
    { alias: "held", routes: [["chat", "sim-first-3000ms"]], prices: { input: 0, output: 1_000_000 } },
  ],
});

function asked(model: string, fields: Record<string, unknown> = {}) {
  return { model, input: "Say hello.", max_output_tokens: 100, store: false, ...fields };
}

describe.each(nodes)("a Responses client on a %s node", (node) => {
  test("R-11, R-35: gets a stream that keeps every rule, and the same answer whole", async () => {
    const { key } = await gateway.key();
    const streamed = await gateway.server.gateway(PATH, key, asked(`good-${node}`, { stream: true }));
    expect(streamed.headers.get("content-type")).toContain("text/event-stream");
    expect(streamProblems("responses", await streamed.text())).toEqual([]);
    const client = new OpenAI({ baseURL: `${gateway.server.url}/v1`, apiKey: key, maxRetries: 0 });
    const whole = await client.responses.create(asked(`good-${node}`));
    const read = await client.responses.stream(asked(`good-${node}`)).finalResponse();
    expect(read.output_text).toBe(whole.output_text);
    expect([whole.status, whole.usage, whole.model]).toEqual([
      "completed",
      {
        input_tokens: 10,
        input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
        output_tokens: 5,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 15,
      },
      `good-${node}`,
    ]);
  });

  test.each(["cut", "eof", "error"])(
    "R-18: sees a stream that breaks (%s) as failed, and pays nothing for it",
    async (how) => {
      const { server } = gateway;
      const key = await gateway.key();
      const answer = await server.gateway(PATH, key.key, asked(`${how}-${node}`, { stream: true }));
      const text = await answer.text();
      expect(streamProblems("responses", text)).toEqual([]);
      expect(text).toContain("simulated");
      expect(text).toContain('"status":"failed","completed_at":null,"error":{"code":"server_error"');
      expect(text).not.toContain("response.completed");
      const entry = await logEntry(server, key, requestIdOf(answer));
      expect(entry).toMatchObject({ status: "interrupted", cost: "0", protocol: "responses" });
      expect(await keyMoney(server, key)).toMatchObject({ usedQuota: 0, held: 0 });
    },
  );
});

describe("R-36: a Responses client that is refused", () => {
  async function refused(key: string, model: string) {
    const answer = await gateway.server.gateway(PATH, key, asked(model));
    const { error }: ErrorBody = await answer.json();
    return { answer, error, status: answer.status, retryAfter: answer.headers.get("retry-after") };
  }

  test("for an exhausted quota is told so once and for all", async () => {
    const { server } = gateway;
    const key = await gateway.key({ quota: 0 });
    const { answer, error, status, retryAfter } = await refused(key.key, "good-chat");
    expect([status, error.code, error.type, retryAfter]).toEqual([
      429,
      "insufficient_quota",
      "insufficient_quota",
      null,
    ]);
    expect(answer.headers.get("x-should-retry")).toBe("false");
    expect(error.details.error_code).toBe("QUOTA_EXCEEDED");
    const entry = await logEntry(server, key, requestIdOf(answer));
    expect(entry).toMatchObject({ httpStatus: 429, errorCode: "QUOTA_EXCEEDED", cost: "0" });
  });

  test("for a quota that a running request holds is told when to try again", async () => {
    const { server } = gateway;
    const user = await server.user({ quota: 100 });
    const running = server.gateway(PATH, user.key, asked("held"));
    await eventually(async () => ((await keyMoney(server, user)).held > 0 ? true : null));
    const { error, status, retryAfter } = await refused(user.key, "held");
    expect([status, error.code, retryAfter]).toEqual([429, "rate_limit_exceeded", "2"]);
    expect(error.message).toMatch(/held, not spent.* Please try again in 2s\.$/);
    expect((await running).status).toBe(200);
  });

  test("for a rate limit is told when to try again, in its message too", async () => {
    const { key } = await gateway.key({ planId: 2 });
    await gateway.server.gateway(PATH, key, asked("good-chat"));
    const { error, status, retryAfter } = await refused(key, "good-chat");
    expect([status, error.code]).toEqual([429, "rate_limit_exceeded"]);
    expect(error.message).toMatch(new RegExp(`Please try again in ${retryAfter}s\\.$`));
  });

  test("for an unknown model, and while no node is there, gets the words of the vendor", async () => {
    const { key } = await gateway.key();
    const unknown = await refused(key, "no-such-model");
    expect([unknown.status, unknown.error.code]).toEqual([404, "model_not_found"]);
    const out = await refused(key, "unreachable");
    expect([out.status, out.error.code]).toEqual([503, "server_is_overloaded"]);
    expect(Number(out.retryAfter)).toBeGreaterThan(0);
  });
});

test("R-D12: each answer tells Codex's meter how much of the quota is used", async () => {
  const { server } = gateway;
  const user = await server.user({ quota: 100 });
  const first = await server.gateway(PATH, user.key, asked("dear"));
  expect(first.headers.get("x-codex-primary-used-percent")).toBe("0");
  await first.text();
  const answer = await server.gateway(PATH, user.key, asked("dear"));
  expect(answer.headers.get("x-codex-primary-used-percent")).toBe("5");
  expect(answer.headers.get("x-codex-primary-window-minutes")).toBe("525600");
  const other = await server.gateway("/v1/chat/completions", user.key, {
    model: "good-chat",
    messages: [{ role: "user", content: "Hi" }],
  });
  expect(other.headers.get("x-codex-primary-used-percent")).toBeNull();
});

test("the API document tells the statuses that this endpoint really has", async () => {
  const { body } = await gateway.server.api<{
    paths: Record<string, { post: { responses: Record<string, { description: string }> } }>;
  }>("GET", "/openapi.json");
  const statuses = body.paths[PATH]?.post.responses ?? {};
  expect(Object.keys(statuses)).not.toContain("402");
  expect(statuses["429"]?.description).toContain("QUOTA_EXCEEDED");
  expect(body.paths["/v1/chat/completions"]?.post.responses["402"]?.description).toContain("QUOTA_EXCEEDED");
});
