import { isObject, type JsonObject } from "@/lib/kernel/json-object";

/** Log probabilities of an answer's tokens as `logprobsResult`. Source: docs/gemini.md#answer. */
export function logprobsResult(tokens: readonly JsonObject[]): JsonObject {
  return {
    chosenCandidates: tokens.map(candidate),
    topCandidates: tokens.map(({ top_logprobs: top }) => ({
      candidates: Array.isArray(top) ? top.filter(isObject).map(candidate) : [],
    })),
  };
}

function candidate({ token, logprob }: JsonObject): JsonObject {
  return { token, logProbability: logprob };
}
