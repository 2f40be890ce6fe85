import { expect } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { Rendered } from "@/lib/protocols/adapters/rendered";
import type { Protocol } from "@/lib/protocols/protocol";
import { validated } from "@/tests/unit/protocols/requests/support";

interface Turn {
  role: string;
  content: string | JsonObject[];
}

/** Asserts what every converted body must satisfy for an upstream of this protocol to take it. */
export function expectAcceptable(prepared: Rendered, upstreamProtocol: Protocol): void {
  // The path of a Gemini node names the model.
  const named = upstreamProtocol === "gemini" ? { model: "m", ...prepared.body } : prepared.body;
  validated(named, upstreamProtocol, { compatibility: "lenient" });
  const saysStream = prepared.stream && upstreamProtocol !== "gemini";
  expect(prepared.body.stream).toBe(saysStream ? true : undefined);
  expect(prepared.stream || !prepared.clientStream).toBe(true);
  expectBody[upstreamProtocol](prepared.body);
}

const expectBody: Readonly<Record<Protocol, (body: JsonObject) => void>> = {
  chat: expectChatBody,
  messages: expectMessagesBody,
  responses: expectResponsesBody,
  gemini: expectGeminiBody,
};

/** Contents alternate and end with the user; every call has its result, in order, in the next content. */
function expectGeminiBody(body: JsonObject): void {
  const contents = body.contents as { role: string; parts: JsonObject[] }[];
  expect([contents[0]?.role, contents.at(-1)?.role]).toEqual(["user", "user"]);
  contents.forEach(({ role, parts }, index) => {
    expect(parts.length).toBeGreaterThan(0);
    expect(role).not.toBe(contents[index - 1]?.role);
    const calls = parts.flatMap(({ functionCall }) =>
      functionCall === undefined ? [] : [functionCall as JsonObject],
    );
    for (const { name, args } of calls) {
      expect(name).toMatch(/^[A-Za-z0-9_-]{1,128}$/);
      expect(args).toBeTypeOf("object");
    }
    const next = contents[index + 1]?.parts ?? [];
    const results = next.flatMap(({ functionResponse }) =>
      functionResponse === undefined ? [] : [functionResponse as JsonObject],
    );
    expect(results.map(({ id, name }) => [id, name])).toEqual(calls.map(({ id, name }) => [id, name]));
  });
}

/** Every call has its output directly behind the turn of the model, and no item but reasoning has an id. */
function expectResponsesBody(body: JsonObject): void {
  expect(body).toMatchObject({ store: false });
  expect(body).not.toHaveProperty("previous_response_id");
  const items = body.input as JsonObject[];
  const seen = new Set<unknown>();
  let open: unknown[] = [];
  for (const [index, item] of items.entries()) {
    if (item.type !== "reasoning") expect(item).not.toHaveProperty("id");
    if (item.type === "function_call" || item.type === "custom_tool_call") {
      expect(String(item.call_id)).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(seen.has(item.call_id)).toBe(false);
      seen.add(item.call_id);
      open.push(item.call_id);
    } else if (item.type === "function_call_output" || item.type === "custom_tool_call_output") {
      expect(open).toContain(item.call_id);
      open = open.filter((id) => id !== item.call_id);
    } else if (item.type === "message" && item.role !== "assistant") expect(open).toEqual([]);
    if (item.type === "reasoning")
      expect(["reasoning", "message", "function_call", "custom_tool_call"]).toContain(items[index + 1]?.type);
    if (item.type === "message") expect(item.content).not.toEqual([]);
  }
  expect(open).toEqual([]);
}

function expectMessagesBody(body: JsonObject): void {
  const turns = body.messages as Turn[];
  expect(turns[0]?.role).toBe("user");
  expect((JSON.stringify(body).match(/"cache_control":\{/g) ?? []).length).toBeLessThanOrEqual(4);
  const ids = new Set<unknown>();
  turns.forEach((turn, index) => {
    const blocks = typeof turn.content === "string" ? [] : turn.content;
    expect(blocks.length).toBeGreaterThan(0);
    expect(turn.role).not.toBe(turns[index - 1]?.role);
    expectCleanBlocks(blocks);
    const calls = blocks.filter((block) => block.type === "tool_use").map((block) => block.id);
    for (const id of calls) {
      expect(id).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(ids.has(id)).toBe(false);
      ids.add(id);
    }
    expectAnswered(calls, turns[index + 1]);
  });
}

function expectCleanBlocks(blocks: JsonObject[]): void {
  let sawOther = false;
  for (const block of blocks) {
    if (block.type === "text") expect(String(block.text).trim()).not.toBe("");
    if (block.type === "tool_use") expect(typeof block.input === "object" && block.input !== null).toBe(true);
    if (block.type === "tool_result") expect(sawOther).toBe(false);
    else sawOther = true;
  }
}

function expectAnswered(calls: unknown[], next: Turn | undefined): void {
  const content = typeof next?.content === "object" ? next.content : [];
  const results = content.filter((block) => block.type === "tool_result").map((block) => block.tool_use_id);
  expect(results).toEqual(calls);
}

function expectChatBody(body: JsonObject): void {
  let open: unknown[] = [];
  for (const message of body.messages as JsonObject[]) {
    if (message.role === "tool") {
      expect(open).toContain(message.tool_call_id);
      open = open.filter((id) => id !== message.tool_call_id);
      expect(message.content).not.toBeNull();
      continue;
    }
    expect(open).toEqual([]);
    const calls = (message.tool_calls ?? []) as {
      id: string;
      function: { name: string; arguments: string };
    }[];
    open = calls.map((call) => call.id);
    for (const call of calls) {
      expect(call.id).toMatch(/^[A-Za-z0-9_-]{1,40}$/);
      expect(call.function.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(() => JSON.parse(call.function.arguments)).not.toThrow();
    }
  }
  expect(open).toEqual([]);
}
