import { describe, expect, it } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { Protocol } from "@/lib/protocols/protocol";
import { prepareFor, validated } from "@/tests/unit/protocols/requests/support";

const says = (role: string, content: unknown) => ({ role, content });
const marked = (text: string) => `[System message]\n${text}`;

/** What a node of the client's own protocol gets. Source: docs/protocols.md#s6-1, #s6-2. */
function sent(protocol: Protocol, fields: JsonObject, upstreamModel: string, profile: JsonObject = {}) {
  const limit = protocol === "responses" ? {} : { max_tokens: 100 };
  const came = validated({ model: "m", ...limit, ...fields }, protocol);
  const choice = { clientProtocol: protocol, upstreamProtocol: protocol, upstreamModel, profile };
  return { came, body: prepareFor(came, choice).body };
}

describe("later system messages of a chat client on a chat node", () => {
  const call = { id: "x", type: "function", function: { name: "f", arguments: "{}" } };
  const history = [
    says("system", "A"),
    says("system", "B"),
    says("user", "q"),
    { role: "assistant", content: null, tool_calls: [call] },
    says("developer", "C"),
    { role: "tool", tool_call_id: "x", content: "ok" },
    says("user", [{ type: "text", text: "more" }]),
    says("system", [{ type: "text", text: "D" }]),
  ];
  const later = [
    says("user", "q"),
    { role: "assistant", content: null, tool_calls: [call] },
    { role: "tool", tool_call_id: "x", content: "ok" },
    says("user", marked("C")),
    says("user", [{ type: "text", text: "more" }]),
    says("user", [
      { type: "text", text: "[System message]" },
      { type: "text", text: "D" },
    ]),
  ];

  it.each(["Qwen/Qwen3.8-27B", "mistral-large-latest"])(
    "are the user's where the template allows one at the start (%s), behind the results of tools",
    (model) => {
      expect(sent("chat", { messages: history }, model).body.messages).toEqual([
        says("system", "A\n\nB"),
        ...later,
      ]);
    },
  );

  it("join the first where only one is allowed at all", () => {
    const { body } = sent("chat", { messages: history }, "x", { midSystem: "merge" });
    expect((body.messages as JsonObject[])[0]).toEqual(
      says(
        "system",
        ["A", "B", "C", "D"].map((text) => ({ type: "text", text })),
      ),
    );
    expect((body.messages as JsonObject[]).slice(1).map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "user",
    ]);
  });

  it.each([
    ["some-model", history.filter(({ role }) => role !== "developer")],
    ["Qwen/Qwen3.8-27B", [says("system", "A"), says("user", "q"), says("assistant", "a"), says("user", "b")]],
  ])("change nothing where %s takes them as they are", (model, messages) => {
    const { came, body } = sent("chat", { messages }, model);
    expect(body.messages).toBe(came.messages);
  });
});

describe("system turns of a messages client on a messages node", () => {
  const block = (text: string) => ({ type: "text", text });
  const result = { type: "tool_result", tool_use_id: "toolu_1", content: "ok" };
  const history = [
    says("user", "q"),
    says("system", "S"),
    says("assistant", [{ type: "tool_use", id: "toolu_1", name: "f", input: {} }]),
    says("system", [block("T")]),
    says("user", [result, block("more")]),
    says("assistant", "a"),
    says("system", "U"),
  ];

  it.each(["claude-sonnet-4-6", "glm-5.2"])("are the user's for %s, behind the results of tools", (model) => {
    expect(sent("messages", { messages: history }, model).body.messages).toEqual([
      says("user", [block("q"), block(marked("S"))]),
      history[2],
      says("user", [result, block(marked("T")), block("more")]),
      history[5],
      says("user", [block(marked("U"))]),
    ]);
  });

  it("join the system prompt where nothing else is allowed", () => {
    const { body } = sent("messages", { system: "first", messages: history }, "x", { midSystem: "merge" });
    expect(body.system).toEqual(["first", "S", "T", "U"].map(block));
    expect(body.messages).toEqual([0, 2, 4, 5].map((at) => history[at]));
  });

  it.each(["claude-opus-4-8", "claude-opus-5", "claude-sonnet-5-5", "claude-fable-5"])(
    "stay where the client has put them for %s, which knows them",
    (model) => {
      const { came, body } = sent("messages", { messages: history }, model);
      expect(body.messages).toBe(came.messages);
    },
  );
});

describe("system messages of a Responses client on a Responses node", () => {
  const input = [
    says("developer", "A"),
    says("user", "q"),
    { type: "function_call", call_id: "call_1", name: "f", arguments: "{}" },
    says("system", [{ type: "input_text", text: "B" }]),
    { type: "function_call_output", call_id: "call_1", output: "ok" },
    says("user", "more"),
  ];

  it("are the user's where the template allows one at the start, behind the results of tools", () => {
    const { body } = sent("responses", { instructions: "I", input }, "Qwen/Qwen3.8-27B");
    expect(body.instructions).toBe("I\n\nA");
    expect(body.input).toEqual([
      input[1],
      input[2],
      input[4],
      { type: "message", role: "user", content: marked("B") },
      input[5],
    ]);
  });

  it("join the instructions where nothing else is allowed", () => {
    const { body } = sent("responses", { instructions: "I", input }, "x", { midSystem: "merge" });
    expect(body.instructions).toBe("I\n\nA\n\nB");
    expect(body.input).toEqual([1, 2, 4, 5].map((at) => input[at]));
  });

  it("change nothing where the model takes them as they are", () => {
    const { came, body } = sent("responses", { instructions: "I", input }, "gpt-5.2");
    expect([body.instructions, body.input === came.input]).toEqual(["I", true]);
  });
});
