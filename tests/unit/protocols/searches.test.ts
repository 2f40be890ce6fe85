import { describe, expect, test } from "vitest";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { Protocol } from "@/lib/protocols/protocol";
import { protocols } from "@/lib/protocols/registry";
import { SseDecoder } from "@/lib/protocols/sse/sse-decoder";
import { optionsFor } from "./pipeline";
import { prepareFor, validated } from "./requests/support";

const url = "https://example.com/a";
const annotation = { type: "url_citation", url, title: "A", start_index: 6, end_index: 8 };

/** Whole answers of nodes that have searched and tell where their text comes from. */
const answers: Record<Protocol, JsonObject> = {
  chat: {
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "up",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: "It is so.",
          annotations: [{ type: "url_citation", url_citation: { ...annotation, type: undefined } }],
        },
        finish_reason: "stop",
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
  },
  messages: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "up",
    content: [
      { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "news" } },
      {
        type: "web_search_tool_result",
        tool_use_id: "srvtoolu_1",
        content: [{ type: "web_search_result", url, title: "A", encrypted_content: "x", page_age: null }],
      },
      { type: "text", text: "It is " },
      {
        type: "text",
        text: "so",
        citations: [
          { type: "web_search_result_location", url, title: "A", cited_text: "t", encrypted_index: "y" },
        ],
      },
      { type: "text", text: "." },
    ],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 2, server_tool_use: { web_search_requests: 1 } },
  },
  responses: {
    id: "resp_1",
    object: "response",
    created_at: 1,
    model: "up",
    status: "completed",
    output: [
      {
        id: "ws_1",
        type: "web_search_call",
        status: "completed",
        action: { type: "search", query: "news", sources: [{ type: "url", url }] },
      },
      {
        id: "msg_1",
        type: "message",
        status: "completed",
        role: "assistant",
        content: [{ type: "output_text", text: "It is so.", annotations: [annotation], logprobs: [] }],
      },
    ],
    usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
  },
  gemini: {
    candidates: [
      {
        content: { role: "model", parts: [{ text: "It is so." }] },
        finishReason: "STOP",
        groundingMetadata: {
          webSearchQueries: ["news"],
          groundingChunks: [{ web: { uri: url, title: "A" } }],
          groundingSupports: [{ segment: { startIndex: 6, endIndex: 8 }, groundingChunkIndices: [0] }],
        },
        index: 0,
      },
    ],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2, totalTokenCount: 3 },
    modelVersion: "up",
    responseId: "r",
  },
};
const nodes = ["chat", "messages", "responses", "gemini"] as const;
const forms = ["whole", "streamed"] as const;
const to = (client: Protocol) => nodes.flatMap((node) => forms.map((form) => [node, form, client] as const));

/** What a client of another protocol gets, as a whole body, and what it is told to have lost. */
function answerFor(client: Protocol, node: Protocol, form: "whole" | "streamed", request: JsonObject = {}) {
  const options = { ...optionsFor({ client, upstream: node }), request };
  const events = protocols[node].decodeWhole(structuredClone(answers[node]), { id: options.id });
  if (form === "whole") return { ...protocols[client].fold(events, options), wire: "" };
  const encoder = protocols[client].encoder(options);
  const wire = events.map((event) => encoder.push(event)).join("") + encoder.end();
  const reader = protocols[client].decoder({ id: options.id });
  const read = new SseDecoder().push(Buffer.from(wire)).flatMap((frame) => reader.push(frame));
  return { body: protocols[client].fold(read, options).body, losses: encoder.losses, wire };
}

/** Source: docs/protocols.md#s9-3. */
describe("where a text comes from", () => {
  test.each(to("chat"))(
    "%s node, %s: a %s client gets annotations with their places",
    (node, form, client) => {
      if (node === client) return;
      const { body } = answerFor(client, node, form);
      const { choices } = body as { choices: { message: { annotations: unknown } }[] };
      const { type: _type, ...cited } = annotation;
      expect(choices[0]?.message.annotations).toEqual([{ type: "url_citation", url_citation: cited }]);
    },
  );

  test.each(to("responses"))(
    "%s node, %s: a %s client gets annotations with their places",
    (node, form, client) => {
      if (node === client) return;
      const { body } = answerFor(client, node, form);
      const { output } = body as { output: { type: string; content?: { annotations: unknown }[] }[] };
      const message = output.find(({ type }) => type === "message");
      expect(message?.content?.[0]?.annotations).toEqual([annotation]);
    },
  );

  test.each(to("messages"))("%s node, %s: a %s client gets citations of the text", (node, form, client) => {
    if (node === client) return;
    const { body, losses } = answerFor(client, node, form);
    const { content } = body as { content: { type: string; text?: string; citations?: JsonObject[] }[] };
    const text = content.find(({ type }) => type === "text");
    expect(text?.text).toBe("It is so.");
    expect(text?.citations).toMatchObject([{ type: "web_search_result_location", url, title: "A" }]);
    expect(losses).toContain("changed:citations");
  });
});

/** Source: docs/protocols.md#s9-3. */
describe("a search that the node has made", () => {
  test.each(forms)("reaches a messages client as its blocks, with a count, %s", (form) => {
    const { body, wire } = answerFor("messages", "responses", form);
    const { content, usage } = body as { content: JsonObject[]; usage: JsonObject };
    const [call, result] = content;
    expect(call).toMatchObject({ type: "server_tool_use", name: "web_search", input: { query: "news" } });
    expect(result).toMatchObject({
      type: "web_search_tool_result",
      tool_use_id: call?.id,
      content: [{ type: "web_search_result", url }],
    });
    expect(content.map(({ type }) => type)).toEqual(["server_tool_use", "web_search_tool_result", "text"]);
    const counted = form === "whole" ? JSON.stringify(usage) : String(wire);
    expect(counted).toContain('"server_tool_use":{"web_search_requests":1}');
  });

  test.each(forms)(
    "reaches a Responses client as an item, with the pages where it wants them, %s",
    (form) => {
      const first = (request: JsonObject) => {
        const { output } = answerFor("responses", "messages", form, request).body as { output: JsonObject[] };
        return output[0];
      };
      const asked = { include: ["web_search_call.action.sources"] };
      expect(first({})).toMatchObject({ type: "web_search_call", status: "completed" });
      expect(first({})?.action).toEqual({ type: "search", query: "news" });
      expect(first(asked)?.action).toEqual({
        type: "search",
        query: "news",
        sources: [{ type: "url", url }],
      });
    },
  );

  test.each(["messages", "responses"] as const)(
    "of a %s node has no words in chat: the client is told",
    (node) => {
      expect(answerFor("chat", node, "whole").losses).toEqual(["dropped:web_search_result"]);
    },
  );

  test("that failed is none", () => {
    const failed = structuredClone(answers.messages);
    const [, result] = failed.content as JsonObject[];
    if (result) result.content = { type: "web_search_tool_result_error", error_code: "unavailable" };
    const events = protocols.messages.decodeWhole(failed, { id: "a" });
    expect(events.filter(({ type }) => type === "search")).toEqual([]);
  });

  test("and its citations come back as text to a messages node, which opens only what it has sealed", () => {
    const { body } = answerFor("messages", "responses", "whole");
    const made = isObject(body) ? body.content : [];
    const own = answers.messages.content;
    const history = (content: unknown) => ({
      model: "a",
      max_tokens: 9,
      messages: [
        { role: "user", content: "hi" },
        { role: "assistant", content },
        { role: "user", content: "on" },
      ],
    });
    const way = { clientProtocol: "messages", upstreamProtocol: "messages" } as const;
    const sent = prepareFor(validated(history(made), "messages"), way);
    const wire = JSON.stringify(sent.body);
    expect(wire).not.toMatch(/srvtoolu_|encrypted_|citations/);
    expect(wire).toContain(url);
    expect(sent.losses).toContain("changed:web_search_tool_result");
    const kept = prepareFor(validated(history(own), "messages"), way);
    expect(kept.body.messages).toEqual(history(own).messages);
  });
});

test("pages that a chat node lists beside its text are cited once, at its end", () => {
  const body = {
    ...answers.chat,
    citations: [url, "https://example.com/b"],
    search_results: [{ url: "https://example.com/b", title: "B" }],
  };
  const events = protocols.chat.decodeWhole(structuredClone(body), { id: "a" });
  expect(events.filter(({ type }) => type === "citation")).toEqual([
    { type: "citation", url, title: "A", start: 6, end: 8 },
    { type: "citation", url: "https://example.com/b", title: "B", start: 9, end: 9 },
  ]);
});
