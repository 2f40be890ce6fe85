import { describe, expect, test } from "vitest";
import { callSnippet, type SnippetLanguage } from "@/components/playground/call-snippet";
import { bodyOf } from "@/lib/protocols/kit/call-body";
import type { CallInput } from "@/lib/protocols/kit/call-input";
import type { Protocol } from "@/lib/protocols/protocol";
import { plainCall } from "../../protocols/kit/plain-call";

const call = (protocol: Protocol): CallInput => ({
  ...plainCall,
  protocol,
  topP: 0.5,
  topK: 40,
  seed: 0,
  frequencyPenalty: -2,
  presencePenalty: 1.5,
  effort: "low",
});

describe("a call as code", () => {
  const body = {
    model: "m",
    stream: false,
    messages: [{ role: "user", content: 'It\'s "x"' }],
  };

  test("is a shell command with the body as it would be sent", () => {
    const code = callSnippet("curl", "messages", "https://g", body);
    expect(code).toContain("https://g/v1/messages");
    expect(code).toContain("anthropic-version");
    expect(code).toContain("It'\\''s");
  });

  test.each<[Protocol, string, string]>([
    ["chat", "chat.completions.create", 'base_url="https://g/v1"'],
    ["responses", "responses.create", 'base_url="https://g/v1"'],
    ["messages", "messages.create", 'base_url="https://g"'],
  ])(
    "is Python for %s, with Python's literals and no stream where none is asked for",
    (protocol, method, address) => {
      const code = callSnippet("python", protocol, "https://g", { ...body, store: false, nothing: null });
      for (const part of [method, address, "store=False", "nothing=None", 'content": "It\'s \\"x\\""'])
        expect(code).toContain(part);
      expect(code).not.toContain("stream");
    },
  );

  test.each<[Protocol, string, string]>([
    ["chat", "for chunk in answer:", "chunk.choices[0]?.delta.content"],
    ["messages", 'event.delta.type == "text_delta"', 'event.delta.type === "text_delta"'],
    [
      "responses",
      'event.type == "response.output_text.delta"',
      'event.type === "response.output_text.delta"',
    ],
  ])("streams for %s in every language where that is asked for", (protocol, python, node) => {
    const code = (language: SnippetLanguage) =>
      callSnippet(language, protocol, "https://g", { ...body, stream: true });
    expect(code("curl")).toMatch(/^curl -N https:[\s\S]+"stream": true/);
    expect(code("python")).toContain("stream=True");
    expect(code("python")).toContain(python);
    expect(code("node")).toContain('"stream": true');
    expect(code("node")).toContain(node);
  });

  test("has fields that the SDK has no argument for in the extra body", () => {
    const python = (protocol: Protocol) =>
      callSnippet("python", protocol, "http://gateway", bodyOf(call(protocol)));
    expect(python("chat")).toMatch(/seed=0,[\s\S]*extra_body=\{\s*"top_k": 40,\s*\}/);
    expect(python("messages")).toContain("    top_k=40,");
    expect(python("responses")).toMatch(/extra_body=\{\s*"frequency_penalty": -2,/);
    expect(callSnippet("node", "chat", "http://gateway", bodyOf(call("chat")))).toContain('"top_k": 40');
  });

  test("has the form of the answer", () => {
    const body = bodyOf({ ...plainCall, json: true });
    expect(callSnippet("python", "chat", "https://g", body)).toContain(
      'response_format={\n        "type": "json_object",\n    },',
    );
  });
});
