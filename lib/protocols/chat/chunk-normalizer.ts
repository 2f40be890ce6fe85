import { isObject, type JsonObject } from "@/lib/kernel/json";
import { toolCallId } from "@/lib/protocols/generation/tool-id";
import { type ChoiceEnding, ChoiceNormalizer } from "./choice-normalizer";
import { callIdPrefix } from "./tool-call";
import { sumOfChoices } from "./usage";

const noise: ReadonlySet<string> = new Set([
  "prompt_filter_results",
  "content_filter_results",
  "obfuscation",
  "provider",
]);

/** Top-level fields that only the upstream's own tools read. Source: docs/protocols.md#s6-1. */
export function isNoise(key: string): boolean {
  return noise.has(key) || key.startsWith("x_");
}

/** What is left when the stream of a chat upstream is over. */
export interface ChunkEnding {
  /** Chunks still owed to the client that hold tool deltas. */
  held: JsonObject[];
  /** The chunks that end the choices, owed after them. */
  last(): JsonObject[];
  /** The choices that have begun, by their index; the first always. */
  choices: EndedChoice[];
}

/** One choice of an answer that is over. */
export interface EndedChoice {
  index: number;
  /** How it ended; null when it never said and may not be guessed. */
  ending: ChoiceEnding | null;
  /** It never said how it ended. */
  implied: boolean;
  /** The arguments of its function calls. */
  toolArguments: string[];
  /** True when a call never got a name. */
  unnamed: boolean;
}

/**
 * Repairs the chunks of a chat upstream in place; both the decoder and the forwarder work on what it returns.
 * The finish reasons are held back to the end, when it is known which ones count. Choices beyond those that were asked
 * for are dropped. Source: docs/protocols.md#s12-2, docs/contract.md#b4.
 */
export class ChunkNormalizer {
  id = "";
  /** True when the last chunk had to be changed (the model apart). */
  edited = false;
  readonly #asked: number;
  readonly #choices = new Map<number, ChoiceNormalizer>();
  #finished = 0;
  readonly #fallbackId: string;
  readonly #usageOfChoice = new Map<number, JsonObject>();
  #head: JsonObject = {};

  /** `asked`: how many choices the request wants. */
  constructor(fallbackId: string, asked = 1) {
    this.#fallbackId = fallbackId;
    this.#asked = asked;
    this.#choice(0);
  }

  /** True once every choice that was asked for has told its finish reason. */
  get hasFinish(): boolean {
    return this.#finished === this.#asked;
  }

  /** True when tool deltas had to be assigned by guesswork. */
  get guessed(): boolean {
    return [...this.#choices.values()].some((choice) => choice.tools.guessed);
  }

  /** Returns the chunk to pass on, or null when it only held lifecycle noise. */
  push(chunk: JsonObject): JsonObject | null {
    this.edited = false;
    this.#usage(chunk);
    for (const key in chunk) if (isNoise(key)) this.#drop(chunk, key);
    this.#sameId(chunk);
    const choices = Array.isArray(chunk.choices) ? chunk.choices : [];
    const kept = choices.filter((choice) => this.#keep(choice));
    if (kept.length > 0) this.#head = chunk;
    if (kept.length === 0 && !isObject(chunk.usage)) return null;
    if (!Array.isArray(chunk.choices) || kept.length !== choices.length) {
      chunk.choices = kept;
      this.edited = true;
    }
    return chunk;
  }

  /** Ends the stream. `mayImply`: a missing finish reason may be derived from what was sent. */
  finish(mayImply: boolean): ChunkEnding {
    const held: JsonObject[] = [];
    const choices: EndedChoice[] = [];
    const ends: JsonObject[] = [];
    for (const [index, choice] of [...this.#choices].sort(([a], [b]) => a - b)) {
      let ending = choice.ending();
      const implied = ending === null && mayImply && choice.hasContent;
      if (implied) ending = choice.impliedEnding();
      const owed = choice.tools.close();
      if (owed.length > 0)
        held.push(this.#chunk({ index, delta: { tool_calls: owed }, finish_reason: null }));
      if (ending) ends.push({ ...choice.finishChoice, index, delta: {}, finish_reason: ending.word });
      const { slots } = choice.tools;
      const functions = slots.filter((slot) => slot.kind === "function");
      const toolArguments = functions.map((slot) => slot.arguments);
      choices.push({ index, ending, implied, toolArguments, unnamed: slots.some(({ name }) => name === "") });
    }
    return { held, choices, last: () => ends.map((end) => this.#chunk(end)) };
  }

  #chunk(choice: JsonObject): JsonObject {
    const { choices: _choices, usage: _usage, ...head } = this.#head;
    return { ...head, choices: [choice] };
  }

  #keep(choice: unknown): boolean {
    if (!isObject(choice)) return false;
    const index = this.#indexOf(choice);
    if (index === null) return false;
    if (choice.index !== index) {
      choice.index = index;
      this.edited = true;
    }
    const repair = this.#choice(index);
    const wasOpen = repair.native === null;
    const kept = repair.repair(choice) !== null;
    if (wasOpen && repair.native !== null) this.#finished += 1;
    if (repair.edited) this.edited = true;
    return kept;
  }

  /** The place of a choice among those that were asked for; null for others. */
  #indexOf({ index }: JsonObject): number | null {
    if (typeof index !== "number") return 0;
    return Number.isInteger(index) && index >= 0 && index < this.#asked ? index : null;
  }

  #choice(index: number): ChoiceNormalizer {
    const known = this.#choices.get(index);
    if (known) return known;
    const made = new ChoiceNormalizer((slot) => {
      const seed = this.id || this.#fallbackId;
      return toolCallId(callIdPrefix, "", index === 0 ? seed : `${seed}.${index}`, slot);
    });
    this.#choices.set(index, made);
    return made;
  }

  /** Usage may sit beside the choices, in a vendor field, or inside a choice. */
  #usage(chunk: JsonObject): void {
    if (isObject(chunk.usage)) return;
    const vendor = isObject(chunk.x_groq) ? chunk.x_groq.usage : undefined;
    const found = isObject(vendor) ? vendor : this.#choicesUsage(chunk.choices);
    if (!isObject(found)) return;
    chunk.usage = found;
    this.edited = true;
  }

  /** What is told inside a choice is that choice's; the prompt is the same for all. */
  #choicesUsage(choices: unknown): unknown {
    let told = false;
    for (const choice of Array.isArray(choices) ? choices : []) {
      const index = isObject(choice) && isObject(choice.usage) ? this.#indexOf(choice) : null;
      if (index === null) continue;
      told = true;
      this.#usageOfChoice.set(index, choice.usage);
    }
    return told ? sumOfChoices([...this.#usageOfChoice.values()]) : undefined;
  }

  #sameId(chunk: JsonObject): void {
    if (this.id === "") {
      if (typeof chunk.id === "string" && chunk.id !== "") this.id = chunk.id;
      else if (Array.isArray(chunk.choices) && chunk.choices.length > 0) this.id = this.#fallbackId;
    }
    if (this.id === "" || chunk.id === this.id) return;
    chunk.id = this.id;
    this.edited = true;
  }

  #drop(target: JsonObject, key: string): void {
    delete target[key];
    this.edited = true;
  }
}
