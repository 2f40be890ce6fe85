import { describe, expect, test } from "vitest";
import { gatewayFor } from "../support/gateway-fixtures";
import type { TestUser } from "../support/server";
import { type Ask, driverNames, drivers, type Reading } from "./drivers";

// The provider's own counts depend on the request's length, which differs with the SDK; fixed ones do not.
const upstreamModel = "sim-usage-120-30";
const nodes = ["chat", "messages"] as const;

const gateway = gatewayFor({
  models: nodes.map((node) => ({ alias: `on-${node}`, routes: [[node, upstreamModel]] })),
});

let user: TestUser | null = null;

async function ask(name: (typeof driverNames)[number], fields: Omit<Ask, "url" | "key">): Promise<Reading> {
  user ??= await gateway.server.user();
  return drivers[name]({ url: gateway.server.url, key: user.key, ...fields });
}

const usage = { input: 120, output: 30 };
const label = "This is a simulated answer by the demo provider of Tollgate; no model was asked.";

describe.each(driverNames)("%s", (name) => {
  describe.each(nodes)("on a %s node", (node) => {
    const model = `on-${node}`;

    test("reads the same text, stop reason and usage from a stream and from a whole answer", async () => {
      const turns = [{ role: "user" as const, text: "Grüß Gott, 你好 🙂" }];
      const readings = [
        await ask(name, { model, turns, stream: false }),
        await ask(name, { model, turns, stream: true }),
      ];
      const text = `${label} You said: “Grüß Gott, 你好 🙂”.`;
      expect(readings).toEqual([
        { text, calls: [], stop: "end", usage },
        { text, calls: [], stop: "end", usage },
      ]);
    });

    test("reads an answer cut by max_tokens as cut, streamed and not", async () => {
      const turns = [{ role: "user" as const, text: "Hello" }];
      for (const stream of [false, true]) {
        const reading = await ask(name, { model, turns, stream, maxTokens: 5 });
        // The node still claims 30 tokens; more than it was given is neither shown nor billed.
        const believed = { ...usage, output: 5 };
        expect(reading).toMatchObject({ text: label.slice(0, 20), stop: "length", usage: believed });
      }
    });

    test.each([false, true])("goes through a tool loop of two steps (streamed: %s)", async (stream) => {
      const question = { role: "user" as const, text: "What is the weather in Paris?" };
      const first = await ask(name, { model, turns: [question], stream, tools: true });
      expect(first).toMatchObject({ text: "", stop: "tool", usage });
      expect(first.calls).toEqual([
        { id: expect.stringMatching(/./), name: "get_weather", input: { city: "Paris" } },
      ]);
      const second = await ask(name, {
        model,
        stream,
        tools: true,
        turns: [question, { role: "assistant", calls: first.calls }, resultsOf(first)],
      });
      expect(second).toMatchObject({ calls: [], stop: "end", usage });
      expect(second.text).toContain("The tool get_weather answered: “18 degrees in Paris”.");
    });

    test.each([false, true])("calls two tools at once (streamed: %s)", async (stream) => {
      const question = { role: "user" as const, text: "What is the weather in Paris and Tokyo?" };
      const first = await ask(name, { model, turns: [question], stream, tools: true });
      expect(first.calls.map(({ input }) => input)).toEqual([{ city: "Paris" }, { city: "Tokyo" }]);
      expect(new Set(first.calls.map(({ id }) => id)).size).toBe(2);
      expect(first.stop).toBe("tool");
      const second = await ask(name, {
        model,
        stream,
        tools: true,
        turns: [question, { role: "assistant", calls: first.calls }, resultsOf(first)],
      });
      expect(second.text).toContain("“18 degrees in Paris”");
      expect(second.text).toContain("“18 degrees in Tokyo”");
    });
  });
});

function resultsOf(reading: Reading) {
  const results = reading.calls.map(({ id, name, input }) => ({
    id,
    name,
    text: `18 degrees in ${cityOf(input)}`,
  }));
  return { role: "results" as const, results };
}

function cityOf(input: unknown): string {
  return typeof input === "object" && input !== null && "city" in input ? String(input.city) : "nowhere";
}
