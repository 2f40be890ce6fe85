import { describe, expect, test } from "vitest";
import { noOptions, readSchema } from "@/components/playground/call-options";
import { callSnippet } from "@/components/playground/call-snippet";
import { bodyOf, type CallInput } from "@/components/playground/calls";
import { chatRequest } from "@/lib/protocols/chat/client/schema";
import { messagesRequest } from "@/lib/protocols/messages/client/schema";
import type { Protocol } from "@/lib/protocols/protocol";
import { responsesRequest } from "@/lib/protocols/responses/client/schema";

const schema = { type: "object", properties: { city: { type: "string" } } };
const call = (protocol: Protocol): CallInput => ({
  protocol,
  model: "m",
  system: "",
  maxTokens: 5,
  temperature: 1,
  stop: [],
  stream: false,
  json: false,
  topP: 0.5,
  topK: 40,
  seed: 0,
  frequencyPenalty: -2,
  presencePenalty: 1.5,
  effort: "low",
  schema,
  tools: [],
  turns: [{ role: "user", text: "Hello", images: [] }],
});
const schemas = { chat: chatRequest, messages: messagesRequest, responses: responsesRequest };

describe("what a call names only once it is set", () => {
  test.each<[Protocol, object]>([
    [
      "chat",
      {
        top_p: 0.5,
        top_k: 40,
        seed: 0,
        frequency_penalty: -2,
        presence_penalty: 1.5,
        reasoning_effort: "low",
        response_format: { type: "json_schema", json_schema: { name: "answer", schema } },
      },
    ],
    [
      "messages",
      {
        top_p: 0.5,
        top_k: 40,
        output_config: { effort: "low", format: { type: "json_schema", schema } },
      },
    ],
    [
      "responses",
      {
        top_p: 0.5,
        frequency_penalty: -2,
        presence_penalty: 1.5,
        reasoning: { effort: "low" },
        text: { format: { type: "json_schema", name: "answer", schema } },
      },
    ],
  ])("has the form of %s, which the gateway reads", (protocol, expected) => {
    const plain = bodyOf({ ...call(protocol), ...noOptions, schema: null });
    const body = bodyOf(call(protocol));
    const more = Object.entries(body).filter(([name]) => !Object.hasOwn(plain, name));
    expect(Object.fromEntries(more)).toEqual(expected);
    expect(schemas[protocol].safeParse(body).error).toBeUndefined();
  });

  test("is no effort that the protocol has no word for", () => {
    expect(bodyOf({ ...call("messages"), effort: "none", schema: null })).not.toHaveProperty("output_config");
    expect(bodyOf({ ...call("chat"), effort: "none" })).toHaveProperty("reasoning_effort", "none");
  });

  test("stands in code, where the SDK has no argument for it in the extra body", () => {
    const python = (protocol: Protocol) =>
      callSnippet("python", protocol, "http://gateway", bodyOf(call(protocol)));
    expect(python("chat")).toMatch(/seed=0,[\s\S]*extra_body=\{\s*"top_k": 40,\s*\}/);
    expect(python("messages")).toContain("    top_k=40,");
    expect(python("responses")).toMatch(/extra_body=\{\s*"frequency_penalty": -2,/);
    expect(callSnippet("node", "chat", "http://gateway", bodyOf(call("chat")))).toContain('"top_k": 40');
  });
});

test("a JSON schema is an object, and what is wrong with it has a place", () => {
  expect(readSchema(" ")).toEqual({ schema: null });
  expect(readSchema('{"type": "object"}')).toEqual({ schema: { type: "object" } });
  expect(readSchema("[]")).toEqual({ problem: { kind: "object" } });
  expect(readSchema('{"a": b}')).toMatchObject({ problem: { kind: "json", line: 1, column: 7 } });
  expect(readSchema("{")).toMatchObject({ problem: { kind: "jsonEnd" } });
});
