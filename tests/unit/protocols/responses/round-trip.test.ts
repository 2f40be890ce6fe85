import { describe, expect, test } from "vitest";
import { Translator } from "@/lib/gateway/translator";
import type { JsonObject } from "@/lib/kernel/json-object";
import { protocols } from "@/lib/protocols/registry";
import { payloadsOf } from "@/tests/support/fold";
import {
  block,
  bytesOf,
  chatSse,
  finish,
  framesFrom,
  messageEnd,
  messageStart,
  messagesSse,
  tool,
  usageChunk,
} from "../pipeline";
import { checked, items, prepare } from "./support";

type Node = "chat" | "messages";

const question = { role: "user", content: "Go" };
const input = '*** Begin "Patch"\n+\t\u{1f600}\\ é\n*** End';
const exec = {
  type: "custom",
  name: "exec",
  format: { type: "grammar", syntax: "lark", definition: "start: /a/" },
};
const add = { type: "function", name: "add", parameters: { type: "object", properties: {} } };
const codex = {
  input: [
    {
      type: "additional_tools",
      role: "developer",
      tools: [{ type: "namespace", name: "functions", tools: [exec] }],
    },
    question,
  ],
  tools: [
    { type: "namespace", name: "mcp__toy", tools: [add] },
    { type: "namespace", name: "n".repeat(70), tools: [add] },
    { type: "tool_search", execution: "client", parameters: { type: "object", properties: {} } },
    { type: "local_shell" },
    { type: "web_search" },
  ],
  store: false,
};

/** A call by the position of its tool among those of the node. */
interface Call {
  tool: number;
  args: string;
}

const all: Call[] = [
  { tool: 0, args: '{"a":1}' },
  { tool: 1, args: "{}" },
  { tool: 2, args: '{"query":"x"}' },
  { tool: 3, args: '{"command":["ls"],"timeout_ms":5}' },
  { tool: 4, args: JSON.stringify({ input }) },
];

function namesAt(node: Node, body: JsonObject): string[] {
  const tools = body.tools as { name: string; function: { name: string } }[];
  return tools.map((offered) => (node === "chat" ? offered.function.name : offered.name));
}

/** A node's stream that calls tools, the arguments in small pieces. */
function streamOf(node: Node, names: readonly string[], calls: readonly Call[]): string {
  const made = calls.map((call, index) => ({
    ...call,
    index,
    id: `id_${index}`,
    name: names[call.tool] ?? "",
  }));
  const pieces = (args: string) => args.match(/.{1,3}/gs) ?? [];
  if (node === "chat") {
    const chunks = made.flatMap(({ index, id, name, args }) => [
      tool({ index, id, type: "function", function: { name, arguments: "" } }),
      ...pieces(args).map((piece) => tool({ index, function: { arguments: piece } })),
    ]);
    const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
    return chatSse([...chunks, finish("tool_calls"), usageChunk(usage)]);
  }
  const blocks = made.flatMap(({ index, id, name, args }) =>
    block(
      index,
      { type: "tool_use", id, name, input: {} },
      ...pieces(args).map((partial_json) => ({ type: "input_json_delta", partial_json })),
    ),
  );
  return messagesSse([messageStart(), ...blocks, ...messageEnd("tool_use")]);
}

function answer(node: Node, stream: boolean, calls = all) {
  const request = checked({ ...codex, stream });
  const rendered = prepare({ ...codex, stream }, node);
  const client = protocols.responses;
  const translator = new Translator({
    client,
    upstream: protocols[node],
    request,
    stream,
    choices: 1,
    hideReasoning: false,
    singleToolCall: false,
    toolNames: rendered.toolNames,
    wrappedTools: rendered.wrappedTools,
    id: client.answerId("0199"),
    alias: "m",
    created: 1,
    inputEstimate: 1,
    usageCeiling: undefined,
    outputCap: 1_000_000,
    seal: null,
  });
  let wire = "";
  for (const frame of framesFrom(bytesOf(streamOf(node, namesAt(node, rendered.body), calls))))
    wire += translator.push(frame);
  wire += translator.finish();
  wire += translator.end(undefined);
  return { wire, translator };
}

function outputOf(wire: string, stream: boolean): JsonObject[] {
  if (!stream) return JSON.parse(wire).output;
  const done = payloadsOf(wire).filter(({ type }) => type === "response.output_item.done");
  return done.map(({ item }) => item as JsonObject);
}

describe.each(["chat", "messages"] as const)("calls of a %s node reach a Responses client", (node) => {
  test.each([true, false])(
    "R-03, R-05: in the items, names and namespaces that it declared (stream: %s)",
    (stream) => {
      const { wire, translator } = answer(node, stream);
      expect(translator.failure).toBeNull();
      const output = outputOf(wire, stream);
      expect(output).toMatchObject([
        { type: "function_call", name: "add", namespace: "mcp__toy", arguments: '{"a":1}' },
        { type: "function_call", name: "add", namespace: "n".repeat(70), arguments: "{}" },
        { type: "tool_search_call", execution: "client", arguments: { query: "x" } },
        { type: "local_shell_call", action: { type: "exec", command: ["ls"], timeout_ms: 5 } },
        { type: "custom_tool_call", name: "exec", input },
      ]);
      expect(output[4]).not.toHaveProperty("namespace");
    },
  );

  test("R-05: the text of a custom call streams in pieces that add up to it", () => {
    const deltas = payloadsOf(answer(node, true, all.slice(4)).wire).filter(
      ({ type }) => type === "response.custom_tool_call_input.delta",
    );
    expect(deltas.length).toBeGreaterThan(3);
    expect(deltas.map(({ delta }) => delta).join("")).toBe(input);
  });

  test("and come back with their outputs in its next request, in the node's own words", () => {
    const output = outputOf(answer(node, true).wire, true);
    const results = output.map((item) => {
      const type = item.type === "tool_search_call" ? "tool_search_output" : `${String(item.type)}_output`;
      if (type === "tool_search_output")
        return { type, call_id: item.call_id, execution: "client", tools: [] };
      return { ...items.output(String(item.call_id), "ok"), type };
    });
    const next = { ...codex, input: [...codex.input, ...output, ...results.toReversed()] };
    const first = prepare(codex, node);
    const rendered = prepare(next, node);
    expect(rendered.body.tools).toEqual(first.body.tools);
    const text = JSON.stringify(rendered.body.messages);
    for (const name of namesAt(node, first.body)) expect(text).toContain(`"name":"${name}"`);
    const wrapped = node === "chat" ? JSON.stringify(JSON.stringify({ input })) : JSON.stringify({ input });
    expect(text).toContain(wrapped);
  });
});
