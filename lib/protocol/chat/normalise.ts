import { isObject, type JsonObject } from "../protocol";
import { toolCallId } from "../tool-id";
import { type ChoiceEnding, ChoiceRepair } from "./choice";

const noise: ReadonlySet<string> = new Set([
  "prompt_filter_results",
  "content_filter_results",
  "obfuscation",
  "provider",
]);

/** Top-level fields that only the upstream's own tools read. Source: protocol 6.1. */
export function isNoise(key: string): boolean {
  return noise.has(key) || key.startsWith("x_");
}

/** What is left when the stream of a chat upstream is over. */
export interface ChunkEnding {
  /** Chunks still owed to the client that hold tool deltas. */
  held: JsonObject[];
  /** The chunk that ends the choice, owed after them. */
  last(): JsonObject | null;
  /** How the answer ended; null when it never said and may not be guessed. */
  ending: ChoiceEnding | null;
  /** The arguments of the function calls. */
  toolArguments: string[];
  /** True when a call never got a name. */
  unnamed: boolean;
}

/**
 * Repairs the chunks of a chat upstream in place; both the decoder and the forwarder work on what it returns.
 * The finish reason is held back to the end, when it is known which one counts. Choices other than the first
 * are dropped: nobody may ask for them. Source: protocol 12.2.
 */
export class ChunkRepair {
  id = "";
  /** True when the last chunk had to be changed (the model apart). */
  edited = false;
  readonly #choice: ChoiceRepair;
  readonly #fallbackId: string;
  #head: JsonObject = {};

  constructor(fallbackId: string) {
    this.#fallbackId = fallbackId;
    this.#choice = new ChoiceRepair((slot) => toolCallId("chat", "", this.id || fallbackId, slot));
  }

  /** True once the answer has told its finish reason. */
  get hasFinish(): boolean {
    return this.#choice.native !== null;
  }

  /** True when tool deltas had to be assigned by guesswork. */
  get guessed(): boolean {
    return this.#choice.tools.guessed;
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
    const choice = this.#choice;
    let ending = choice.ending();
    if (ending === null && mayImply && choice.hasContent) ending = choice.impliedEnding();
    const owed = choice.tools.close();
    const held =
      owed.length === 0 ? [] : [this.#chunk({ index: 0, delta: { tool_calls: owed }, finish_reason: null })];
    const word = ending?.word ?? null;
    const last = () =>
      word === null
        ? null
        : this.#chunk({ ...choice.finishChoice, index: 0, delta: {}, finish_reason: word });
    const slots = choice.tools.slots;
    const functions = slots.filter((slot) => slot.kind === "function");
    const toolArguments = functions.map((slot) => slot.arguments);
    return { held, last, ending, toolArguments, unnamed: slots.some((slot) => slot.name === "") };
  }

  #chunk(choice: JsonObject): JsonObject {
    const { choices: _choices, usage: _usage, ...head } = this.#head;
    return { ...head, choices: [choice] };
  }

  #keep(choice: unknown): boolean {
    if (!isObject(choice)) return false;
    const index = typeof choice.index === "number" ? choice.index : 0;
    if (index !== 0) return false;
    if (choice.index !== 0) {
      choice.index = 0;
      this.edited = true;
    }
    const kept = this.#choice.repair(choice) !== null;
    if (this.#choice.edited) this.edited = true;
    return kept;
  }

  /** Usage may sit beside the choices, in a vendor field, or inside a choice. */
  #usage(chunk: JsonObject): void {
    if (isObject(chunk.usage)) return;
    const vendor = isObject(chunk.x_groq) ? chunk.x_groq.usage : undefined;
    const choice = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
    const found = isObject(vendor) ? vendor : isObject(choice) ? choice.usage : undefined;
    if (!isObject(found)) return;
    chunk.usage = found;
    this.edited = true;
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
