import { describe, expect, test } from "vitest";
import { agentSession, agentTurn } from "@/bench/agent/conversation";
import { answersOf } from "@/bench/mock/answers";
import { scenarioOf } from "@/bench/mock/scenario";
import { bodyFor, heavy, large, medium, type Payload, small, tiny, upstreamModel } from "@/bench/payloads";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { prepareFor, validated } from "@/tests/unit/protocols/requests/support";

const KB = 1_000;

function textOf(payload: Payload): string {
  return bodyFor(payload, upstreamModel(payload));
}

function rowsOf(body: JsonObject, name: string): JsonObject[] {
  const rows = body[name];
  return Array.isArray(rows) ? rows.filter(isObject) : [];
}

/** The name of the tool that the mock's whole answer calls. */
function calledBy(payload: Payload): string {
  const { whole } = answersOf("chat", "mock", scenarioOf(upstreamModel(payload)));
  const [, body = ""] = whole.toString().split("\r\n\r\n");
  return JSON.parse(body).choices[0].message.tool_calls[0].function.name;
}

describe("an agent's turn", () => {
  test.each([
    [large, 100 * KB],
    [heavy, 1_000 * KB],
  ])("$name has its size within a tenth", (payload, bytes) => {
    const size = Buffer.byteLength(textOf(payload));
    expect(size).toBeGreaterThan(bytes * 0.9);
    expect(size).toBeLessThan(bytes * 1.1);
  });

  test("is the same each time", () => {
    expect(agentTurn(30 * KB)).toEqual(agentTurn(30 * KB));
    expect(agentSession(5, 4 * KB)).toEqual(agentSession(5, 4 * KB));
  });

  test.each([large, heavy])(
    "$name is what the gateway takes, and loses nothing on its way to Messages",
    (payload) => {
      const body = validated(JSON.parse(textOf(payload)), "chat");
      const { losses, body: sent } = prepareFor(body);
      expect(losses).toEqual([]);
      expect(rowsOf(sent, "tools")).toHaveLength(12);
    },
  );

  test.each([large, heavy])("$name has calls, and a result of 0.5 to 8 KB for each", (payload) => {
    const messages = rowsOf(JSON.parse(textOf(payload)), "messages");
    const called = messages.flatMap((message) => rowsOf(message, "tool_calls").map(({ id }) => id));
    const results = messages.filter(({ role }) => role === "tool");
    expect(results.map((result) => result.tool_call_id)).toEqual(called);
    expect(new Set(called).size).toBe(called.length);
    const sizes = results.map(({ content }) => Buffer.byteLength(JSON.stringify(content)));
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(500);
    expect(Math.max(...sizes)).toBeLessThan(8.3 * KB);
    expect(messages.at(-1)?.role).toBe("tool");
  });

  test("has quotes, backslashes, line ends, Chinese and emoji in its results", () => {
    const results = rowsOf(JSON.parse(textOf(large)), "messages").filter(({ role }) => role === "tool");
    const text = results.map(({ content }) => content).join("");
    for (const part of ['"', "\\", "\r\n", "\t", "数据库", "🚀"]) expect(text).toContain(part);
  });

  test.each([medium, large, heavy])("$name is answered with a call of one of its tools", (payload) => {
    expect(textOf(payload)).toContain(`"name":"${calledBy(payload)}"`);
  });
});

test("small payloads stay small", () => {
  expect(Buffer.byteLength(textOf(tiny))).toBeLessThan(200);
  expect(Buffer.byteLength(textOf(small))).toBeLessThan(400);
});
