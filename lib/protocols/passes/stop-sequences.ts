import type { JsonObject } from "@/lib/kernel/json-object";
import type { Decoder } from "@/lib/protocols/adapters/decoder";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";

type Text = Extract<GenerationEvent, { type: "text" }>;
type Finish = Extract<GenerationEvent, { type: "finish" }>;

/** The text of one choice, searched for stop sequences. */
class WatchedText {
  /** The sequence that was found; null: none yet. */
  met: string | null = null;
  /** The held end of the text, which may be the beginning of a sequence. */
  #held = "";
  /** The log probabilities of tokens that were not emitted yet. */
  #logProbabilities: JsonObject[] = [];
  readonly #open = new Set<number>();
  readonly #stops: readonly string[];

  constructor(stops: readonly string[]) {
    this.#stops = stops;
  }

  /** The events to emit; after a sequence was found, only the end of the choice. */
  push(event: GenerationEvent): GenerationEvent[] {
    if (event.type === "finish") return this.#finish(event);
    if (this.met !== null) return [];
    if (event.type === "text") return this.#text(event);
    if (event.type === "tool_open") this.#open.add(event.slot);
    if (event.type === "tool_close") this.#open.delete(event.slot);
    return [...this.#release(), event];
  }

  /** The end of a choice in which a sequence was found. */
  ending(met: string): GenerationEvent[] {
    const closed = [...this.#open].map((slot): GenerationEvent => ({ type: "tool_close", slot }));
    return [...closed, { type: "finish", reason: "stop_sequence", native: "stop", stopSequence: met }];
  }

  #text({ text: piece, logProbabilities = [] }: Text): GenerationEvent[] {
    const text = this.#held + piece;
    for (const token of logProbabilities) this.#logProbabilities.push(token);
    const first = firstOf(this.#stops, text);
    if (first !== null) {
      this.met = first.sequence;
      this.#held = "";
      return this.#goOn(text.slice(0, first.at));
    }
    const kept = heldBack(this.#stops, text);
    this.#held = text.slice(text.length - kept);
    return this.#goOn(text.slice(0, text.length - kept));
  }

  #release(): GenerationEvent[] {
    const text = this.#held;
    this.#held = "";
    return this.#goOn(text);
  }

  /** The text event, with the log probabilities of its complete tokens. */
  #goOn(text: string): GenerationEvent[] {
    if (text === "") return [];
    const told = wholeTokens(this.#logProbabilities, text);
    if (told.length === 0) return [{ type: "text", text }];
    this.#logProbabilities = this.#logProbabilities.slice(told.length);
    return [{ type: "text", text, logProbabilities: told }];
  }

  #finish(event: Finish): GenerationEvent[] {
    return this.met === null ? [...this.#release(), event] : this.ending(this.met);
  }
}

/** The first tokens that fit into the text. A token may be a part of a character, so that bytes are counted. */
function wholeTokens(tokens: readonly JsonObject[], text: string): JsonObject[] {
  let left = tokens.length === 0 ? 0 : Buffer.byteLength(text);
  const whole: JsonObject[] = [];
  for (const token of tokens) {
    left -= Array.isArray(token.bytes) ? token.bytes.length : Buffer.byteLength(String(token.token));
    if (left < 0) break;
    whole.push(token);
  }
  return whole;
}

/** The sequence that is complete first; of several that are complete at the same offset, the one that began first. */
function firstOf(stops: readonly string[], text: string): { sequence: string; at: number } | null {
  let first: { sequence: string; at: number } | null = null;
  for (const sequence of stops) {
    const at = text.indexOf(sequence);
    if (at === -1) continue;
    const isEarlier =
      first === null ||
      at + sequence.length < first.at + first.sequence.length ||
      (at + sequence.length === first.at + first.sequence.length && at < first.at);
    if (isEarlier) first = { sequence, at };
  }
  return first;
}

/** How many characters at the end of the text may be the beginning of a sequence. */
function heldBack(stops: readonly string[], text: string): number {
  let most = 0;
  for (const sequence of stops) {
    for (let length = Math.min(sequence.length - 1, text.length); length > most; length -= 1) {
      if (text.endsWith(sequence.slice(0, length))) most = length;
    }
  }
  return most;
}

/** Cuts an answer at stop sequences that its node does not support. */
class StopCut {
  /** A sequence was found in the only choice: further events of the node are not needed. */
  isOver = false;
  readonly #stops: readonly string[];
  readonly #choices: number;
  readonly #texts = new Map<number, WatchedText>();
  #index = 0;

  constructor(stops: readonly string[], choices: number) {
    this.#stops = stops;
    this.#choices = choices;
  }

  push(event: GenerationEvent): GenerationEvent[] {
    if (this.isOver) return [];
    if (event.type === "choice") this.#index = event.index;
    if (!ofChoice(event)) return [event];
    const text = this.#text();
    const events = text.push(event);
    if (text.met === null || this.#choices !== 1 || event.type === "finish") return events;
    this.isOver = true;
    return [...events, ...text.ending(text.met), { type: "end" }];
  }

  #text(): WatchedText {
    const known = this.#texts.get(this.#index) ?? new WatchedText(this.#stops);
    this.#texts.set(this.#index, known);
    return known;
  }
}

/** True for an event of a choice's content, false for one about the whole answer. */
function ofChoice({ type }: GenerationEvent): boolean {
  switch (type) {
    case "message":
    case "text":
    case "reasoning":
    case "reasoning_signature":
    case "reasoning_opaque":
    case "tool_open":
    case "tool_args":
    case "tool_close":
    case "other_item":
    case "media":
    case "search":
    case "citation":
    case "refusal":
    case "finish":
      return true;
    case "start":
    case "choice":
    case "hosted_call":
    case "usage":
    case "warning":
    case "ping":
    case "error":
    case "end":
      return false;
  }
}

/** A decoder whose answers end at stop sequences that the node does not support. Source: docs/protocols.md#s10-1. */
export class StoppingDecoder implements Decoder {
  readonly #decoder: Decoder;
  readonly #cut: StopCut;

  /** `choices`: the number of choices in the request to the node. */
  constructor(decoder: Decoder, stops: readonly string[], choices: number) {
    this.#decoder = decoder;
    this.#cut = new StopCut(stops, choices);
  }

  /** The answer has ended at a sequence, before the node's answer has ended. */
  get stopped(): boolean {
    return this.#cut.isOver;
  }

  get finishSeen(): boolean {
    return this.stopped || this.#decoder.finishSeen;
  }

  push(frame: SseFrame): GenerationEvent[] {
    return this.stopped ? [] : this.#decoder.push(frame).flatMap((event) => this.#cut.push(event));
  }

  end(): GenerationEvent[] {
    return this.stopped ? [] : this.#decoder.end().flatMap((event) => this.#cut.push(event));
  }
}

/**
 * The events of a whole answer up to its stop sequence, with the node's counts of the whole answer.
 * Source: docs/protocols.md#s10-1.
 */
export function cutAtStops(
  events: readonly GenerationEvent[],
  stops: readonly string[],
  choices: number,
): GenerationEvent[] {
  const cut = new StopCut(stops, choices);
  const counts = events.filter((event) => event.type === "usage" || event.type === "hosted_call");
  const kept = events.flatMap((event) => cut.push(event));
  if (!cut.isOver) return kept;
  const told = counts.filter((event) => !kept.includes(event));
  return [...kept.slice(0, -2), ...told, ...kept.slice(-2)];
}
