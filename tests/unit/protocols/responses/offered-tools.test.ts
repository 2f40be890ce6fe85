import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { type Choice, items, messagesOf, prepare, refused } from "./support";

const parameters = { type: "object", properties: {}, additionalProperties: false };
const f = { type: "function", name: "f", description: "F", parameters, strict: true };
const g = { type: "function", name: "g", strict: null };
const question = { role: "user", content: "Weather?" };
const grammar = { syntax: "lark", definition: "start: /a+/" };
const exec = { type: "custom", name: "exec", description: "Runs", format: { type: "grammar", ...grammar } };

function namesOf(fields: JsonObject, node: "chat" | "messages" = "chat", choice: Choice = {}): unknown[] {
  const { body } = prepare({ input: [question], ...fields }, node, choice);
  const tools = (body.tools ?? []) as {
    name?: string;
    function?: { name: string };
    custom?: { name: string };
  }[];
  return tools.map((tool) => tool.name ?? tool.function?.name ?? tool.custom?.name);
}

describe("the tools of a Responses client on nodes of other protocols", () => {
  test("are functions with a schema, strict only where the client said so", () => {
    expect(prepare({ input: "Hi", tools: [f, g] }).body.tools).toEqual([
      { type: "function", function: { name: "f", description: "F", parameters, strict: true } },
      { type: "function", function: { name: "g", parameters: { type: "object", properties: {} } } },
    ]);
  });

  test("R-02: of an additional_tools item reach the model though tools and instructions are absent", () => {
    const more = {
      type: "additional_tools",
      role: "developer",
      id: "at_1",
      tools: [{ type: "namespace", name: "functions", tools: [exec, { ...f, name: "wait" }] }],
    };
    for (const node of ["chat", "messages"] as const) {
      const { body } = prepare({ input: [more, question] }, node);
      expect(body.messages).toHaveLength(1);
      expect(namesOf({ input: [more, question] }, node)).toEqual(["exec", "wait"]);
    }
  });

  test("R-03: of a namespace have flat names, in the history and in the choice too", () => {
    const fields = {
      tools: [f, { type: "namespace", name: "mcp__toy", tools: [{ ...g, name: "add" }] }],
      tool_choice: { type: "function", name: "add", namespace: "mcp__toy" },
      input: [question, { ...items.call("a", "add"), namespace: "mcp__toy" }, items.output("a")],
    };
    expect(namesOf(fields)).toEqual(["f", "mcp__toy__add"]);
    const { body } = prepare(fields);
    expect(body.tool_choice).toEqual({ type: "function", function: { name: "mcp__toy__add" } });
    expect(body.messages).toContainEqual(
      expect.objectContaining({
        tool_calls: [expect.objectContaining({ function: { name: "mcp__toy__add", arguments: "{}" } })],
      }),
    );
    const long = { type: "namespace", name: "n".repeat(60), tools: [{ ...g, name: "add" }] };
    const { toolNames } = prepare({ input: "Hi", tools: [long] });
    expect([...toolNames]).toEqual([
      [expect.stringMatching(/^n{55}_[0-9a-f]{8}$/), `${"n".repeat(60)}__add`],
    ]);
  });

  test("R-04: with one flat name are refused, and the refusal names both", () => {
    const group = { type: "namespace", name: "a", tools: [{ ...g, name: "b" }] };
    const refusal = refused({ input: "Hi", tools: [{ ...f, name: "a__b" }, group] });
    expect(refusal.details.param).toBe("tools[1].tools[0].name");
    expect(refusal.message).toContain("tools[0]");
    expect(refused({ input: "Hi", tools: [f, f] }).details.param).toBe("tools[1].name");
    const later = { type: "additional_tools", tools: [{ ...f, description: "later" }] };
    expect(namesOf({ tools: [f], input: [later, question] })).toEqual(["f"]);
  });

  test("R-05: that take text are functions of one text where a node has no custom tools", () => {
    const input = 'say "hi"\n\u{1f600}\\';
    const called = { type: "custom_tool_call", call_id: "a", name: "exec", input };
    const fields = {
      tools: [exec],
      input: [
        question,
        called,
        { type: "custom_tool_call_output", call_id: "a", output: [{ type: "input_text", text: "ok" }] },
      ],
    };
    const wrapped = prepare(fields);
    expect(wrapped.wrappedTools).toEqual(new Set(["exec"]));
    expect(wrapped.body.tools).toMatchObject([
      {
        type: "function",
        function: {
          name: "exec",
          description: "Runs\n\nInput format (lark):\nstart: /a+/",
          parameters: { required: ["input"] },
        },
      },
    ]);
    expect(messagesOf(wrapped)[1]).toMatchObject({
      tool_calls: [{ function: { name: "exec", arguments: JSON.stringify({ input }) } }],
    });
    expect(messagesOf(prepare(fields, "messages"))[1]).toMatchObject({
      content: [{ type: "tool_use", input: { input } }],
    });
    const native = prepare(fields, "chat", { model: "gpt-5.2" });
    expect(native.wrappedTools.size).toBe(0);
    expect(native.body.tools).toEqual([
      { type: "custom", custom: { name: "exec", description: "Runs", format: { type: "grammar", grammar } } },
    ]);
    expect(messagesOf(native)[1]).toMatchObject({
      tool_calls: [{ type: "custom", custom: { name: "exec", input } }],
    });
  });

  test("R-06: that the node would have to run are left out with one warning", () => {
    const tools = [f, { type: "web_search" }, { type: "mcp", server_label: "s" }, { type: "hologram" }];
    for (const node of ["chat", "messages"] as const) {
      const { losses } = prepare({ input: "Hi", tools }, node);
      expect(losses.filter((loss) => loss.includes("web_search"))).toEqual([
        "dropped:web_search:mcp:hologram",
      ]);
      expect(namesOf({ tools }, node)).toEqual(["f"]);
      expect(prepare({ input: "Hi", tools: [{ type: "web_search" }] }, node).body.tools).toBeUndefined();
    }
  });

  test("R-06: that the node would have to run are refused where the gateway is strict or one is forced", () => {
    const tools = [f, { type: "web_search" }];
    for (const node of ["chat", "messages"] as const) {
      const strict = refused({ input: "Hi", tools }, node, { compatibility: "strict" });
      expect(strict.details.param).toMatch(/^tools\[1\]/);
      const forced = refused({ input: "Hi", tools, tool_choice: { type: "web_search_preview" } }, node);
      expect(forced.details.param).toMatch(/^tools\[1\]/);
      const only = { input: "Hi", tools: [{ type: "file_search" }], tool_choice: "required" };
      expect(refused(only, node).details.param).toBe("tools[0].type");
    }
  });

  test("that are not there cannot be chosen, whether or not there are others", () => {
    for (const node of ["chat", "messages"] as const)
      for (const tools of [undefined, [], [{ type: "web_search" }], [f]])
        for (const type of ["function", "custom"]) {
          const refusal = refused({ input: "Hi", tools, tool_choice: { type, name: "zz" } }, node);
          expect(refusal.details.param).toBe("tool_choice.name");
        }
  });

  test("that must be called though there are none are a loss, and refused where the gateway is strict", () => {
    const fields = { input: "Hi", tool_choice: "required" };
    for (const node of ["chat", "messages"] as const) {
      expect(prepare(fields, node).losses).toContain("dropped:tool_choice");
      expect(prepare({ ...fields, tool_choice: "auto" }, node).losses).not.toContain("dropped:tool_choice");
      expect(refused(fields, node, { compatibility: "strict" }).details.param).toBe("tool_choice");
    }
  });

  test("that the node cannot run are refused by the path of their type on every node", () => {
    const fields = { input: "Hi", tools: [f, { type: "web_search" }], tool_choice: { type: "web_search" } };
    for (const node of ["chat", "messages"] as const)
      expect(refused(fields, node).details.param).toBe("tools[1].type");
  });

  test("that the node can run reach it: a web search", () => {
    const tools = [
      f,
      { type: "web_search", user_location: { type: "approximate", country: "DE", city: null } },
    ];
    const profile = { webSearch: "web_search_20250305" };
    const perCall = { webSearch: 1n };
    expect(prepare({ input: "Hi", tools }, "messages", { profile, perCall }).body.tools).toContainEqual(
      expect.objectContaining({
        type: "web_search_20250305",
        user_location: { type: "approximate", country: "DE" },
      }),
    );
    const { body } = prepare({ input: "Hi", tools }, "chat", { profile, perCall });
    expect(body.web_search_options).toEqual({
      user_location: { type: "approximate", approximate: { country: "DE" } },
    });
  });

  test("that a search must find first are offered once it did, or at once where nothing can search", () => {
    const deferred = { ...g, defer_loading: true };
    const search = { type: "tool_search", execution: "client", description: "Finds", parameters };
    expect(namesOf({ tools: [search, deferred] })).toEqual(["tool_search"]);
    const found = [
      { type: "tool_search_call", call_id: "t", execution: "client", arguments: {} },
      { type: "tool_search_output", call_id: "t", execution: "client", tools: [deferred] },
    ];
    expect(namesOf({ tools: [search, deferred], input: [question, ...found] })).toEqual(["tool_search", "g"]);
    expect(namesOf({ tools: [{ type: "tool_search" }, deferred] })).toEqual(["g"]);
    expect(prepare({ input: "Hi", tools: [{ type: "tool_search" }, deferred] }).losses).toContain(
      "changed:defer_loading",
    );
  });

  test("R-29: are chosen by a flat tool_choice, or allowed by a list", () => {
    const chosen = (tool_choice: unknown, node: "chat" | "messages" = "chat", choice: Choice = {}) =>
      prepare({ input: "Hi", tools: [f, g], tool_choice }, node, choice);
    expect(chosen({ type: "function", name: "g" }).body.tool_choice).toEqual({
      type: "function",
      function: { name: "g" },
    });
    expect(chosen({ type: "function", name: "g" }, "messages").body.tool_choice).toEqual({
      type: "tool",
      name: "g",
    });
    expect(chosen("required", "messages").body.tool_choice).toEqual({ type: "any" });
    const allowed = { type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "g" }] };
    const subset = chosen(allowed);
    expect(subset.body).toMatchObject({ tool_choice: "required", tools: [{ function: { name: "g" } }] });
    expect(subset.losses).toContain("changed:tool_choice");
    expect(chosen(allowed, "messages").body).toMatchObject({
      tool_choice: { type: "any" },
      tools: [{ name: "g" }],
    });
    const whole = chosen(allowed, "chat", { model: "gpt-5.2" }).body;
    expect(whole.tools).toHaveLength(2);
    expect(whole.tool_choice).toEqual({
      type: "allowed_tools",
      allowed_tools: { mode: "required", tools: [{ type: "function", function: { name: "g" } }] },
    });
  });

  test("R-29: are refused by name where the choice names none of them", () => {
    const param = (tool_choice: unknown) => refused({ input: "Hi", tools: [f], tool_choice }).details.param;
    expect(param({ type: "function", name: "z" })).toBe("tool_choice.name");
    expect(param({ type: "mcp", server_label: "s" })).toBe("tool_choice");
    expect(param({ type: "allowed_tools", mode: "auto", tools: [{ type: "function", name: "z" }] })).toBe(
      "tool_choice.tools",
    );
    expect(param("any")).toBe("tool_choice");
  });

  test("are refused by their path where something is wrong in them", () => {
    const nested = { type: "namespace", name: "n", tools: [{ type: "function" }] };
    expect(refused({ input: "Hi", tools: [nested] }).details.param).toBe("tools[0].tools[0].name");
    expect(refused({ input: "Hi", tools: [{ name: "f" }] }).details.param).toBe("tools[0].type");
    expect(
      refused({ input: [{ type: "additional_tools", tools: [{ type: "custom" }] }] }).details.param,
    ).toBe("input[0].tools[0].name");
  });

  test("may be called one at a time", () => {
    const fields = { input: "Hi", tools: [f], parallel_tool_calls: false };
    expect(prepare(fields).body.parallel_tool_calls).toBe(false);
    expect(prepare(fields, "messages").body.tool_choice).toEqual({
      type: "auto",
      disable_parallel_tool_use: true,
    });
  });
});
