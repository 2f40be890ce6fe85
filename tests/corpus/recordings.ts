import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";
import type { Protocol } from "@/lib/protocols/protocol";
import { absence, type Exchange, exchanges, expectedMeanings, type Meaning, present } from "./corpus";
import { geminiAbsence, geminiExchanges, geminiMeanings, geminiPresent } from "./gemini";
import { responsesAbsence, responsesExchanges, responsesMeanings, responsesPresent } from "./responses";

/** A recorded generation of any protocol. */
export type Recording = Omit<Exchange, "protocol"> & { protocol: Protocol };

/** The classes of recorded Gemini answers that are generations; the others are counts, embeddings and broken mocks. */
const generated: ReadonlySet<string> = new Set(["ok", "error"]);

/** All recorded generations that stand beside the project. */
export const recordings: readonly Recording[] = [
  ...(present ? exchanges() : []),
  ...(responsesPresent
    ? responsesExchanges()
        .filter(({ request }) => request.path === "/v1/responses")
        .map((exchange): Recording => ({ ...exchange, protocol: "responses" }))
    : []),
  ...(geminiPresent ? geminiGenerations() : []),
];

function geminiGenerations(): Recording[] {
  const meanings = geminiMeanings();
  return geminiExchanges()
    .filter(({ id }) => generated.has(meanings[id]?.class ?? ""))
    .map((exchange): Recording => ({ ...exchange, protocol: "gemini" }));
}

const read: Readonly<Record<string, Meaning>> = {
  ...(present ? expectedMeanings() : {}),
  ...(responsesPresent ? responsesMeanings() : {}),
  ...(geminiPresent ? geminiMeanings() : {}),
};

/** What each vendor's SDK reads of its own protocol's recordings without any gateway, by exchange, with complete counts. */
export const expected: Readonly<Record<string, Meaning>> = {
  ...read,
  ...Object.fromEntries(
    recordings.flatMap((recording) => {
      const meaning = read[recording.id];
      return meaning === undefined ? [] : [[recording.id, withReasoning(recording, meaning)]];
    }),
  ),
};

/** Why suites are skipped. */
export const whyMissing = absence + responsesAbsence + geminiAbsence;

/** A difference between an answer and its recording that is meant. */
export interface Difference {
  /** The recording. */
  exchange: string;
  /** The names of the clients. Default: all. */
  clients?: readonly string[];
  found: RegExp;
  why: string;
}

/** Differences that are meant; nothing else may differ, at most 2 of 100 recordings for any client. */
export const exceptions: readonly Difference[] = [
  {
    exchange: "oa-openai-a72abf7f-00",
    found: /text/,
    why: "an audio answer reaches others as its transcript (docs/protocols.md#s9-2)",
  },
  {
    exchange: "an-anthropic-55950562-00",
    found: /./,
    why: "a second message begins inside the stream: broken, and the vendor's SDK throws",
  },
  {
    exchange: "an-anthropic-e5960613-00",
    found: /usage/,
    why: "compaction is billed on top of the totals (docs/protocols.md#s11-2)",
  },
  {
    exchange: "an-anthropic-ff6fb125-00",
    found: /usage/,
    why: "compaction is billed on top of the totals (docs/protocols.md#s11-2)",
  },
  {
    exchange: "an-anthropic-ba027af4-00",
    clients: ["ai sdk, open responses"],
    found: /text/,
    why: "the library reads the refusal of a whole answer as a text without one",
  },
  {
    exchange: "re-openai-4cb2b6a9-00",
    found: /usage/,
    why: "the upstream counts nothing for a text; it is estimated (docs/reliability.md#s2-6)",
  },
  {
    exchange: "re-openai-80632d4b-00",
    found: /usage/,
    why: "the upstream counts nothing for a call; it is estimated (docs/reliability.md#s2-6)",
  },
  {
    exchange: "re-openai-df0eddc5-00",
    found: /text/,
    why: "the recording was shortened by hand: its deltas are not its text",
  },
  {
    exchange: "re-openai-d3de3ec5-00",
    found: /tool-args|tool-count/,
    why: "arguments that were cut are no JSON; Gemini's clients get no such call",
  },
  {
    exchange: "re-openai-a3524c2f-00",
    clients: ["openai"],
    found: /client-error:.*invalid structured output JSON/,
    why: "the text of the recording was made up: it is not the JSON that was asked for, which the library reads in streams",
  },
  {
    exchange: "ge-gemini-45678a6c-00",
    found: /client-error/,
    why: "an answer without candidates and without a reason is broken (a mock)",
  },
  {
    exchange: "ge-gemini-b1df3b04-00",
    found: /tool-count|stop/,
    why: "a streamed call that the server then answers itself, which only mcpServers make",
  },
  {
    exchange: "ge-vertex-792c33f9-00",
    found: /usage/,
    why: "the upstream counts nothing for a text; it is estimated (docs/reliability.md#s2-6)",
  },
  {
    exchange: "ge-vertex-0028a865-00",
    found: /client-error/,
    why: "UNEXPECTED_TOOL_CALL is a failure (docs/gemini.md#finish)",
  },
];

/** What a library cannot read, with an answer of the upstream that it reads no better without the gateway. */
export interface Limit {
  clients: readonly string[];
  found: RegExp;
  why: string;
  /** The upstream's model, and whether it is asked for a stream. */
  witness: { model: string; exchange: string; stream: boolean };
}

/** Limits of libraries: a client is no worse off than without the gateway. */
export const limits: readonly Limit[] = [
  {
    clients: ["openai agents"],
    found: /^client-error:.*unsuccessful terminal state "response\.incomplete"/,
    why: "the library throws at every answer that was cut at a limit",
    witness: { model: "replay:re-openai-4cb2b6a9-00", exchange: "re-openai-4cb2b6a9-00", stream: true },
  },
  {
    clients: ["langchain"],
    found: /^error-lost/,
    why: "the library overlooks response.failed",
    witness: {
      model: "replay:re-openai-4cb2b6a9-00;errmid=4;errkind=failed",
      exchange: "oa-groq-c6bef8c8-00",
      stream: true,
    },
  },
];

/** The listed reason for a difference, or undefined. */
export function reasonFor(id: string, client: string, difference: string): Difference | Limit | undefined {
  return (
    limits.find(({ clients, found }) => clients.includes(client) && found.test(difference)) ??
    exceptions.find(
      ({ exchange, clients = [client], found }) =>
        exchange === id && clients.includes(client) && found.test(difference),
    )
  );
}

/** True for a recording that makes a node look broken: it gets a node of its own. */
export function isFailure(id: string): boolean {
  return expected[id]?.ok !== true || exceptions.some(({ exchange }) => exchange === id);
}

/**
 * Some servers leave reasoning out of the completion count, and count it in their total only. Reasoning is output.
 * Source: docs/protocols.md#s11-3.
 */
function withReasoning({ response, protocol }: Recording, meaning: Meaning): Meaning {
  const { input, output } = meaning.usage ?? {};
  if (protocol === "gemini") return withThoughts(meaning);
  if (protocol !== "chat" || typeof input !== "number" || typeof output !== "number") return meaning;
  const { total_tokens: total } = usageOf(response);
  if (typeof total !== "number" || input === 0 || total <= input + output) return meaning;
  return { ...meaning, usage: { ...meaning.usage, input, output: total - input } };
}

function withThoughts(meaning: Meaning): Meaning {
  const { input, output, total } = { total: null, ...meaning.usage };
  if (typeof input !== "number" || typeof total !== "number") return meaning;
  return { ...meaning, usage: { ...meaning.usage, input, output: Math.max(output ?? 0, total - input) } };
}

function usageOf({ sse = "", body }: Recording["response"]): JsonObject {
  const payloads = [body, ...sse.split("\n").map((line) => parseJson(line.replace(/^data: ?/, "")))];
  const usages = payloads.map((payload) => (isObject(payload) ? payload.usage : null));
  return usages.findLast(isObject) ?? {};
}
