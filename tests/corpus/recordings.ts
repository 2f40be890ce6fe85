import type { Protocol } from "@/lib/protocols/protocol";
import { absence, type Exchange, exchanges, expectedMeanings, type Meaning, present } from "./corpus";
import { responsesAbsence, responsesExchanges, responsesMeanings, responsesPresent } from "./responses";

/** A recorded generation of any protocol. */
export type Recording = Omit<Exchange, "protocol"> & { protocol: Protocol };

/** All recorded generations that stand beside the project. */
export const recordings: readonly Recording[] = [
  ...(present ? exchanges() : []),
  ...(responsesPresent
    ? responsesExchanges()
        .filter(({ request }) => request.path === "/v1/responses")
        .map((exchange): Recording => ({ ...exchange, protocol: "responses" }))
    : []),
];

/** What each vendor's SDK reads of its own protocol's recordings without any gateway, by exchange. */
export const expected: Readonly<Record<string, Meaning>> = {
  ...(present ? expectedMeanings() : {}),
  ...(responsesPresent ? responsesMeanings() : {}),
};

/** Why suites are skipped. */
export const whyMissing = absence + responsesAbsence;

/** A difference between an answer and its recording that is meant. */
export interface Difference {
  /** The beginning of the exchange's name. Default: all. */
  exchange?: string;
  /** The names of the clients. Default: all. */
  clients?: readonly string[];
  found: RegExp;
  why: string;
}

/** Differences that are meant; nothing else may differ. */
const meant: readonly Difference[] = [
  {
    exchange: "oa-xai-",
    found: /usage/,
    why: "the server's completion count leaves reasoning out; it is repaired (docs/protocols.md#s11-3)",
  },
  {
    exchange: "oa-openai-a72abf7f-00",
    found: /text/,
    why: "an audio answer reaches others as its transcript (docs/protocols.md#s9-2)",
  },
  {
    exchange: "an-anthropic-55950562-00",
    found: /./,
    why: "a second message begins inside the stream: broken, and no SDK reads it",
  },
  {
    exchange: "an-anthropic-481f829a-",
    found: /usage/,
    why: "the upstream counts nothing for calls it made; they are estimated (docs/reliability.md#s2-6)",
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
    found: /tool-args/,
    why: "arguments that were cut are no JSON",
  },
  {
    exchange: "re-openai-d3de3ec5-00",
    clients: ["ai sdk, openai"],
    found: /client-error/,
    why: "the recording was made by hand and has no time, which the library asks of streams only",
  },
  {
    exchange: "re-openai-7978f9a3-02",
    clients: ["ai sdk, openai"],
    found: /client-error/,
    why: "the response at the end of its stream has items that the library refuses",
  },
  {
    exchange: "an-anthropic-ba027af4-00",
    clients: ["ai sdk, open responses"],
    found: /text/,
    why: "the library reads the refusal of a whole answer as a text without one",
  },
  {
    clients: ["openai agents"],
    found: /unsuccessful terminal state "response\.incomplete"/,
    why: "the library throws at every answer that was cut at a limit",
  },
  {
    exchange: "oa-groq-c6bef8c8-00",
    clients: ["ai sdk, open responses", "langchain"],
    found: /error-lost/,
    why: "the libraries overlook response.failed",
  },
];

/** True when this client may find this difference in this exchange. */
export function isMeant(id: string, client: string, difference: string): boolean {
  return meant.some(
    ({ exchange = "", clients = [client], found }) =>
      id.startsWith(exchange) && clients.includes(client) && found.test(difference),
  );
}

/** True for a recording that makes a node look broken: it gets a node of its own. */
export function isFailure(id: string): boolean {
  return expected[id]?.ok !== true || meant.some(({ exchange }) => exchange && id.startsWith(exchange));
}
