import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { type Protocol, protocolIds } from "@/lib/protocols/protocol";
import { streamProblems } from "../../support/stream-grammar";
import { NodeOnly, readAs } from "./node-only";
import { toyNode } from "./toy-node";

const node = new NodeOnly(toyNode, "toy/1 big");

beforeAll(() => node.listen());
afterAll(() => node.close());

const asked: Record<Protocol, JsonObject> = {
  chat: { model: "alias-1", messages: [{ role: "user", content: "Weather?" }], max_tokens: 50 },
  messages: { model: "alias-1", max_tokens: 50, messages: [{ role: "user", content: "Weather?" }] },
  responses: { model: "alias-1", input: "Weather?", max_output_tokens: 50 },
  gemini: {
    model: "alias-1",
    contents: [{ role: "user", parts: [{ text: "Weather?" }] }],
    generationConfig: { maxOutputTokens: 50 },
  },
};

const lines: JsonObject[] = [
  { say: "I look " },
  { say: "it up." },
  { call: ["weather", '{"city":"Bern"}'] },
  { why: "call", counts: [7, 5] },
];

describe.each(protocolIds)("a node whose protocol has no client half serves %s clients", (client) => {
  test.each([true, false])("with text, a call and the bill; streamed: %s", async (stream) => {
    const whole = { say: "I look it up.", call: ["weather", '{"city":"Bern"}'], why: "call", counts: [7, 5] };
    node.answer = ({ url }) =>
      url.includes(":stream")
        ? lines.map((line) => `data: ${JSON.stringify(line)}\n\n`).join("")
        : JSON.stringify(whole);
    const { wire, translator } = await node.serve(client, asked[client], stream);
    expect(node.received?.url).toBe(
      stream ? "/base/toys/toy%2F1%20big:stream?form=lines" : "/base/toys/toy%2F1%20big:answer",
    );
    expect(node.received?.headers).toMatchObject({ "x-goog-api-key": "secret" });
    expect(node.received?.headers).not.toHaveProperty("authorization");
    expect(node.received?.body).toMatchObject({
      most: 50,
      lines: [{ role: "user", parts: [{ text: "Weather?" }] }],
    });
    if (stream) expect(streamProblems(client, wire, { includeUsage: true })).toEqual([]);
    const events = readAs(client, wire, stream);
    const said = events.flatMap((event) => (event.type === "text" ? [event.text] : [])).join("");
    const args = events.flatMap((event) => (event.type === "tool_args" ? [event.text] : [])).join("");
    expect([said, JSON.parse(args)]).toEqual(["I look it up.", { city: "Bern" }]);
    expect(events.find(({ type }) => type === "finish")).toMatchObject({ reason: "tool_use" });
    expect(translator.meter.usage).toMatchObject({ inputUncached: 7, output: 5 });
  });

  test.each([true, false])("with its failure; streamed: %s", async (stream) => {
    node.answer = ({ url }) =>
      url.includes(":stream") ? 'data: {"fault":"Out of toys"}\n\n' : '{"fault":"Out of toys"}';
    const { translator } = await node.serve(client, asked[client], stream);
    expect(translator.failure).toMatchObject({ status: 500, message: "Out of toys" });
  });
});
