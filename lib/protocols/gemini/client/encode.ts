import { printJson } from "@/lib/kernel/exact-json";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { Encoder, EncoderOptions } from "@/lib/protocols/adapters/encoder";
import type { GenerationEvent, PartialUsage } from "@/lib/protocols/generation/events";
import { Candidate } from "./candidate";
import { logprobsResult } from "./log-probabilities";
import { writeGeminiUsage } from "./write-usage";

/** One frame of a stream; clients require exactly one space and these line ends. Source: docs/gemini.md#streams. */
export function geminiFrame(json: string): string {
  return `data: ${json}\r\n\r\n`;
}

/**
 * Writes an answer as chunks, each a part of the answer's body. The finish reasons and the counts come in the last one.
 * Source: docs/gemini.md#answer.
 */
export class GeminiEncoder implements Encoder {
  readonly #options: EncoderOptions;
  readonly #candidates = new Map<number, Candidate>();
  readonly #tail: string;
  #current: Candidate;
  #usage: PartialUsage = {};
  #wire = "";

  constructor(options: EncoderOptions) {
    this.#options = options;
    const fixed = JSON.stringify({ modelVersion: options.alias, responseId: options.id });
    this.#tail = `,${fixed.slice(1)}`;
    this.#current = this.#candidate(0);
  }

  get losses(): readonly string[] {
    return [...this.#candidates.values()].flatMap(({ losses }) => losses);
  }

  push(event: GenerationEvent): string {
    if (event.type === "choice") this.#current = this.#candidate(event.index);
    else if (event.type === "usage") this.#usage = { ...this.#usage, ...event.usage };
    else this.#current.push(event);
    return this.#take();
  }

  end(): string {
    for (const candidate of this.#candidates.values()) candidate.closeCalls();
    const candidates = [...this.#candidates].map(([index, candidate]) => ({
      content: { parts: [candidate.tail], role: "model" },
      ...candidate.ending(),
      index,
    }));
    const body = printJson({ candidates, usageMetadata: writeGeminiUsage(this.#usage) });
    return this.#take() + geminiFrame(body.slice(0, -1) + this.#tail);
  }

  #take(): string {
    const wire = this.#wire;
    this.#wire = "";
    return wire;
  }

  #candidate(index: number): Candidate {
    const known = this.#candidates.get(index);
    if (known !== undefined) return known;
    const part = (written: JsonObject, logProbabilities?: readonly JsonObject[]) => {
      const told =
        logProbabilities === undefined
          ? ""
          : `,"logprobsResult":${JSON.stringify(logprobsResult(logProbabilities))}`;
      const content = `{"parts":[${printJson(written)}],"role":"model"}`;
      const candidate = `{"content":${content}${told},"index":${index}}`;
      this.#wire += geminiFrame(`{"candidates":[${candidate}]${this.#tail}`);
    };
    const candidate = new Candidate(this.#options, { part });
    this.#candidates.set(index, candidate);
    return candidate;
  }
}
