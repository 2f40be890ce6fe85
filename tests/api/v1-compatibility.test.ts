import { describe, expect, test } from "vitest";
import { chatBody, gatewayFor, logEntry, type ModelSpec, requestIdOf } from "../support/gateway-fixtures";
import { expectFetchRefusal } from "../support/v1-refusal";

const CHAT = "/v1/chat/completions";
const MESSAGES = "/v1/messages";
const models: ModelSpec[] = [
  { alias: "on-chat", routes: [["chat", "sim-a"]], defaultMaxTokens: 321 },
  { alias: "on-messages", routes: [["messages", "sim-a"]], defaultMaxTokens: 321, maxOutputTokens: 1_000 },
];
const bare = (model: string) => ({ model, messages: [{ role: "user", content: "Hello" }] });
const orphan = {
  max_tokens: 50,
  messages: [
    { role: "user", content: "Hello" },
    { role: "tool", tool_call_id: "call_lost", content: "18 degrees" },
    { role: "user", content: "And now?" },
  ],
};

const standard = gatewayFor({ models });
const strict = gatewayFor({ models, env: { COMPATIBILITY: "strict" } });
const lenient = gatewayFor({ models, env: { COMPATIBILITY: "lenient" } });

describe("COMPATIBILITY=standard", () => {
  const gateway = standard;

  test.each(["on-chat", "on-messages"])(
    "gives a chat request without max_tokens the alias's own on %s, and says so",
    async (model) => {
      const key = await gateway.key();
      const answer = await gateway.server.gateway(CHAT, key.key, bare(model));
      expect(answer.status).toBe(200);
      expect(answer.headers.get("x-tollgate-warnings")).toContain("max_tokens");
      expect((await logEntry(gateway.server, key, requestIdOf(answer))).warnings.join()).toContain(
        "max_tokens",
      );
      expect(lastBody(await requestsOf(gateway.upstream.url))).toContain("321");
      const streamed = await gateway.server.gateway(CHAT, key.key, { ...bare(model), stream: true });
      expect(streamed.headers.get("x-tollgate-warnings")).toContain("max_tokens");
      await streamed.text();
    },
  );

  test("clamps what is more than the model can say, with a warning", async () => {
    const key = await gateway.key();
    const answer = await gateway.server.gateway(
      CHAT,
      key.key,
      chatBody("on-messages", { max_tokens: 5_000 }),
    );
    expect(answer.headers.get("x-tollgate-warnings")).toContain("clamped:max_tokens");
    expect(lastBody(await requestsOf(gateway.upstream.url))).toContain('"max_tokens":1000');
  });

  test("refuses a temperature above 1 and names the setting that would accept it", async () => {
    const key = await gateway.key();
    for (const path of [CHAT, MESSAGES]) {
      const answer = await gateway.server.gateway(path, key.key, chatBody("on-chat", { temperature: 1.5 }));
      const error = await expectFetchRefusal(answer, path, "INVALID_REQUEST");
      if (path === CHAT) expect(error.message).toContain("COMPATIBILITY=lenient");
    }
  });

  test("refuses a tool result nobody asked for and names the setting that would repair it", async () => {
    const key = await gateway.key();
    const answer = await gateway.server.gateway(CHAT, key.key, { ...bare("on-messages"), ...orphan });
    const error = await expectFetchRefusal(answer, CHAT, "INVALID_REQUEST");
    expect(error.message).toContain("COMPATIBILITY=lenient");
  });

  test("refuses a messages request without max_tokens", async () => {
    const key = await gateway.key();
    const answer = await gateway.server.gateway(MESSAGES, key.key, bare("on-chat"));
    expect((await expectFetchRefusal(answer, MESSAGES, "INVALID_REQUEST")).param).toBe("max_tokens");
  });
});

describe("COMPATIBILITY=strict", () => {
  const gateway = strict;

  test("refuses a request without max_tokens and names the setting that would accept it", async () => {
    const key = await gateway.key();
    const answer = await gateway.server.gateway(CHAT, key.key, bare("on-chat"));
    const error = await expectFetchRefusal(answer, CHAT, "INVALID_REQUEST");
    expect(error.param).toBe("max_tokens");
    expect(error.message).toContain("COMPATIBILITY=standard");
    const messages = await gateway.server.gateway(MESSAGES, key.key, bare("on-chat"));
    await expectFetchRefusal(messages, MESSAGES, "INVALID_REQUEST");
    const full = await gateway.server.gateway(CHAT, key.key, chatBody("on-chat"));
    expect(full.status).toBe(200);
    expect(full.headers.get("x-tollgate-warnings")).toBeNull();
  });
});

describe("COMPATIBILITY=lenient", () => {
  const gateway = lenient;

  test.each(["on-chat", "on-messages"])(
    "lowers a chat temperature up to 2 to 1 on %s, with a warning; above 2 it is refused",
    async (model) => {
      const key = await gateway.key();
      const answer = await gateway.server.gateway(CHAT, key.key, chatBody(model, { temperature: 1.7 }));
      expect(answer.status).toBe(200);
      expect(answer.headers.get("x-tollgate-warnings")).toContain("clamped:temperature");
      expect(JSON.parse(lastBody(await requestsOf(gateway.upstream.url))).temperature ?? 1).toBe(1);
      const hot = await gateway.server.gateway(CHAT, key.key, chatBody(model, { temperature: 2.1 }));
      expect((await expectFetchRefusal(hot, CHAT, "INVALID_REQUEST")).param).toBe("temperature");
    },
  );

  test("repairs a tool history, with a warning, so that the upstream takes it", async () => {
    const key = await gateway.key();
    const answer = await gateway.server.gateway(CHAT, key.key, { ...bare("on-messages"), ...orphan });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-tollgate-warnings")).toContain("orphan_tool_result");
  });

  test("still refuses a messages request without max_tokens", async () => {
    const key = await gateway.key();
    const answer = await gateway.server.gateway(MESSAGES, key.key, bare("on-chat"));
    expect((await expectFetchRefusal(answer, MESSAGES, "INVALID_REQUEST")).param).toBe("max_tokens");
  });
});

const hello = { role: "user", content: "Hello" };
const call = { id: "c1", type: "function", function: { name: "f", arguments: "{}" } };
const use = { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "f", input: {} }] };
const lost = { role: "user", content: [{ type: "tool_result", tool_use_id: "lost", content: "ok" }] };
const audio = { role: "user", content: [{ type: "input_audio", input_audio: {} }] };
const nothingLost = { "x-tollgate-strict": "1" };
type Replayed = [what: string, path: string, body: object, headers?: Record<string, string>];
const replayed: Replayed[] = [
  ["no limit", CHAT, bare("on-messages")],
  ["no limit and a high temperature", CHAT, { ...bare("on-chat"), temperature: 1.5 }],
  ["a high temperature", CHAT, chatBody("on-messages", { temperature: 1.5 })],
  ["an orphan result", CHAT, { ...bare("on-messages"), ...orphan }],
  [
    "an orphan result and audio",
    CHAT,
    { ...bare("on-messages"), ...orphan, messages: [...orphan.messages, audio] },
  ],
  [
    "an unanswered call",
    CHAT,
    chatBody("on-messages", { messages: [hello, { role: "assistant", tool_calls: [call] }, hello] }),
  ],
  [
    "an unanswered call at the end",
    CHAT,
    chatBody("on-messages", { messages: [hello, { role: "assistant", tool_calls: [call] }] }),
  ],
  ["several choices", CHAT, chatBody("on-messages", { n: 2 })],
  ["several choices, nothing lost", CHAT, chatBody("on-messages", { n: 2 }), nothingLost],
  ["an orphan block", MESSAGES, chatBody("on-chat", { messages: [hello, lost] })],
  ["an unanswered block", MESSAGES, chatBody("on-chat", { messages: [hello, use, hello] })],
  ["an unanswered block at the end", MESSAGES, chatBody("on-chat", { messages: [hello, use] })],
  [
    "an unanswered block at the end, to be counted",
    `${MESSAGES}/count_tokens`,
    chatBody("on-chat", { messages: [hello, use] }),
  ],
  [
    "an orphan result and a seed, nothing lost",
    CHAT,
    { ...bare("on-messages"), ...orphan, seed: 1 },
    nothingLost,
  ],
];

describe("a refusal names another setting exactly where the same request is accepted", () => {
  const gateways = { standard, strict, lenient };

  test.each(replayed)("%s on %s", async (_, path, body, headers = {}) => {
    const statusOf = async (setting: keyof typeof gateways) => {
      const { server, key } = await callerOf(gateways[setting]);
      return server.gateway(path, key, body, headers);
    };
    for (const setting of ["strict", "standard"] as const) {
      const answer = await statusOf(setting);
      if (answer.status === 200) continue;
      const { message } = await expectFetchRefusal(answer, path, "INVALID_REQUEST");
      const named = /COMPATIBILITY=(standard|lenient)/.exec(message)?.[1];
      const tried = named === "standard" || named === "lenient" ? named : "lenient";
      expect((await statusOf(tried)).status, message).toBe(named === undefined ? 400 : 200);
    }
  });
});

async function callerOf(gateway: typeof standard) {
  return { server: gateway.server, key: (await gateway.key()).key };
}

async function requestsOf(url: string): Promise<{ body: string }[]> {
  return (await fetch(`${url}/__requests`)).json();
}

function lastBody(requests: { body: string }[]): string {
  return requests.at(-1)?.body ?? "";
}
