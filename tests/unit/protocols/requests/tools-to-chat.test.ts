import { describe, expect, it } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { refusalOf } from "@/tests/unit/protocols/requests/support";
import { messagesLoop, toChat } from "@/tests/unit/protocols/requests/tool-support";

function contentOf(message: JsonObject | undefined): JsonObject[] {
  return (message?.content ?? []) as JsonObject[];
}

describe("tool definitions for a chat upstream", () => {
  it("EC-64: fields that only one vendor knows are stripped", () => {
    const tool = {
      name: "f",
      description: "d",
      input_schema: { type: "object" },
      defer_loading: true,
      input_examples: [{}],
      eager_input_streaming: true,
      allowed_callers: ["direct"],
      cache_control: { type: "ephemeral" },
    };
    expect(toChat({ tools: [tool] }).body.tools).toEqual([
      {
        type: "function",
        function: { name: "f", description: "d", parameters: { type: "object", properties: {} } },
      },
    ]);
  });

  it.each(["bash_20250124", "text_editor_20250728", "memory_20250818", "computer_toolset_20260101"])(
    "EC-65: %s, whose schema only one model knows, is refused by its type",
    (type) => {
      const refusal = refusalOf(() =>
        toChat({
          tools: [
            { name: "f", input_schema: {} },
            { type, name: "x" },
          ],
        }),
      );
      expect(refusal.details.param).toBe("tools[1].type");
      expect(refusal.message).toContain(type);
    },
  );

  it("drops a server tool beside others with a warning and refuses it when it is the only one", () => {
    const search = { type: "web_search_20250305", name: "web_search" };
    const prepared = toChat({ tools: [search, { name: "f", input_schema: {} }] });
    expect(prepared.body.tools).toHaveLength(1);
    expect(prepared.losses).toEqual(["dropped:web_search_20250305"]);
    expect(refusalOf(() => toChat({ tools: [search] })).details.param).toBe("tools[0].type");
    const profile = { webSearch: "web_search_options" };
    const native = toChat({ tools: [search] }, { profile, perCall: { webSearch: 1n } });
    expect(native.body.web_search_options).toEqual({});
    expect(toChat({ tools: [search] }, { profile }).losses).toEqual(["dropped:web_search_20250305"]);
  });

  it("keeps strict only where every property is required", () => {
    const closed = { type: "object", properties: { a: {} }, required: ["a"], additionalProperties: false };
    const strict = (input_schema: JsonObject) =>
      toChat({ tools: [{ name: "f", input_schema, strict: true }] });
    expect(strict(closed).body.tools).toMatchObject([{ function: { strict: true } }]);
    expect(strict({ type: "object", properties: { a: {} } }).losses).toEqual(["dropped:tools[0].strict"]);
  });

  it("does not offer a tool that the history has taken away", () => {
    const messages = [
      { role: "user", content: "a" },
      { role: "system", content: [{ type: "tool_removal", tool: { type: "tool_reference", name: "g" } }] },
    ];
    const { body } = toChat({
      messages,
      tools: [
        { name: "f", input_schema: {} },
        { name: "g", input_schema: {} },
      ],
    });
    expect(body.tools).toMatchObject([{ function: { name: "f" } }]);
    expect(body.messages).toEqual([{ role: "user", content: "a" }]);
  });
});

describe("tool results for a chat upstream", () => {
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };

  it("EC-66: an image leaves a note in the tool message and follows in a user message after all tools", () => {
    const messages = messagesLoop("x", "f", [{ type: "text", text: "shot" }, image]);
    contentOf(messages[1]).push({ type: "tool_use", id: "y", name: "f", input: {} });
    contentOf(messages[2]).push(
      { type: "tool_result", tool_use_id: "y", content: [image] },
      { type: "text", text: "see" },
    );
    const part = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
    expect((toChat({ messages }).body.messages as JsonObject[]).slice(2)).toEqual([
      { role: "tool", tool_call_id: "x", content: "shot\n[image 1 attached in the next message]" },
      { role: "tool", tool_call_id: "y", content: "[image 2 attached in the next message]" },
      { role: "user", content: [part, part, { type: "text", text: "see" }] },
    ]);
  });

  it("EC-66: an upstream that takes images in tool messages gets them there", () => {
    const { body } = toChat(
      { messages: messagesLoop("x", "f", [image]) },
      { profile: { imageInToolMsg: true } },
    );
    expect((body.messages as JsonObject[])[2]?.content).toEqual([
      { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
    ]);
  });

  it("EC-67: an error is marked as one, once", () => {
    const content = (text: string) =>
      (
        toChat({ messages: messagesLoop("x", "f", text, { is_error: true }) }).body.messages as JsonObject[]
      )[2]?.content;
    expect(content("no such file")).toBe("Error: no such file");
    expect(content("ERROR: no such file")).toBe("ERROR: no such file");
  });

  it("EC-68: an absent or empty result is an empty string", () => {
    for (const content of [undefined, "", []]) {
      const { body } = toChat({ messages: messagesLoop("x", "f", content) });
      expect((body.messages as JsonObject[])[2]).toEqual({ role: "tool", tool_call_id: "x", content: "" });
    }
  });

  it("puts search results and tool references into words", () => {
    const content = [
      { type: "search_result", title: "T", source: "https://s", content: [{ type: "text", text: "body" }] },
      { type: "tool_reference", tool_name: "g" },
    ];
    const { body } = toChat({ messages: messagesLoop("x", "f", content) });
    expect((body.messages as JsonObject[])[2]?.content).toBe("T\nhttps://s\nbody\nTool available: g");
  });

  it("writes input that is no object as JSON all the same", () => {
    const messages = messagesLoop("x", "f", "ok");
    contentOf(messages[1])[0] = { type: "tool_use", id: "x", name: "f", input: null };
    const [, assistant] = toChat({ messages }).body.messages as { tool_calls: { function: JsonObject }[] }[];
    expect(assistant?.tool_calls[0]?.function.arguments).toBe("{}");
  });
});
