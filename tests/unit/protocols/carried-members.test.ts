import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { openReasoning, sealReasoning } from "@/lib/protocols/passes/reasoning-seal";
import type { Protocol } from "@/lib/protocols/protocol";
import { protocols } from "@/lib/protocols/registry";
import { SseDecoder } from "@/lib/protocols/sse/sse-decoder";
import { prepareFor, validated } from "@/tests/unit/protocols/requests/support";

const KEY = { id: "00000000", key: Buffer.alloc(32, 1) };
const NODE = "chat node-1";

function options(client: Protocol) {
  const envelope = (reasoning: Parameters<typeof sealReasoning>[0]["reasoning"]) =>
    sealReasoning({ origin: NODE, reasoning }, KEY, Buffer.alloc(12));
  return {
    id: protocols[client].answerId("own"),
    alias: "alias",
    created: 1,
    request: client === "responses" ? { include: ["reasoning.encrypted_content"] } : {},
    hideReasoning: false,
    singleToolCall: false,
    toolNames: new Map<string, string>(),
    inputEstimate: 1,
    seal: {
      sign: () => envelope({ text: "", signature: null, opaque: null }),
      tag: (opaque: string) => envelope({ text: "", signature: null, opaque }),
      envelope,
    },
  };
}

/** What a client gets of a node's answer, as a whole body. */
function answered(
  client: "messages" | "responses",
  answer: { deltas: JsonObject[] } | { message: JsonObject },
): JsonObject {
  const head = { id: "c", object: "chat.completion", created: 1, model: "up" };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const asked = options(client);
  if ("message" in answer) {
    const choices = [{ index: 0, message: answer.message, finish_reason: "stop" }];
    const events = protocols.chat.decodeWhole({ ...head, choices, usage }, { id: "c" });
    return protocols[client].fold(events, asked).body;
  }
  const chunks = [...answer.deltas.map((delta) => [delta, null]), [{}, "stop"]].map(
    ([delta, finish_reason]) => ({
      ...head,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason }],
    }),
  );
  const wire = [...chunks, { ...head, choices: [], usage }].map(
    (chunk) => `data: ${JSON.stringify(chunk)}\n\n`,
  );
  const decoder = protocols.chat.decoder({ id: "c" });
  const frames = new SseDecoder().push(Buffer.from(`${wire.join("")}data: [DONE]\n\n`));
  const events = [...frames.flatMap((frame) => decoder.push(frame)), ...decoder.end()];
  return protocols[client].fold(events, asked).body;
}

/** The turn of the model as a node gets it back from the client, which keeps the whole answer. */
function givenBack(
  client: "messages" | "responses",
  body: JsonObject,
  at = NODE,
  upstreamModel = "some-model",
) {
  const openAt = (sealed: string) => {
    const opened = openReasoning(sealed, [KEY]);
    return opened?.origin === at ? opened.reasoning : null;
  };
  const request =
    client === "messages"
      ? {
          model: "m",
          max_tokens: 9,
          messages: [
            { role: "user", content: "q" },
            { role: "assistant", content: body.content },
            ...resultsOf(body),
          ],
        }
      : {
          model: "m",
          input: [{ role: "user", content: "q" }, ...(body.output as JsonObject[]), ...outputsOf(body)],
        };
  const prepared = prepareFor(validated(request, client), {
    clientProtocol: client,
    upstreamProtocol: "chat",
    upstreamModel,
    openReasoning: openAt,
  });
  return (prepared.body.messages as JsonObject[]).find(({ role }) => role === "assistant");
}

function resultsOf({ content }: JsonObject): JsonObject[] {
  const calls = (content as JsonObject[]).filter(({ type }) => type === "tool_use");
  const results = calls.map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: "ok" }));
  return [{ role: "user", content: results.length > 0 ? results : "go on" }];
}

function outputsOf({ output }: JsonObject): JsonObject[] {
  const calls = (output as JsonObject[]).filter(({ type }) => type === "function_call");
  const results = calls.map(({ call_id }) => ({ type: "function_call_output", call_id, output: "ok" }));
  return results.length > 0 ? results : [{ role: "user", content: "go on" }];
}

const call = (id: string, extra?: JsonObject) => ({
  index: Number(id),
  id: `call_${id}`,
  type: "function",
  function: { name: `f${id}`, arguments: "{}" },
  ...(extra && { extra_content: extra }),
});
const google = { google: { thought_signature: "GEMSIG==" } };
const text = (words: string, more: JsonObject = {}) => ({
  type: "reasoning.text",
  text: words,
  index: 0,
  ...more,
});

/** Source: docs/protocols.md#s8-5. */
describe.each(["messages", "responses"] as const)(
  "what a chat node hangs on its answer, with a %s client",
  (client) => {
    const cases: [string, { deltas: JsonObject[] } | { message: JsonObject }, JsonObject][] = [
      [
        "the signature of a call, streamed",
        { deltas: [{ role: "assistant", tool_calls: [call("0", google)] }, { tool_calls: [call("1")] }] },
        { tool_calls: [{ extra_content: google }, {}] },
      ],
      [
        "the signature of a second call, whole",
        { message: { content: null, tool_calls: [call("0"), call("1", google)] } },
        { tool_calls: [{}, { extra_content: google }] },
      ],
      [
        "what a message carries",
        { message: { content: "hi", extra_content: google } },
        { extra_content: google },
      ],
      [
        "signed details, whole",
        {
          message: {
            content: "a",
            reasoning: "think",
            reasoning_details: [text("think", { signature: "SIG", format: "f" })],
          },
        },
        { reasoning_details: [text("think", { signature: "SIG", format: "f" })] },
      ],
      [
        "a signature that comes after the text",
        {
          deltas: [
            { role: "assistant", reasoning_details: [text("thi")] },
            { reasoning_details: [text("nk")] },
            { content: "answer" },
            { reasoning_details: [text("", { signature: "LATE" })] },
          ],
        },
        { content: "answer", reasoning_details: [text("think", { signature: "LATE" })] },
      ],
      [
        "sealed entries with their ids",
        {
          message: {
            content: "a",
            reasoning_details: [
              { type: "reasoning.encrypted", data: "D", id: "rs_1", format: "x", index: 0 },
            ],
          },
        },
        {
          reasoning_details: [{ type: "reasoning.encrypted", data: "D", id: "rs_1", format: "x", index: 0 }],
        },
      ],
      [
        "thinking blocks, streamed",
        {
          deltas: [
            {
              role: "assistant",
              reasoning_content: "th",
              thinking_blocks: [{ type: "thinking", thinking: "th" }],
            },
            { reasoning_content: "ink", thinking_blocks: [{ type: "thinking", thinking: "ink" }] },
            { thinking_blocks: [{ type: "thinking", thinking: "", signature: "SIG" }] },
            { content: "a" },
          ],
        },
        { thinking_blocks: [{ type: "thinking", thinking: "think", signature: "SIG" }] },
      ],
    ];

    test.each(cases)("%s goes back to it", (_, answer, wanted) => {
      const body = answered(client, answer);
      expect(JSON.stringify(body)).not.toMatch(/GEMSIG|SIG"|LATE|rs_1/);
      expect(givenBack(client, body)).toMatchObject(wanted);
    });

    test.each(cases)("%s reaches no other node", (_, answer) => {
      const turn = JSON.stringify(givenBack(client, answered(client, answer), "chat node-2"));
      expect(turn).not.toMatch(/GEMSIG|SIG"|LATE|rs_1/);
    });

    test("a call from elsewhere gets the vendor's stand-in where the model refuses it without, one with its own none", () => {
      const stand = { google: { thought_signature: "skip_thought_signature_validator" } };
      const answer = (extra?: JsonObject) =>
        answered(client, { message: { content: null, tool_calls: [call("0", extra), call("1")] } });
      expect(givenBack(client, answer(), "chat node-2", "gemini-3-pro-preview")).toMatchObject({
        tool_calls: [{ extra_content: stand }, {}],
      });
      expect(givenBack(client, answer(google), NODE, "gemini-3-pro-preview")).toMatchObject({
        tool_calls: [{ extra_content: google }, {}],
      });
      expect(JSON.stringify(givenBack(client, answer(), NODE, "gemini-2.5-pro"))).not.toContain(
        "extra_content",
      );
    });
  },
);

test("a chat client's own call without a signature gets the stand-in, one with its own passes as it came", () => {
  const sent = (extra?: JsonObject) => {
    const messages = [
      { role: "user", content: "q" },
      { role: "assistant", content: null, tool_calls: [call("0", extra)] },
      { role: "tool", tool_call_id: "call_0", content: "ok" },
    ];
    const body = validated({ model: "m", max_tokens: 9, messages }, "chat");
    const choice = { upstreamProtocol: "chat", upstreamModel: "gemini-3-pro-preview" } as const;
    return { came: body.messages, messages: prepareFor(body, choice).body.messages as JsonObject[] };
  };
  expect(sent().messages[1]).toMatchObject({
    tool_calls: [{ extra_content: { google: { thought_signature: "skip_thought_signature_validator" } } }],
  });
  const own = sent(google);
  expect(own.messages).toBe(own.came);
});
