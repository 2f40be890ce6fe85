import type { JsonObject } from "@/lib/kernel/json-object";
import type { EncoderOptions, Folded } from "@/lib/protocols/adapters/encoder";
import type { GenerationEvent, PartialUsage } from "@/lib/protocols/generation/events";
import { Candidate, type PartSink } from "./candidate";
import { logprobsResult } from "./log-probabilities";
import { writeGeminiUsage } from "./write-usage";

/** Collects the parts of a candidate; pieces of one text become one part. */
class CollectedParts implements PartSink {
  readonly parts: JsonObject[] = [];
  readonly #tokens: JsonObject[] = [];

  part(part: JsonObject, logProbabilities: readonly JsonObject[] = []): void {
    for (const token of logProbabilities) this.#tokens.push(token);
    const last = this.parts.at(-1);
    const isText = typeof last?.text === "string" && typeof part.text === "string";
    if (isText && last.thought === part.thought && part.thoughtSignature === undefined)
      last.text = `${last.text}${part.text}`;
    else this.parts.push({ ...part });
  }

  /** The log probabilities; null: not requested. */
  get logprobs(): JsonObject | null {
    return this.#tokens.length === 0 ? null : logprobsResult(this.#tokens);
  }
}

/** The whole answer that the events form. Source: docs/gemini.md#answer. */
export function foldGemini(events: Iterable<GenerationEvent>, options: EncoderOptions): Folded {
  const found = new Map<number, { candidate: Candidate; collected: CollectedParts }>();
  const at = (index: number): Candidate => {
    const known = found.get(index);
    if (known !== undefined) return known.candidate;
    const collected = new CollectedParts();
    const candidate = new Candidate(options, collected);
    found.set(index, { candidate, collected });
    return candidate;
  };
  let usage: PartialUsage = {};
  let current = at(0);
  for (const event of events) {
    if (event.type === "choice") current = at(event.index);
    else if (event.type === "usage") usage = { ...usage, ...event.usage };
    else current.push(event);
  }
  const ordered = [...found].sort(([a], [b]) => a - b);
  const candidates = ordered.map(([index, { candidate, collected }]) => {
    candidate.closeCalls();
    const { parts } = collected;
    if (candidate.hasTail || parts.length === 0) parts.push(candidate.tail);
    const told = collected.logprobs;
    return {
      content: { parts, role: "model" },
      ...candidate.ending(),
      ...(told === null ? {} : { logprobsResult: told }),
      index,
    };
  });
  const body = {
    candidates,
    usageMetadata: writeGeminiUsage(usage),
    modelVersion: options.alias,
    responseId: options.id,
  };
  return { body, losses: ordered.flatMap(([, { candidate }]) => candidate.losses) };
}
