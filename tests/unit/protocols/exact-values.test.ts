import { describe, expect, test } from "vitest";
import { parseExact, printJson } from "@/lib/kernel/exact-json";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { readJson } from "@/lib/kernel/read-json";
import type { Protocol } from "@/lib/protocols/protocol";
import { protocols } from "@/lib/protocols/registry";
import { optionsFor } from "./pipeline";
import { prepareFor, validated } from "./requests/support";

const all = ["chat", "messages", "responses", "gemini"] as const;
const ways = all.flatMap((client) => all.map((node) => [client, node] as const));
const values = [
  '{"id":2512292042121000001}',
  '{"price":19.90,"q":1.0}',
  '{"x":0.1234567890123456789}',
  '{"x":1E400}',
  '{"b":1,"10":"a","2":"b"}',
  '{"x":[-0,{"y":9007199254740993}]}',
];
const schema = '{"type":"object","properties":{"id":{"type":"integer","maximum":9223372036854775807}}}';
const text = (value: string) => JSON.stringify(value);

/** A request whose history has a call with these arguments. */
const requests: Record<Protocol, (args: string) => string> = {
  chat: (args) =>
    `{"model":"a","max_tokens":9,"tools":[{"type":"function","function":{"name":"go","parameters":${schema}}}],"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"go","arguments":${text(args)}}}]},{"role":"tool","tool_call_id":"call_1","content":"ok"}]}`,
  messages: (args) =>
    `{"model":"a","max_tokens":9,"tools":[{"name":"go","input_schema":${schema}}],"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"go","input":${args}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"ok"}]}]}`,
  responses: (args) =>
    `{"model":"a","store":false,"tools":[{"type":"function","name":"go","strict":false,"parameters":${schema}}],"input":[{"role":"user","content":"hi"},{"type":"function_call","call_id":"call_1","name":"go","arguments":${text(args)}},{"type":"function_call_output","call_id":"call_1","output":"ok"}]}`,
  gemini: (args) =>
    `{"model":"a","tools":[{"functionDeclarations":[{"name":"go","parametersJsonSchema":${schema}}]}],"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":[{"functionCall":{"name":"go","args":${args}}}]},{"role":"user","parts":[{"functionResponse":{"name":"go","response":{"output":"ok"}}}]}]}`,
};

const usage = '"usage":{"input_tokens":1,"output_tokens":2}';
/** A whole answer that calls a function with these arguments. */
const answers: Record<Protocol, (args: string) => string> = {
  chat: (args) =>
    `{"id":"c","object":"chat.completion","created":1,"model":"up","choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"go","arguments":${args}}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}`,
  messages: (args) =>
    `{"id":"msg_1","type":"message","role":"assistant","model":"up","content":[{"type":"tool_use","id":"toolu_1","name":"go","input":${args}}],"stop_reason":"tool_use","stop_sequence":null,${usage}}`,
  responses: (args) =>
    `{"id":"resp_1","object":"response","created_at":1,"model":"up","status":"completed","output":[{"type":"function_call","id":"fc_1","call_id":"call_1","name":"go","arguments":${args},"status":"completed"}],${usage}}`,
  gemini: (args) =>
    `{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"go","args":${args}}}]},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":2,"totalTokenCount":3},"modelVersion":"up","responseId":"r"}`,
};

/** The arguments that a text holds, as an object or as a text. */
const holds = (wire: string, args: string) => wire.includes(args) || wire.includes(text(args));

/** Source: docs/protocols.md#s6-4. */
describe.each(ways)("from a %s client to a %s node", (client, node) => {
  test.each(values)("a request keeps %s in its history, and the numbers of its schemas", (args) => {
    const { body } = readJson(Buffer.from(requests[client](args)));
    const { body: written } = prepareFor(validated(body, client), {
      clientProtocol: client,
      upstreamProtocol: node,
    });
    const wire = printJson(written);
    expect(holds(wire, args), wire).toBe(true);
    expect(wire).toContain("9223372036854775807");
  });

  test.each(values)("a whole answer keeps %s, as a text and as an object", (args) => {
    const forms = node === "messages" ? [args] : [text(args), args];
    for (const form of forms) {
      const json = answers[node](form);
      expect(holds(toClient(json), args), toClient(json)).toBe(true);
    }
  });

  function toClient(json: string): string {
    const body = parseExact(json);
    const options = optionsFor({ client, upstream: node });
    const reader = protocols[node];
    if (client === node) return reader.direct.passWhole(json, objectOf(body), options).wire(undefined);
    return printJson(protocols[client].fold(reader.decodeWhole(body, { id: options.id }), options).body);
  }
});

function objectOf(value: unknown): JsonObject {
  if (!isObject(value)) throw new Error("an object is wanted");
  return value;
}
