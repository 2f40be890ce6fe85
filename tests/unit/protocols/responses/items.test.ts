import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { items, messagesOf, prepare, refused } from "./support";

const { user, call, output, said } = items;
const question = { role: "user", content: "Weather?" };
const f = { type: "function", name: "f", parameters: { type: "object", properties: {} } };
const png = "data:image/png;base64,iVBORw0KGgo=";

function chat(input: unknown, fields: JsonObject = {}): JsonObject[] {
  return messagesOf(prepare({ input, ...fields }));
}

function turns(input: unknown, fields: JsonObject = {}): JsonObject[] {
  return messagesOf(prepare({ input, ...fields }, "messages"));
}

const toolCall = (id: string) => ({ id, type: "function", function: { name: "f", arguments: "{}" } });
const result = (id: string, content = "done") => ({ role: "tool", tool_call_id: id, content });

describe("the items of a Responses client", () => {
  test("R-01: may be a plain string, have no type, and null ids and statuses", () => {
    expect(chat("Hi")).toEqual([{ role: "user", content: "Hi" }]);
    const echoed = {
      role: "assistant",
      content: [{ type: "output_text", text: "Yes" }],
      id: null,
      status: null,
    };
    expect(chat([question, echoed, { ...question, type: null, id: null }])).toEqual([
      question,
      { role: "assistant", content: "Yes" },
      question,
    ]);
  });

  test("R-07: reasoning, call, text, output are one turn of the model and then the result", () => {
    const input = [
      question,
      { type: "reasoning", id: "rs_1", summary: [], content: null, encrypted_content: "x" },
      call("a"),
      said("Let me look."),
      output("a"),
    ];
    expect(chat(input)).toEqual([
      question,
      { role: "assistant", content: "Let me look.", tool_calls: [toolCall("a")] },
      result("a"),
    ]);
    expect(turns(input).map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  });

  test("R-08: pair parallel calls with outputs in any order, also behind other items", () => {
    expect(chat([question, call("a"), call("b"), output("b", "2"), user("Well?"), output("a", "1")])).toEqual(
      [
        question,
        { role: "assistant", content: null, tool_calls: [toolCall("a"), toolCall("b")] },
        result("a", "1"),
        result("b", "2"),
        { role: "user", content: "Well?" },
      ],
    );
  });

  test("R-08: pair call ids that every turn uses anew", () => {
    const sent = chat([
      question,
      call("c0"),
      output("c0", "1"),
      call("c0"),
      output("c0", "2"),
      said("Sunny"),
      question,
    ]);
    const ids = sent.flatMap(({ tool_calls }) => (tool_calls as { id: string }[] | undefined) ?? []);
    const answers = sent.filter(({ role }) => role === "tool");
    expect(answers.map(({ content }) => content)).toEqual(["1", "2"]);
    expect(answers.map(({ tool_call_id }) => tool_call_id)).toEqual(ids.map(({ id }) => id));
    expect(new Set(ids.map(({ id }) => id)).size).toBe(2);
  });

  test("an output without a call and a call without an output are refused by name", () => {
    expect(refused({ input: [question, output("z")] })).toMatchObject({
      message: "No tool call found for function call output with call_id z.",
      details: { param: "input[1].call_id" },
    });
    expect(refused({ input: [question, call("a"), call("b"), output("a")] }).message).toBe(
      "No tool output found for function call b.",
    );
    expect(refused({ input: [question, call("a")] }).details.param).toBe("input[1]");
  });

  test("R-09: instructions and leading system messages come first, later ones where the profile wants them", () => {
    const developer = (content: string) => ({ type: "message", role: "developer", content });
    const input = [
      developer("D1"),
      { role: "system", content: "S" },
      question,
      said("Yes"),
      developer("D2"),
      question,
    ];
    const fields = { input, instructions: "I" };
    const at = (midSystem: "native" | "merge" | "user") =>
      messagesOf(prepare(fields, "chat", { profile: { midSystem, stringContent: true } })).map(
        ({ content }) => content,
      );
    expect(at("native")).toEqual(["I\n\nD1\n\nS", "Weather?", "Yes", "D2", "Weather?"]);
    expect(at("merge")).toEqual(["I\n\nD1\n\nS\n\nD2", "Weather?", "Yes", "Weather?"]);
    expect(at("user")).toEqual(["I\n\nD1\n\nS", "Weather?", "Yes", "[System message]\nD2\nWeather?"]);
    const claude = prepare(fields, "messages", { profile: { midSystem: "native" } }).body;
    expect(claude.system).toHaveLength(3);
    expect(
      messagesOf(prepare(fields, "messages", { profile: { midSystem: "native" } })).map(({ role }) => role),
    ).toEqual(["user", "assistant", "user", "system"]);
  });

  test("R-10: an image in an output reaches the model as an image, and no base64 as text", () => {
    const shown = [
      { type: "input_text", text: "Here:" },
      { type: "input_image", image_url: png, detail: "original" },
    ];
    const sent = chat([question, call("a"), output("a", shown)]);
    expect(sent[2]).toEqual(result("a", "Here:\n[image 1 attached in the next message]"));
    expect(sent[3]?.content).toEqual([{ type: "image_url", image_url: { url: png, detail: "high" } }]);
    const native = prepare({ input: [question, call("a"), output("a", shown)] }, "chat", {
      profile: { imageInToolMsg: true },
    });
    expect(JSON.stringify(messagesOf(native)[2]?.content)).toContain('"image_url"');
    const [block] = (turns([question, call("a"), output("a", shown)])[2]?.content ?? []) as JsonObject[];
    expect(block).toMatchObject({
      content: [{ type: "text" }, { type: "image", source: { type: "base64" } }],
    });
  });

  test("R-30: reasoning of a foreign provider is dropped with a warning", () => {
    const reasoning = {
      type: "reasoning",
      id: "rs_1",
      summary: [{ type: "summary_text", text: "Hm" }],
      encrypted_content: "gAAA",
    };
    const prepared = prepare({ input: [question, reasoning, said("Yes"), question] }, "messages");
    expect(JSON.stringify(prepared.body)).not.toContain("gAAA");
    expect(prepared.losses).toContain("dropped:reasoning_content");
    const echoing = prepare({ input: [question, reasoning, said("Yes"), question] }, "chat", {
      profile: { reasoningEcho: "reasoning_content" },
    });
    expect(messagesOf(echoing)[1]).toEqual({ role: "assistant", content: "Yes", reasoning_content: "Hm" });
  });

  test("R-32: a message of another agent is text of the user's that names its author", () => {
    const message = {
      type: "agent_message",
      author: "planner",
      content: [{ type: "input_text", text: "Done." }],
    };
    expect(chat([question, said("Yes"), message])[2]).toEqual({
      role: "user",
      content: [
        { type: "text", text: "Message from planner:" },
        { type: "text", text: "Done." },
      ],
    });
  });

  test("R-33: what another service has compacted is refused by name", () => {
    const compacted = { type: "compaction", id: "cmp_1", encrypted_content: "gAAA" };
    expect(refused({ input: [compacted, question] }).details.param).toBe("input[0].encrypted_content");
  });

  test("of unknown types are left out with a warning, and a 400 where the gateway is strict", () => {
    const odd = { type: "hologram", data: { a: 1 } };
    const prepared = prepare({ input: [question, call("a"), odd, call("b"), output("a"), output("b")] });
    expect(messagesOf(prepared)[1]?.tool_calls).toHaveLength(2);
    expect(prepared.losses).toContain("dropped:hologram");
    expect(refused({ input: [question, odd] }, "chat", { compatibility: "strict" }).details.param).toBe(
      "input[1].type",
    );
  });

  test("that the provider ran are left out with a warning, or told as text", () => {
    const searched = { type: "web_search_call", id: "ws_1", status: "completed" };
    const code = { type: "code_interpreter_call", id: "ci_1", code: "print(1)" };
    const prepared = prepare({ input: [question, searched, code, said("One"), question] });
    expect(prepared.losses).toEqual(
      expect.arrayContaining(["dropped:web_search_call", "changed:code_interpreter_call"]),
    );
    expect(messagesOf(prepared)[1]?.content).toContain("print(1)");
  });

  test("that the model drew are pictures of the user's", () => {
    const drawn = { type: "image_generation_call", id: "ig_1", result: "iVBORw0KGgo=" };
    expect(chat([question, said("Yes"), drawn, question])[2]?.content).toContainEqual({
      type: "image_url",
      image_url: { url: png },
    });
  });

  test("of tools that clients run themselves are calls and results of functions", () => {
    const input = [
      question,
      {
        type: "local_shell_call",
        call_id: "s",
        action: { type: "exec", command: ["ls"], timeout_ms: 5, env: {} },
      },
      { type: "apply_patch_call", call_id: "p", operation: { type: "delete_file", path: "a" } },
      { type: "tool_search_call", call_id: "t", execution: "client", arguments: { query: "x" } },
      { type: "local_shell_call_output", call_id: "s", output: "a" },
      { type: "apply_patch_call_output", call_id: "p", status: "completed" },
      { type: "tool_search_output", call_id: "t", execution: "client", tools: [f] },
    ];
    const sent = chat(input);
    expect(sent[1]?.tool_calls).toMatchObject([
      { function: { name: "local_shell", arguments: '{"command":["ls"],"timeout_ms":5}' } },
      { function: { name: "apply_patch" } },
      { function: { name: "tool_search", arguments: '{"query":"x"}' } },
    ]);
    expect(sent.slice(2).map(({ content }) => content)).toEqual(["a", "completed", "Tool available: f"]);
  });

  test("that refer to something nobody keeps are refused", () => {
    expect(refused({ input: [question, { type: "item_reference", id: "msg_1" }] }).details.param).toBe(
      "input[1].id",
    );
    expect(refused({ input: [question, { id: "msg_1" }] }).details.param).toBe("input[1].id");
  });

  test("that end with the model are followed by a word of the user's", () => {
    const prepared = prepare({ input: [question, said("Yes")] });
    expect(messagesOf(prepared)[2]).toEqual({ role: "user", content: "Continue." });
    expect(prepared.losses).toContain("added:last_user_turn");
    expect(chat([{ role: "user", content: "" }], { instructions: "Write" })).toHaveLength(2);
    expect(refused({ input: [{ role: "user", content: "" }] }).details.param).toBe("input");
  });

  test.each(["chat", "messages"] as const)(
    "that say nothing at the end or at all are followed by a word of the user's too (%s)",
    (node) => {
      const added = "added:last_user_turn";
      for (const content of ["", [{ type: "smell" }], [{ type: "input_text", text: " " }]]) {
        const prepared = prepare({ input: [question, said("Yes"), { role: "user", content }] }, node);
        expect(prepared.losses).toContain(added);
        expect(messagesOf(prepared).at(-1)?.role).toBe("user");
        expect(JSON.stringify(messagesOf(prepared).at(-1))).toContain("Continue.");
      }
      for (const fields of [{}, { instructions: "be" }])
        for (const input of [[{ type: "telepathy" }], [user([{ type: "telepathy" }])]]) {
          const prepared = prepare({ ...fields, input }, node);
          expect(prepared.losses.toSorted()).toEqual(
            expect.arrayContaining([added, "dropped:telepathy"].toSorted()),
          );
          expect(messagesOf(prepared).at(-1)?.role).toBe("user");
        }
      const searched = prepare({ input: [question, { type: "web_search_call" }] }, node);
      expect(searched.losses).not.toContain(added);
    },
  );

  test("of no type at all are called unknown in the warning", () => {
    const input = [user([{ type: "" }, { type: "input_text", text: "x" }]), { type: "" }];
    for (const node of ["chat", "messages"] as const) {
      const { losses } = prepare({ input, tools: [{ type: "" }] }, node);
      expect(losses.filter((loss) => loss.startsWith("dropped:"))).toEqual(["dropped:unknown"]);
    }
  });

  test("that hold reasoning nobody here can read are left out with a warning", () => {
    const reasoning = { type: "reasoning", summary: [], encrypted_content: "x" };
    for (const node of ["chat", "messages"] as const)
      expect(prepare({ input: [question, reasoning, said("Yes"), question] }, node).losses).toContain(
        "dropped:reasoning_content",
      );
  });
});
