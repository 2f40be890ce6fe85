import { isObject, type JsonObject } from "@/lib/kernel/json-object";

/** The log probabilities of a candidate's tokens, as events carry them; [] for none. */
export function logProbabilitiesOf(result: unknown): JsonObject[] {
  if (!isObject(result) || !Array.isArray(result.chosenCandidates)) return [];
  const tops: unknown[] = Array.isArray(result.topCandidates) ? result.topCandidates : [];
  return result.chosenCandidates.filter(isObject).map((chosen, at) => {
    const top = tops[at];
    const others = isObject(top) && Array.isArray(top.candidates) ? top.candidates.filter(isObject) : [];
    return { ...tokenOf(chosen), top_logprobs: others.map(tokenOf) };
  });
}

function tokenOf({ token, logProbability }: JsonObject): JsonObject {
  const text = typeof token === "string" ? token : "";
  return {
    token: text,
    logprob: typeof logProbability === "number" ? logProbability : 0,
    bytes: [...new TextEncoder().encode(text)],
  };
}
