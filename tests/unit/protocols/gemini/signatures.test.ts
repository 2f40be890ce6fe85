import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { geminiAdapter } from "@/lib/protocols/gemini/adapter";
import { openReasoning, sealReasoning } from "@/lib/protocols/passes/reasoning-seal";
import { protocols } from "@/lib/protocols/registry";
import { prepareFor, validated } from "../requests/support";

const KEY = { id: "00000000", key: Buffer.alloc(32, 1) };
const ORIGIN = "gemini gemini";

const clients = ["chat", "messages", "responses"] as const;
type Client = (typeof clients)[number];

function envelope(reasoning: Parameters<typeof sealReasoning>[0]["reasoning"]): string {
  return sealReasoning({ origin: ORIGIN, reasoning }, KEY, Buffer.alloc(12));
}

/** What a client gets of a node's parts, as a whole body. */
function answered(client: Client, parts: JsonObject[], chunked: boolean): JsonObject {
  const piece = (some: JsonObject[], more: JsonObject = {}) => ({
    candidates: [{ content: { role: "model", parts: some }, index: 0, ...more }],
  });
  const chunks = chunked
    ? [...parts.map((part) => piece([part])), piece([], { finishReason: "STOP" })]
    : [piece(parts, { finishReason: "STOP" })];
  return protocols[client].fold(geminiAdapter.decodeWhole(chunks, { id: "r" }), {
    id: protocols[client].answerId("own"),
    alias: "alias",
    created: 1,
    request: client === "responses" ? { include: ["reasoning.encrypted_content"] } : {},
    hideReasoning: false,
    singleToolCall: false,
    toolNames: new Map(),
    inputEstimate: 1,
    seal: {
      sign: () => envelope({ text: "", signature: null, opaque: null }),
      tag: (opaque: string) => envelope({ text: "", signature: null, opaque }),
      envelope,
    },
  }).body;
}

/** The request with which each client goes on: it keeps the whole answer and runs the tools. */
const next: Readonly<Record<Client, (answer: JsonObject) => JsonObject>> = {
  chat: (answer) => {
    const [choice] = answer.choices as { message: JsonObject }[];
    const calls = (choice?.message.tool_calls ?? []) as { id: string }[];
    const results = calls.map(({ id }) => ({ role: "tool", tool_call_id: id, content: "ok" }));
    const later = results.length > 0 ? results : [{ role: "user", content: "go on" }];
    return { messages: [{ role: "user", content: "q" }, choice?.message, ...later] };
  },
  messages: ({ content }) => {
    const calls = (content as JsonObject[]).filter(({ type }) => type === "tool_use");
    const results = calls.map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: "ok" }));
    return {
      max_tokens: 9,
      messages: [
        { role: "user", content: "q" },
        { role: "assistant", content },
        { role: "user", content: results.length > 0 ? results : "go on" },
      ],
    };
  },
  responses: ({ output }) => {
    const calls = (output as JsonObject[]).filter(({ type }) => type === "function_call");
    const results = calls.map(({ call_id }) => ({ type: "function_call_output", call_id, output: "ok" }));
    const later = results.length > 0 ? results : [{ role: "user", content: "go on" }];
    return { input: [{ role: "user", content: "q" }, ...(output as JsonObject[]), ...later] };
  },
};

/** The parts of the model's turn that a node gets back. */
function givenBack(client: Client, answer: JsonObject, origin = ORIGIN, upstreamModel = "gemini-3-pro") {
  const { body, losses } = prepareFor(validated({ model: "m", ...next[client](answer) }, client), {
    clientProtocol: client,
    upstreamProtocol: "gemini",
    upstreamModel,
    openReasoning: (sealed) => {
      const opened = openReasoning(sealed, [KEY]);
      return opened?.origin === origin ? opened.reasoning : null;
    },
  });
  const [, turn] = body.contents as { role: string; parts: JsonObject[] }[];
  return { parts: (turn?.parts ?? []).map(withoutId), losses };
}

function withoutId(part: JsonObject): JsonObject {
  const { id: _id, ...call } = (part.functionCall ?? {}) as JsonObject;
  return part.functionCall === undefined ? part : { ...part, functionCall: call };
}

const call = (name: string, thoughtSignature?: string) => ({
  functionCall: { name, args: { of: name } },
  ...(thoughtSignature && { thoughtSignature }),
});
const thought = { text: "I think.", thought: true };
const text = (words: string, thoughtSignature?: string) => ({
  text: words,
  ...(thoughtSignature && { thoughtSignature }),
});

/** Source: docs/gemini.md#signatures. */
describe.each(clients)("signatures of a Gemini node, kept by a %s client", (client) => {
  const cases: [string, JsonObject[], JsonObject[]][] = [
    ["of a call", [call("f", "SIG1")], [call("f", "SIG1")]],
    ["of the first of two calls", [thought, call("f", "SIG1"), call("g")], [call("f", "SIG1"), call("g")]],
    [
      "of a call behind a text",
      [thought, text("First."), call("f", "SIG1"), call("f")],
      [text("First."), call("f", "SIG1"), call("f")],
    ],
    ["of two calls", [call("f", "SIG1"), call("g", "SIG2")], [call("f", "SIG1"), call("g", "SIG2")]],
    ["of a text", [thought, text("All.", "SIG3")], [text("All.", "SIG3")]],
    ["of an empty text", [text("All."), text("", "SIG4")], [text("All."), text("", "SIG4")]],
  ];

  test.each(cases)("%s stand at their parts again", (_, parts, wanted) => {
    for (const chunked of [false, true]) {
      const answer = answered(client, parts, chunked);
      expect(JSON.stringify(answer)).not.toMatch(/SIG\d/);
      const { parts: back, losses } = givenBack(client, answer);
      expect(back).toEqual(wanted);
      expect(losses.join()).not.toMatch(/reasoning|dummy/);
    }
  });

  test("of another kind of node are replaced in the current turn", () => {
    const answer = answered(client, [call("f", "SIG1"), call("g")], true);
    const { parts, losses } = givenBack(client, answer, "chat other-node");
    expect(parts).toEqual([call("f", "skip_thought_signature_validator"), call("g")]);
    expect(losses).toContain("signature:dummy");
    expect(givenBack(client, answer, "chat other-node", "gemini-2.5-pro").parts).toEqual([
      call("f"),
      call("g"),
    ]);
  });
});
