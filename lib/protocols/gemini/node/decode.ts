import { callMessages } from "@/lib/kernel/error-messages";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { DecoderOptions } from "@/lib/protocols/adapters/decoder";
import { failureOf } from "@/lib/protocols/failures/failure-body";
import { readGeminiUsage } from "@/lib/protocols/gemini/usage";
import { brokenAnswer, type GenerationEvent } from "@/lib/protocols/generation/events";
import { WireDecoder } from "@/lib/protocols/wire/wire-decoder";
import { Candidate } from "./candidate";

/** The options of a decoder of this protocol. */
export interface GeminiDecoderOptions extends DecoderOptions {
  /** A candidate that failed ends as the node ended it, for a client that reads the node's own word. Default false. */
  keepsFailedCandidates?: boolean;
}

/**
 * Reads the stream of a Gemini node: each chunk is a partial answer whose parts are appended. The stream has no terminal
 * signal: it is complete when every candidate has a `finishReason`. Source: docs/gemini.md#answers.
 */
export class GeminiDecoder extends WireDecoder {
  readonly #options: GeminiDecoderOptions;
  readonly #candidates = new Map<number, Candidate>();
  #started = false;
  /** The reason for which the node has refused the prompt. */
  #blocked: { native: string; explanation: string | null } | null = null;
  /** The candidate that the latest events belong to. */
  #index = 0;

  constructor(options: GeminiDecoderOptions) {
    super("a chunk");
    this.#options = options;
  }

  get finishSeen(): boolean {
    if (this.#blocked !== null) return true;
    const { size } = this.#candidates;
    if (size < (this.#options.choices ?? 1)) return false;
    for (const { ended } of this.#candidates.values()) if (ended === null) return false;
    return true;
  }

  /** Handles one chunk. */
  accept(chunk: JsonObject): GenerationEvent[] {
    if (this.over) return [];
    const failure = chunk.error === undefined ? null : failureOf(chunk);
    if (failure) return this.fail(failure);
    const events: GenerationEvent[] = [];
    this.#start(chunk, events);
    this.#readPrompt(chunk.promptFeedback);
    for (const piece of Array.isArray(chunk.candidates) ? chunk.candidates : []) {
      if (!isObject(piece)) continue;
      const candidate = this.#switchTo(Number(piece.index ?? 0), events);
      candidate?.read(piece, events);
      const failed = this.#options.keepsFailedCandidates === true ? null : candidate?.failure();
      if (failed) return this.fail(failed);
    }
    this.#readUsage(chunk.usageMetadata, events);
    return events;
  }

  /** Some servers end with `[DONE]`. */
  done(): GenerationEvent[] {
    return this.end();
  }

  end(): GenerationEvent[] {
    if (this.over) return [];
    const isWhole = this.finishSeen || (this.#candidates.size > 0 && this.#allEnded());
    if (!isWhole)
      return this.fail(brokenAnswer(this.#started ? callMessages.streamBroke : callMessages.empty));
    const events: GenerationEvent[] = [];
    const candidates = [...this.#candidates].sort(([left], [right]) => left - right);
    for (const [index, candidate] of candidates) {
      this.#switchTo(index, events);
      if (candidate.ended?.isKnown === false) this.warn(`finish:${candidate.ended.native}`, events);
      candidate.finish(events);
    }
    if (candidates.length === 0) this.#finishBlocked(events);
    events.push({ type: "end" });
    this.over = true;
    return events;
  }

  #allEnded(): boolean {
    return [...this.#candidates.values()].every(({ ended }) => ended !== null);
  }

  #start({ responseId, modelVersion }: JsonObject, events: GenerationEvent[]): void {
    if (this.#started) return;
    this.#started = true;
    const id = typeof responseId === "string" && responseId !== "" ? responseId : this.#options.id;
    events.push({ type: "start", id, model: typeof modelVersion === "string" ? modelVersion : "" });
  }

  /** A refused prompt has no candidates. Source: docs/gemini.md#finish. */
  #readPrompt(feedback: unknown): void {
    if (!isObject(feedback) || typeof feedback.blockReason !== "string") return;
    const explanation = feedback.blockReasonMessage;
    this.#blocked = {
      native: feedback.blockReason,
      explanation: typeof explanation === "string" ? explanation : null,
    };
  }

  #finishBlocked(events: GenerationEvent[]): void {
    const { native, explanation } = this.#blocked ?? { native: "BLOCKED", explanation: null };
    const finish = { type: "finish", reason: "refusal", native } as const;
    events.push(explanation === null ? finish : { ...finish, explanation });
  }

  /** The candidate of an index; null beyond the number that was asked for. */
  #switchTo(index: number, events: GenerationEvent[]): Candidate | null {
    if (!(index >= 0 && index < (this.#options.choices ?? 1))) return null;
    if (index !== this.#index) events.push({ type: "choice", index });
    this.#index = index;
    const known = this.#candidates.get(index) ?? new Candidate(this.#options.id);
    this.#candidates.set(index, known);
    return known;
  }

  /** The counts are totals so far; before the end they are the least that the answer costs. */
  #readUsage(raw: unknown, events: GenerationEvent[]): void {
    if (!isObject(raw)) return;
    const { usage, warnings } = readGeminiUsage(raw);
    events.push(this.finishSeen ? { type: "usage", usage } : { type: "usage", usage, early: true });
    for (const code of warnings) this.warn(code, events);
  }
}
