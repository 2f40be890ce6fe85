import { describe, expect, test } from "vitest";
import { agentSession, agentTurn } from "@/bench/agent/conversation";
import { answersOf } from "@/bench/mock/answers";
import { scenarioOf } from "@/bench/mock/scenario";
import { bodyFor, heavy, large, medium, type Payload, small, tiny, upstreamModel } from "@/bench/payloads";
import { sessionSuite } from "@/bench/suites/stream-plan";
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

describe("an agent's session", () => {
  const [cell] = sessionSuite.cells;
  const turns = cell?.requests ?? [];
  const sizes = turns.map((turn) => Buffer.byteLength(textOf(turn)));

  test("has thirty streamed turns, each of them with some 4 KB more than the one before", () => {
    expect(turns).toHaveLength(30);
    for (const [index, size] of sizes.entries()) {
      const grown = size - (sizes[index - 1] ?? size - 4 * KB);
      expect(grown).toBeGreaterThan(3.5 * KB);
      expect(grown).toBeLessThan(4.5 * KB);
    }
    expect(turns.every(({ body }) => body.stream === true)).toBe(true);
  });

  test("asks one model, and loses nothing on its way to Messages", () => {
    expect(new Set(turns.map(upstreamModel)).size).toBe(1);
    for (const turn of turns) {
      const { losses } = prepareFor(validated(JSON.parse(textOf(turn)), "chat"));
      expect(losses).toEqual([]);
    }
  });

  test("keeps what was said", () => {
    const [first, second] = turns.slice(-2).map(({ body }) => rowsOf(body, "messages"));
    expect(second?.slice(0, first?.length)).toEqual(first);
  });
});

test("small payloads stay small", () => {
  expect(Buffer.byteLength(textOf(tiny))).toBeLessThan(200);
  expect(Buffer.byteLength(textOf(small))).toBeLessThan(400);
});
