import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { failureOf } from "@/lib/protocols/failures/failure-body";
import { count } from "@/lib/protocols/generation/counts";
import { brokenAnswer, type GenerationEvent, type PartialUsage } from "@/lib/protocols/generation/events";
import { servedBy } from "@/lib/protocols/generation/served-tier";

/** The event of an answer without vectors. */
export const noEmbeddings: GenerationEvent = {
  type: "error",
  failure: brokenAnswer("The upstream's answer has no embeddings"),
};

/** The number of inputs of a request, each of which gets a vector. */
export function inputsOf(input: unknown): number {
  return Array.isArray(input) && typeof input[0] !== "number" ? input.length : 1;
}

/** The events of an answer in the form of `/v1/embeddings`. `inputs`: how many vectors it must have. */
export function vectorEvents(body: JsonObject, inputs: number): GenerationEvent[] {
  const failure = failureOf(body);
  if (failure !== null) return [{ type: "error", failure }];
  const { data } = body;
  if (!Array.isArray(data) || data.length === 0 || !data.every(hasVector)) return [noEmbeddings];
  if (data.length !== inputs) {
    const message = `The upstream gave ${data.length} embeddings for ${inputs} inputs`;
    return [{ type: "error", failure: brokenAnswer(message) }];
  }
  return [
    { type: "usage", usage: { ...readUsage(body.usage), ...servedBy(body.service_tier) } },
    { type: "finish", reason: "end", native: "stop" },
    { type: "end" },
  ];
}

function hasVector(entry: unknown): boolean {
  if (!isObject(entry)) return false;
  const { embedding } = entry;
  return (Array.isArray(embedding) || typeof embedding === "string") && embedding.length > 0;
}

/** Every input has tokens, so that 0 means that the node does not count. */
function readUsage(usage: unknown): PartialUsage {
  const { prompt_tokens: prompt, total_tokens: total } = isObject(usage) ? usage : {};
  const input = count(prompt) || count(total) || undefined;
  return input === undefined ? { output: 0 } : { inputUncached: input, output: 0 };
}
