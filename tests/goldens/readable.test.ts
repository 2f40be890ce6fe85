import path from "node:path";
import { describe, expect, test } from "vitest";
import { Translator } from "@/lib/gateway/translator";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import { type Protocol, protocolIds } from "@/lib/protocols/protocol";
import { protocols } from "@/lib/protocols/registry";
import { bytesOf, framesFrom, optionsFor } from "../unit/protocols/pipeline";
import { prepareFor, validated } from "../unit/protocols/requests/support";
import { readableRequests } from "./readable-requests";

// One file each, so that a review shows what a change of the code changes. `npx vitest run tests/goldens -u` accepts it.

const pairs = protocolIds.flatMap((client) => protocolIds.map((node) => ({ client, node })));

describe.each(pairs)("the requests of a $client client on a $node node", ({ client, node }) => {
  test.each(Object.entries(readableRequests))("%s", async (theme, { bodies, models }) => {
    const { body, headers, losses, stream } = prepareFor(validated(bodies[client], client), {
      clientProtocol: client,
      upstreamProtocol: node,
      upstreamModel: models?.[node] ?? "some-model",
    });
    await expectFile(`requests/${client}-to-${node}-${theme}.json`, { losses, headers, stream, body });
  });
});

const events: GenerationEvent[] = [
  { type: "start", id: "answer-1", model: "some-model" },
  { type: "reasoning", text: "A river." },
  { type: "text", text: "The Aare; " },
  { type: "text", text: "I look up its level." },
  { type: "tool_open", slot: 0, id: "call_1", name: "level", kind: "function" },
  { type: "tool_args", slot: 0, text: '{"river":' },
  { type: "tool_args", slot: 0, text: '"Aare"}' },
  { type: "tool_close", slot: 0 },
  { type: "usage", usage: { inputUncached: 20, cacheRead: 5, output: 9, reasoning: 3 } },
  { type: "finish", reason: "tool_use", native: "tool_use" },
  { type: "end" },
];

describe.each(pairs)("the answers of a $node node to a $client client", ({ client, node }) => {
  test("streamed", async () => {
    const translator = new Translator(answerOptions(client, node, true));
    let wire = "";
    for (const frame of framesFrom(bytesOf(nodeStream(node)))) wire += translator.push(frame);
    wire += translator.finish() + translator.end(undefined);
    await expect(wire).toMatchFileSnapshot(file(`answers/${node}-to-${client}-streamed.txt`));
  });

  test("whole", async () => {
    const { body } = protocols[node].fold(events, {
      ...answerOptions(node, node, false),
      alias: "some-model",
    });
    const translator = new Translator(answerOptions(client, node, false));
    translator.takeWhole(JSON.stringify(body), structuredClone(body));
    await expectFile(`answers/${node}-to-${client}-whole.json`, JSON.parse(translator.end(undefined)));
  });
});

function nodeStream(node: Protocol): string {
  const encoder = protocols[node].encoder({ ...answerOptions(node, node, true), alias: "some-model" });
  return events.map((event) => encoder.push(event)).join("") + encoder.end();
}

function answerOptions(client: Protocol, node: Protocol, stream: boolean) {
  return {
    ...optionsFor({ client, upstream: node }),
    client: protocols[client],
    upstream: protocols[node],
    stream,
    choices: 1,
    wrappedTools: new Set<string>(),
    usageCeiling: undefined,
    outputCap: 4_096,
  };
}

async function expectFile(name: string, value: unknown): Promise<void> {
  await expect(`${JSON.stringify(value, null, 2)}\n`).toMatchFileSnapshot(file(name));
}

function file(name: string): string {
  return path.join(import.meta.dirname, "readable", name);
}
