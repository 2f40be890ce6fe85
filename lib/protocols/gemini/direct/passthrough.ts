import { printJson } from "@/lib/kernel/exact-json";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { Passed, Passthrough, PassthroughOptions } from "@/lib/protocols/adapters/passthrough";
import { geminiFrame } from "@/lib/protocols/gemini/client/encode";
import { GeminiDecoder } from "@/lib/protocols/gemini/node/decode";
import { brokenAnswer, type GenerationEvent, type PartialUsage } from "@/lib/protocols/generation/events";
import { parsePayloads } from "@/lib/protocols/sse/payloads";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";
import { turnNamesBack } from "./turn-names-back";
import { underAlias } from "./under-alias";

const nothing: Passed = { wire: "", events: [] };

/** A chunk that waits until the request is settled. */
interface HeldChunk {
  json: string;
  chunk: JsonObject;
}

/**
 * Passes chunks on, byte for byte except the model name. Those from the last finish reason on are held until the request
 * is settled: they show clients that the answer is complete. Source: docs/gemini.md#to-nodes.
 */
export class GeminiPassthrough implements Passthrough {
  readonly losses: readonly string[] = [];
  readonly #options: PassthroughOptions;
  readonly #decoder: GeminiDecoder;
  readonly #held: HeldChunk[] = [];
  #over = false;

  constructor(options: PassthroughOptions) {
    this.#options = options;
    const { id, choices } = options;
    this.#decoder = new GeminiDecoder({ id, choices: choices ?? 1, keepsFailedCandidates: true });
  }

  get finishSeen(): boolean {
    return this.#decoder.finishSeen;
  }

  push(frame: SseFrame): Passed {
    const data = frame.data.trim();
    if (this.#over || data === "" || data === "[DONE]") return nothing;
    let chunks: JsonObject[];
    try {
      chunks = parsePayloads(data);
    } catch {
      const failure = brokenAnswer("The upstream sent a chunk that is not JSON");
      return { wire: "", events: this.#watch([{ type: "error", failure }]) };
    }
    const [only] = chunks;
    if (chunks.length === 1 && only) return this.#pass(only, data);
    const passed = chunks.map((chunk) => this.#pass(chunk, printJson(chunk)));
    return { wire: passed.map(({ wire }) => wire).join(""), events: passed.flatMap(({ events }) => events) };
  }

  finish(): Passed {
    return this.#over ? nothing : { wire: "", events: this.#watch(this.#decoder.end()) };
  }

  end(usage?: PartialUsage): string {
    const last = this.#held.length - 1;
    return this.#held
      .map(({ json, chunk }, at) => this.#wireOf(json, chunk, at === last ? usage : undefined))
      .join("");
  }

  #pass(chunk: JsonObject, json: string): Passed {
    const events = this.#watch(this.#decoder.accept(chunk));
    if (events.at(-1)?.type === "error") return { wire: "", events };
    if (!this.#decoder.finishSeen) return { wire: this.#wireOf(json, chunk), events };
    this.#held.push({ json, chunk });
    return { wire: "", events };
  }

  #wireOf(json: string, chunk: JsonObject, usage?: PartialUsage): string {
    const { alias, toolNames } = this.#options;
    const named = toolNames && turnNamesBack(chunk, toolNames) ? printJson(chunk) : json;
    const text = underAlias(named, chunk, alias, usage);
    return geminiFrame(text.includes("\n") ? printJson(chunk) : text);
  }

  #watch(events: GenerationEvent[]): GenerationEvent[] {
    const last = events.at(-1)?.type;
    if (last === "error" || last === "end") this.#over = true;
    return events;
  }
}
