import { describe, expect, it } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { chatWishes } from "@/lib/protocols/chat/client/wishes";
import { type ContextChoice, prepareFor, refusalOf, validated } from "./support";

function convert(messages: JsonObject[], choice: ContextChoice = {}, rest: JsonObject = {}) {
  return prepareFor(validated({ model: "m", max_tokens: 100, messages, ...rest }, "chat"), choice);
}

function turns(messages: JsonObject[], choice: ContextChoice = {}, rest: JsonObject = {}): unknown {
  return convert(messages, choice, rest).body.messages;
}

const user = (content: unknown) => ({ role: "user", content });
const call = (id: string, name = "f", args = "{}") => ({
  id,
  type: "function",
  function: { name, arguments: args },
});
const said = (content: string) => ({ role: "assistant", content });
const calling = (...calls: JsonObject[]) => ({ role: "assistant", content: null, tool_calls: calls });
const result = (id: string, content: unknown = "ok") => ({ role: "tool", tool_call_id: id, content });
const text = (value: string) => ({ type: "text", text: value });

describe("chat history to a messages upstream", () => {
  it("EC-1: three parallel results become one user turn, in call order", () => {
    const history = [
      user("go"),
      calling(call("a"), call("b"), call("c")),
      result("a", "1"),
      result("b", "2"),
      result("c", "3"),
    ];
    expect(turns(history)).toEqual([
      { role: "user", content: [text("go")] },
      {
        role: "assistant",
        content: ["a", "b", "c"].map((id) => ({ type: "tool_use", id, name: "f", input: {} })),
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "a", content: "1" },
          { type: "tool_result", tool_use_id: "b", content: "2" },
          { type: "tool_result", tool_use_id: "c", content: "3" },
        ],
      },
    ]);
  });

  it("EC-2: a user's text after results is in the same turn, behind them", () => {
    const history = [user("go"), calling(call("a")), result("a"), user("thanks")];
    expect(turns(history)).toMatchObject([
      {},
      {},
      { role: "user", content: [{ type: "tool_result" }, text("thanks")] },
    ]);
  });

  it("EC-5: an empty assistant text beside calls leaves no text block", () => {
    const history = [user("go"), { ...calling(call("a")), content: "" }, result("a")];
    expect(turns(history)).toMatchObject([{}, { content: [{ type: "tool_use" }] }, {}]);
    expect(JSON.stringify(turns(history))).not.toContain('"text":""');
  });

  it("EC-6: an assistant message that says nothing is removed and its neighbours merge", () => {
    const history = [user("one"), { role: "assistant", content: null }, user("two")];
    expect(turns(history)).toEqual([{ role: "user", content: [text("one"), text("two")] }]);
  });

  it("EC-8: a later system message goes into the last user turn, not to the front", () => {
    const history = [
      { role: "system", content: "S1" },
      user("a"),
      { role: "assistant", content: "b" },
      { role: "system", content: "S2" },
      user("c"),
    ];
    const { body } = convert(history, { upstreamModel: "claude-sonnet-4-5" });
    expect(body.system).toEqual([text("S1")]);
    expect(body.messages).toEqual([
      { role: "user", content: [text("a")] },
      { role: "assistant", content: [text("b")] },
      { role: "user", content: [text("[System message]\nS2"), text("c")] },
    ]);
  });

  it("EC-8: a system message between calls and results goes behind the results", () => {
    const history = [user("a"), calling(call("x")), { role: "system", content: "S" }, result("x"), user("b")];
    expect(turns(history)).toMatchObject([
      {},
      {},
      { content: [{ type: "tool_result" }, text("[System message]\nS"), text("b")] },
    ]);
  });

  it("appends a later system message where only one is allowed", () => {
    const history = [user("a"), said("b"), { role: "system", content: "S" }, user("c")];
    const merged = convert(history, { profile: { midSystem: "merge" } }).body;
    expect(merged.system).toEqual([text("S")]);
    expect(merged.messages).toHaveLength(3);
  });

  describe("where the model knows later system messages", () => {
    const shape = (history: JsonObject[]) =>
      (turns(history, { profile: { midSystem: "native" } }) as { role: string; content: JsonObject[] }[]).map(
        ({ role, content }) => [role, content.map((block) => block.text ?? block.type)],
      );
    const system = (content: string) => ({ role: "system", content });

    it.each<[string, JsonObject[], unknown[]]>([
      [
        "one behind the user's stays",
        [user("a"), system("S"), said("b"), user("c")],
        [
          ["user", ["a"]],
          ["system", ["S"]],
          ["assistant", ["b"]],
          ["user", ["c"]],
        ],
      ],
      [
        "two at the end are one",
        [user("a"), system("S"), system("T")],
        [
          ["user", ["a"]],
          ["system", ["S", "T"]],
        ],
      ],
      [
        "one before the user's goes behind it",
        [user("a"), said("b"), system("S"), user("c")],
        [
          ["user", ["a"]],
          ["assistant", ["b"]],
          ["user", ["c"]],
          ["system", ["S"]],
        ],
      ],
      [
        "one between two of the user's goes behind both, which are one turn",
        [user("a"), system("S"), user("c"), said("b"), user("d")],
        [
          ["user", ["a", "c"]],
          ["system", ["S"]],
          ["assistant", ["b"]],
          ["user", ["d"]],
        ],
      ],
      [
        "one behind results goes behind what the user says with them",
        [user("a"), calling(call("x")), result("x"), system("S"), user("b")],
        [
          ["user", ["a"]],
          ["assistant", ["tool_use"]],
          ["user", ["tool_result", "b"]],
          ["system", ["S"]],
        ],
      ],
      [
        "one that follows the model at the end is the user's",
        [user("a"), said("b"), system("S")],
        [
          ["user", ["a"]],
          ["assistant", ["b"]],
          ["user", ["[System message]\nS"]],
        ],
      ],
      [
        "one between two turns of the model is the user's",
        [user("a"), said("b"), system("S"), said("c"), user("d")],
        [
          ["user", ["a"]],
          ["assistant", ["b"]],
          ["user", ["[System message]\nS"]],
          ["assistant", ["c"]],
          ["user", ["d"]],
        ],
      ],
    ])("%s", (_, history, wanted) => {
      expect(shape(history)).toEqual(wanted);
    });

    it("every one stands behind a user turn, and is last or before the model's, and no text is lost", () => {
      const roles = ["user", "assistant", "system"] as const;
      for (let code = 0; code < 3 ** 6; code += 1) {
        const history = [...Array(6).keys()].map((at) => ({
          role: roles[Math.floor(code / 3 ** at) % 3] ?? "user",
          content: `text ${at}`,
        }));
        if (history.every(({ role }) => role === "system")) continue;
        const { system: first, messages } = convert(history, { profile: { midSystem: "native" } }).body as {
          system?: JsonObject[];
          messages: JsonObject[];
        };
        messages.forEach(({ role }, at) => {
          if (role !== "system") return;
          expect([messages[at - 1]?.role, messages[at + 1]?.role ?? "assistant"]).toEqual([
            "user",
            "assistant",
          ]);
        });
        const all = JSON.stringify([first, messages]);
        for (const { content } of history) expect(all.split(content)).toHaveLength(2);
      }
    });
  });

  it("EC-10: only system messages are refused, since nothing is left to answer", () => {
    expect(refusalOf(() => convert([{ role: "system", content: "S" }])).details.param).toBe("messages");
  });

  it("EC-11: the developer role is a system message", () => {
    const { body } = convert([{ role: "developer", content: "D" }, user("a")]);
    expect(body.system).toEqual([text("D")]);
    expect(body.messages).toHaveLength(1);
  });

  it("EC-12: two user messages become one turn that keeps the image", () => {
    const image = { type: "image_url", image_url: { url: "https://example.com/a.png" } };
    expect(turns([user("one"), user([text("two"), image])])).toEqual([
      {
        role: "user",
        content: [
          text("one"),
          text("two"),
          { type: "image", source: { type: "url", url: "https://example.com/a.png" } },
        ],
      },
    ]);
  });

  it("EC-13: a trailing assistant message gets a user turn behind it where the model has no prefill", () => {
    const prepared = convert([user("a"), { role: "assistant", content: "b" }]);
    expect(prepared.body.messages).toMatchObject([{}, {}, { role: "user", content: [text("Continue.")] }]);
    expect(prepared.losses).toContain("added:last_user_turn");
  });

  it("keeps a trailing assistant message as prefill where the model has it, without white space at its end", () => {
    const history = [user("a"), { role: "assistant", content: "b  \n" }];
    expect(turns(history, { profile: { prefill: true } })).toMatchObject([
      {},
      { role: "assistant", content: [text("b")] },
    ]);
  });

  it("begins with the user even when the client does not", () => {
    const prepared = convert([{ role: "assistant", content: "hi" }, user("a")]);
    expect(prepared.body.messages).toMatchObject([
      { role: "user", content: [text("(conversation continued)")] },
      {},
      {},
    ]);
    expect(prepared.losses).toContain("added:first_user_turn");
  });

  it("EC-15: an orphan result is refused by its field, and becomes the user's text when lenient", () => {
    const history = [user("a"), result("gone", "42")];
    const refusal = refusalOf(() => convert(history));
    expect(refusal.details.param).toBe("messages[1].tool_call_id");
    expect(refusal.details.alternative).toBe("tool histories are repaired");
    const prepared = convert(history, { compatibility: "lenient" });
    expect(prepared.body.messages).toEqual([
      { role: "user", content: [text("a"), text("[result of an earlier tool call]\n42")] },
    ]);
    expect(prepared.losses).toContain("changed:orphan_tool_result");
  });

  it("EC-16: of two results for one call the first is kept", () => {
    const prepared = convert([user("a"), calling(call("x")), result("x", "1"), result("x", "2")]);
    expect(prepared.body.messages).toMatchObject([{}, {}, { content: [{ content: "1" }] }]);
    expect(prepared.losses).toContain("dropped:duplicate_tool_result");
  });

  it("EC-17: one id in every turn keeps all results and gets distinct ids", () => {
    const history = [user("a"), calling(call("x")), result("x", "1"), calling(call("x")), result("x", "2")];
    const content = (turns(history) as { content: JsonObject[] }[]).flatMap((turn) => turn.content);
    const calls = content.filter((block) => block.type === "tool_use").map((block) => block.id);
    const results = content.filter((block) => block.type === "tool_result");
    expect(calls[0]).toBe("x");
    expect(calls[1]).toMatch(/^toolu_[a-z2-7]{24}$/);
    expect(results.map((block) => block.tool_use_id)).toEqual(calls);
    expect(results.map((block) => block.content)).toEqual(["1", "2"]);
  });

  it("renames the second of two calls with one id and matches results by position", () => {
    const history = [user("a"), calling(call("x", "f"), call("x", "g")), result("x", "1"), result("x", "2")];
    const [, assistant, answers] = turns(history) as { content: JsonObject[] }[];
    const ids = assistant?.content.map((block) => block.id);
    expect(new Set(ids).size).toBe(2);
    expect(answers?.content.map((block) => [block.tool_use_id, block.content])).toEqual([
      [ids?.[0], "1"],
      [ids?.[1], "2"],
    ]);
  });

  it("EC-20: results out of order are put in call order", () => {
    const history = [user("a"), calling(call("x"), call("y")), result("y", "2"), result("x", "1")];
    expect(turns(history)).toMatchObject([{}, {}, { content: [{ tool_use_id: "x" }, { tool_use_id: "y" }] }]);
  });

  it("EC-21: older functions become tools, and the answer is to be in the older shape", () => {
    const history = [
      user("a"),
      { role: "assistant", content: null, function_call: { name: "f", arguments: '{"x":1}' } },
      { role: "function", name: "f", content: "42" },
    ];
    const older = {
      functions: [{ name: "f", parameters: { type: "object" } }],
      function_call: { name: "f" },
    };
    const prepared = convert(history, {}, older);
    const [, assistant, answer] = prepared.body.messages as { content: JsonObject[] }[];
    expect(chatWishes(older).legacyFunctions).toBe(true);
    expect(prepared.body.tools).toEqual([{ name: "f", input_schema: { type: "object" } }]);
    expect(prepared.body.tool_choice).toEqual({ type: "tool", name: "f" });
    expect(assistant?.content).toMatchObject([{ type: "tool_use", name: "f", input: { x: 1 } }]);
    expect(answer?.content).toMatchObject([
      { type: "tool_result", content: "42", tool_use_id: assistant?.content[0]?.id },
    ]);
  });

  it("refuses unanswered calls by id, and answers them with an error when lenient", () => {
    const history = [user("a"), calling(call("x"), call("y")), result("x"), user("b")];
    const refusal = refusalOf(() => convert(history));
    expect(refusal.details.param).toBe("messages[1].tool_calls");
    expect(refusal.message).toContain("answers y");
    const prepared = convert(history, { compatibility: "lenient" });
    expect(prepared.body.messages).toMatchObject([
      {},
      {},
      {
        content: [
          { tool_use_id: "x" },
          { tool_use_id: "y", is_error: true, content: "no result provided" },
          text("b"),
        ],
      },
    ]);
    expect(prepared.losses).toContain("added:tool_result");
  });

  it("refuses a history that ends with unanswered calls, in every setting", () => {
    for (const compatibility of ["standard", "lenient"] as const) {
      const refusal = refusalOf(() => convert([user("a"), calling(call("x"))], { compatibility }));
      expect(refusal.message).toContain("tool_calls at index 1 have no results");
    }
  });

  it("takes calls and words in two assistant messages as one turn, as an older command line sends them", () => {
    const history = [user("a"), calling(call("x")), { role: "assistant", content: "looking" }, result("x")];
    expect(turns(history)).toMatchObject([
      {},
      { content: [{ type: "tool_use" }, text("looking")] },
      { content: [{ tool_use_id: "x" }] },
    ]);
  });

  it("passes a refusal on as the assistant's text", () => {
    expect(turns([user("a"), { role: "assistant", content: null, refusal: "No." }, user("b")])).toMatchObject(
      [{}, { content: [text("No.")] }, {}],
    );
  });

  it("gives every result of a text list as blocks and an empty one as an empty string", () => {
    const history = [
      user("a"),
      calling(call("x"), call("y")),
      result("x", [text("1"), text("2")]),
      result("y", ""),
    ];
    expect(turns(history)).toMatchObject([
      {},
      {},
      { content: [{ content: [text("1"), text("2")] }, { content: "" }] },
    ]);
  });

  it("names the field of what cannot be sent: audio", () => {
    const audio = refusalOf(() =>
      convert([user("a"), { role: "assistant", content: null, audio: { id: "x" } }, user("b")]),
    );
    expect(audio.details.param).toBe("messages[1].audio");
  });
});
