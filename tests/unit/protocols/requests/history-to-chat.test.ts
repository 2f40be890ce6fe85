import { describe, expect, it } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import {
  type ContextChoice,
  prepareFor,
  refusalOf,
  validated,
} from "@/tests/unit/protocols/requests/support";

function convert(messages: JsonObject[], choice: ContextChoice = {}, rest: JsonObject = {}) {
  const body = validated({ model: "m", max_tokens: 100, messages, ...rest }, "messages");
  return prepareFor(body, { clientProtocol: "messages", upstreamProtocol: "chat", ...choice });
}

function messagesOf(messages: JsonObject[], choice: ContextChoice = {}, rest: JsonObject = {}): unknown {
  return convert(messages, choice, rest).body.messages;
}

const text = (value: string) => ({ type: "text", text: value });
const user = (...content: JsonObject[]) => ({ role: "user", content });
const assistant = (...content: JsonObject[]) => ({ role: "assistant", content });
const use = (id: string, name = "f", input: unknown = {}) => ({ type: "tool_use", id, name, input });
const result = (id: string, content: unknown = "ok") => ({ type: "tool_result", tool_use_id: id, content });

describe("messages history to a chat upstream", () => {
  it("EC-3: a result between texts comes first, then one user message with both texts", () => {
    const history = [user(text("go")), assistant(use("a")), user(text("one"), result("a"), text("two"))];
    expect(messagesOf(history)).toEqual([
      { role: "user", content: "go" },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "a", type: "function", function: { name: "f", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "a", content: "ok" },
      { role: "user", content: [text("one"), text("two")] },
    ]);
  });

  it("EC-4: two results around a text become tool, tool, user", () => {
    const history = [
      user(text("go")),
      assistant(use("a"), use("b")),
      user(result("a"), text("x"), result("b")),
    ];
    expect((messagesOf(history) as JsonObject[]).map((message) => message.role)).toEqual([
      "user",
      "assistant",
      "tool",
      "tool",
      "user",
    ]);
  });

  it("EC-7: an empty text next to a call is removed", () => {
    const history = [user(text("go")), assistant(text(""), use("a")), user(result("a"))];
    expect(messagesOf(history)).toMatchObject([{}, { content: null, tool_calls: [{ id: "a" }] }, {}]);
  });

  it("EC-9: a system turn inside the history is accepted and placed as the profile says", () => {
    const history = [user(text("a")), { role: "system", content: "S" }];
    expect(messagesOf(history)).toEqual([
      { role: "user", content: "a" },
      { role: "system", content: "S" },
    ]);
    expect(messagesOf(history, { profile: { midSystem: "merge" } })).toEqual([
      { role: "system", content: "S" },
      { role: "user", content: "a" },
    ]);
    expect(messagesOf(history, { profile: { midSystem: "user" } })).toEqual([
      { role: "user", content: [text("a"), text("[System message]\nS")] },
    ]);
  });

  it("moves a system turn that splits calls from their results behind the results", () => {
    const history = [
      user(text("a")),
      assistant(use("x")),
      { role: "system", content: "S" },
      user(result("x"), text("b")),
    ];
    const roles = (choice: ContextChoice) =>
      (messagesOf(history, choice) as JsonObject[]).map((message) => message.role);
    expect(roles({})).toEqual(["user", "assistant", "tool", "user", "system"]);
    expect(roles({ profile: { midSystem: "user" } })).toEqual(["user", "assistant", "tool", "user"]);
  });

  it("EC-14: a trailing assistant turn is refused unless the model has prefill", () => {
    const history = [user(text("a")), assistant(text("b"))];
    expect(refusalOf(() => convert(history)).message).toContain("prefill");
    const prefilled = messagesOf(history, { profile: { prefill: true, prefillField: "prefix" } });
    expect(prefilled).toMatchObject([{}, { role: "assistant", content: "b", prefix: true }]);
  });

  it("EC-18: text after a call is kept as content beside the calls", () => {
    const history = [user(text("a")), assistant(use("x"), text("more")), user(result("x"))];
    const prepared = convert(history);
    expect(prepared.body.messages).toMatchObject([{}, { content: "more", tool_calls: [{ id: "x" }] }, {}]);
    expect(prepared.losses).toContain("changed:content_order");
  });

  it("EC-19: thinking does not leak into the content of an upstream that wants none", () => {
    const thinking = { type: "thinking", thinking: "secret", signature: "s" };
    const history = [user(text("a")), assistant(thinking, use("x")), user(result("x"))];
    const body = convert(history).body;
    expect(body.messages).toMatchObject([{}, { content: null, tool_calls: [{}] }, {}]);
    expect(JSON.stringify(body)).not.toContain("secret");
  });

  it("gives an upstream that takes no null content an empty string", () => {
    const history = [user(text("a")), assistant(use("x")), user(result("x"))];
    expect(messagesOf(history, { profile: { nullContent: false } })).toMatchObject([{}, { content: "" }, {}]);
  });

  it("removes an assistant turn of which nothing is left and merges its neighbours", () => {
    const history = [user(text("a")), assistant({ type: "redacted_thinking", data: "x" }), user(text("b"))];
    expect(messagesOf(history)).toEqual([{ role: "user", content: [text("a"), text("b")] }]);
  });

  it("EC-22: the billing line is taken out of the system prompt, the rest stays", () => {
    const line = "x-anthropic-billing-header: cc_version=2.1; cch=abc;";
    const history = [user(text("a"))];
    expect(
      messagesOf(history, {}, { system: [text(line), text("You are helpful."), text("Be brief.")] }),
    ).toEqual([
      { role: "system", content: "You are helpful.\n\nBe brief." },
      { role: "user", content: "a" },
    ]);
    expect(messagesOf(history, {}, { system: `${line}\nYou are helpful.` })).toMatchObject([
      { content: "You are helpful." },
      {},
    ]);
  });

  it("uses the role word of the upstream for the system prompt", () => {
    expect(messagesOf([user(text("a"))], { upstreamModel: "gpt-5" }, { system: "S" })).toMatchObject([
      { role: "developer" },
      {},
    ]);
  });

  it("refuses unpaired calls and results in the protocol's own words, and repairs them when lenient", () => {
    const missing = [user(text("a")), assistant(use("x")), user(text("b"))];
    const refusal = refusalOf(() => convert(missing));
    expect(refusal.details.param).toBe("messages[1]");
    expect(refusal.message).toContain(
      "tool_use ids were found without tool_result blocks immediately after: x",
    );
    expect(messagesOf(missing, { compatibility: "lenient" })).toMatchObject([
      {},
      {},
      { role: "tool", tool_call_id: "x", content: "Error: no result provided" },
      { role: "user" },
    ]);
    const orphan = [user(text("a")), assistant(text("b")), user(result("x", "42"))];
    expect(refusalOf(() => convert(orphan)).details.param).toBe("messages[2].content[0].tool_use_id");
    expect(messagesOf(orphan, { compatibility: "lenient" })).toMatchObject([
      {},
      {},
      { role: "user", content: [text("[result of an earlier tool call]"), text("42")] },
    ]);
  });

  it("keeps the results next to their calls when a lenient repair meets a system turn", () => {
    const history = [user(text("a")), assistant(use("x")), { role: "system", content: "S" }, user(text("b"))];
    const repaired = messagesOf(history, { compatibility: "lenient" }) as JsonObject[];
    expect(repaired.map((message) => message.role)).toEqual(["user", "assistant", "tool", "system", "user"]);
  });

  it("keeps the results of one turn together when the client splits it", () => {
    const history = [
      user(text("a")),
      assistant(use("x"), use("y")),
      user(result("x")),
      user(result("y"), text("b")),
    ];
    expect((messagesOf(history) as JsonObject[]).map((message) => message.role)).toEqual([
      "user",
      "assistant",
      "tool",
      "tool",
      "user",
    ]);
  });

  it("joins texts for an upstream that takes only strings", () => {
    const history = [user(text("a"), text("b"))];
    expect(messagesOf(history, { profile: { stringContent: true } })).toEqual([
      { role: "user", content: "a\nb" },
    ]);
  });

  it("puts what a server-side tool did into words and leaves opaque payloads out", () => {
    const history = [
      user(text("news?")),
      assistant(
        { type: "server_tool_use", id: "s", name: "web_search", input: { query: "news" } },
        {
          type: "web_search_tool_result",
          tool_use_id: "s",
          content: [{ type: "web_search_result", title: "T", url: "https://u", encrypted_content: "SECRET" }],
        },
        text("Here."),
      ),
      user(text("more")),
    ];
    const prepared = convert(history);
    const content = String((prepared.body.messages as JsonObject[])[1]?.content);
    expect(content).toContain("Web search results:\nT https://u");
    expect(content).toContain("Here.");
    expect(content).not.toContain("SECRET");
    expect(prepared.losses).toEqual(["changed:server_tool_use", "changed:web_search_tool_result"]);
  });

  it("B16: sends a custom tool's call back as a function call with the same input, and its result with it", () => {
    const input = { input: 'ls "a"\n' };
    const prepared = prepareFor(
      validated(
        {
          model: "m",
          max_tokens: 9,
          messages: [
            { role: "user", content: "go" },
            { role: "assistant", content: [{ type: "tool_use", id: "call_1", name: "run", input }] },
            { role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", content: "a" }] },
          ],
        },
        "messages",
      ),
      { clientProtocol: "messages", upstreamProtocol: "chat" },
    );
    const call = {
      id: "call_1",
      type: "function",
      function: { name: "run", arguments: JSON.stringify(input) },
    };
    expect(prepared.body.messages).toMatchObject([
      { role: "user" },
      { role: "assistant", tool_calls: [call] },
      { role: "tool", tool_call_id: "call_1", content: "a" },
    ]);
  });
});
