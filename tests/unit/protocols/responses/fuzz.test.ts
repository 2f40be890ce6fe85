import fc from "fast-check";
import { expect, test } from "vitest";
import { isGatewayError } from "@/lib/kernel/errors";
import { toolTable } from "@/lib/protocols/responses/tools";
import { items, prepare } from "./support";

const ids = fc.constantFrom("a", "b", "", "call_0", "x".repeat(70), "ü");
const names = fc.constantFrom("f", "g", "exec", "tool_search", "", "a b");
const junk = fc.oneof({ depthSize: "small" }, fc.jsonValue({ maxDepth: 2 }), fc.constant(undefined));

const part = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constantFrom("input_text", "output_text", "text"), text: fc.string() }),
  },
  fc.record({ type: fc.constant("refusal"), refusal: fc.string() }),
  fc.record({
    type: fc.constant("input_image"),
    image_url: fc.constantFrom("https://a.b/c.png", "data:image/png;base64,iVBORw0KGgo=", "", "x", null),
    file_id: fc.constantFrom("f", null),
  }),
  fc.record({
    type: fc.constant("input_file"),
    file_data: fc.constantFrom("YQ==", "data:text/plain,a", null),
    filename: junk,
  }),
  fc.record({ type: fc.string(), text: junk }),
  junk,
);
const content = fc.oneof(fc.string(), fc.array(part, { maxLength: 3 }), junk);

const tool: fc.Arbitrary<unknown> = fc.oneof(
  fc.record({
    type: fc.constantFrom(
      "function",
      "custom",
      "web_search",
      "tool_search",
      "local_shell",
      "shell",
      "hologram",
    ),
    name: names,
    execution: fc.constantFrom("client", "server", undefined),
    format: junk,
    parameters: fc.constantFrom(undefined, null, { type: "object", properties: {} }),
    defer_loading: fc.boolean(),
  }),
  fc.record({
    type: fc.constant("namespace"),
    name: names,
    tools: fc.array(fc.record({ type: fc.constant("function"), name: names })),
  }),
  junk,
);

const types = [
  "message reasoning additional_tools agent_message compaction compaction_trigger item_reference hologram",
  "function_call function_call_output custom_tool_call custom_tool_call_output tool_search_call tool_search_output",
  "local_shell_call local_shell_call_output shell_call shell_call_output apply_patch_call apply_patch_call_output",
  "computer_call computer_call_output web_search_call file_search_call code_interpreter_call image_generation_call",
  "mcp_list_tools mcp_call mcp_approval_request mcp_approval_response program program_output",
].flatMap((line) => line.split(" "));

/** An item of any type whose members are sometimes right. */
const oddItem = fc.record(
  {
    type: fc.constantFrom(...types, null),
    role: fc.constantFrom("user", "assistant", "system", "developer", "robot"),
    id: fc.oneof(ids, fc.constant(null)),
    call_id: fc.oneof(ids, junk),
    name: fc.oneof(names, junk),
    content,
    output: content,
    input: fc.oneof(fc.string(), junk),
    arguments: fc.oneof(fc.constantFrom("{}", "{", '{"a":1}'), junk),
    action: junk,
    operation: junk,
    summary: fc.oneof(fc.array(part, { maxLength: 2 }), junk),
    encrypted_content: fc.oneof(fc.string(), junk),
    tools: fc.oneof(fc.array(tool, { maxLength: 2 }), junk),
    result: junk,
    namespace: fc.constantFrom("n", null, undefined),
    execution: fc.constantFrom("client", "server", undefined),
  },
  { requiredKeys: ["type"] },
);

/** Items as a careful client writes them, in any order. */
const goodItem = fc.oneof(
  fc.record({ role: fc.constantFrom("user", "assistant", "system", "developer"), content: fc.string() }),
  ids.map((id) => items.call(id)),
  fc.tuple(ids, fc.string()).map(([id, text]) => items.output(id, text)),
  fc.string().map((text) => items.said(text)),
  fc.string().map((text) => ({ type: "reasoning", summary: [{ type: "summary_text", text }] })),
);

function rarely<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
}

const body = fc.record(
  {
    input: fc.oneof(
      fc.array(fc.oneof(goodItem, oddItem), { maxLength: 8 }),
      fc.array(goodItem, { maxLength: 12 }),
      rarely(junk),
    ),
    instructions: rarely(fc.oneof(fc.string(), junk)),
    tools: rarely(fc.oneof(fc.array(tool, { maxLength: 4 }), junk)),
    tool_choice: rarely(
      fc.oneof(
        fc.constantFrom("auto", "none", "required"),
        fc.record({
          type: fc.constantFrom("function", "custom", "allowed_tools", "web_search", "mcp"),
          name: names,
          tools: fc.array(tool),
        }),
        junk,
      ),
    ),
    reasoning: rarely(fc.oneof(fc.record({ effort: fc.constantFrom("none", "max", "x", null) }), junk)),
    text: rarely(
      fc.oneof(
        fc.record({
          format: fc.record({ type: fc.constantFrom("text", "json_schema", "json_object"), schema: junk }),
        }),
        junk,
      ),
    ),
    include: rarely(junk),
    moderation: rarely(junk),
    top_logprobs: rarely(junk),
  },
  { requiredKeys: ["input"] },
);

test("whatever a Responses client sends is written for each node or refused as the client's mistake", () => {
  const choices = fc.record({
    node: fc.constantFrom("chat" as const, "messages" as const),
    compatibility: fc.constantFrom("standard" as const, "strict" as const, "lenient" as const),
  });
  let written = 0;
  fc.assert(
    fc.property(body, choices, (fields, { node, compatibility }) => {
      expect(() => toolTable(fields)).not.toThrow();
      try {
        const { body: sent } = prepare(fields, node, { compatibility });
        expect(JSON.stringify(sent)).toContain("messages");
        written += 1;
      } catch (error) {
        if (!isGatewayError(error) || error.code !== "INVALID_REQUEST") throw error;
        expect(error.details.param).not.toBe("");
        expect(error.message).not.toMatch(/undefined|\[object/);
      }
    }),
    { numRuns: 3_000 },
  );
  expect(written).toBeGreaterThan(300);
});

test("a conversation in which every call has its output is accepted in any order of the outputs", () => {
  const round = fc.record({
    calls: fc.uniqueArray(fc.constantFrom("a", "b", "c"), { minLength: 1 }),
    said: fc.constantFrom("before", "between", "none"),
  });
  fc.assert(
    fc.property(
      fc.array(round, { minLength: 1, maxLength: 4 }),
      fc.infiniteStream(fc.nat()),
      (rounds, random) => {
        const input: unknown[] = [{ role: "user", content: "Hi" }];
        for (const { calls, said } of rounds) {
          if (said === "before") input.push(items.said("Well"));
          input.push(...calls.map((id) => items.call(id)));
          if (said === "between") input.push(items.said("Well"));
          const order = calls.map((id) => ({ id, rank: random.next().value ?? 0 }));
          input.push(
            ...order.toSorted((left, right) => left.rank - right.rank).map(({ id }) => items.output(id, id)),
          );
        }
        for (const node of ["chat", "messages"] as const)
          expect(() => prepare({ input }, node)).not.toThrow();
      },
    ),
  );
});
