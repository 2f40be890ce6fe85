import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { Edits } from "@/lib/protocols/chat/tool-call-assembler";
import { sumOfChoices } from "@/lib/protocols/chat/usage";
import { type ChoiceEnding, ChoiceNormalizer } from "./choice-normalizer";

const noise: ReadonlySet<string> = new Set([
  "prompt_filter_results",
  "content_filter_results",
  "obfuscation",
  "provider",
]);

/** Makes the id of a call without one, by its slot in the answer. */
export type NameCall = (answerId: string, slot: number) => string;

/** The end of a chat node's stream. */
export interface ChunkEnding {
  /** Chunks with the held rest of tool calls. */
  held: JsonObject[];
  /** The chunks that end the choices; they are sent after the held ones. */
  last(): JsonObject[];
  /** The choices that have begun, by their index; the first one is always included. */
  choices: EndedChoice[];
}

/** One choice of a complete answer. */
export interface EndedChoice {
  index: number;
  /** The end of the choice; null when the node sent no finish reason and none may be derived. */
  ending: ChoiceEnding | null;
  /** The node sent no finish reason. */
  implied: boolean;
  /** The arguments of its function calls. */
  toolArguments: string[];
  /** True when a call has no name. */
  unnamed: boolean;
}

/**
 * Normalises a chat node's output for all clients, in place: the chunks of a stream, or a whole answer. Decoder and
 * passthrough work on the result. The finish reasons of a stream are held until the end, when it is known which ones
 * count. Choices beyond the requested number are dropped.
 * Source: docs/protocols.md#s12-2, #s6-1, docs/contract.md#b4.
 */
export class ChunkNormalizer {
  id = "";
  readonly #edits = new Edits();
  readonly #asked: number;
  readonly #choices = new Map<number, ChoiceNormalizer>();
  #finished = 0;
  readonly #fallbackId: string;
  readonly #nameCall: NameCall;
  readonly #usageOfChoice = new Map<number, JsonObject>();
  #head: JsonObject = {};

  /** `asked`: the number of choices in the request. */
  constructor(fallbackId: string, nameCall: NameCall, asked = 1) {
    this.#fallbackId = fallbackId;
    this.#nameCall = nameCall;
    this.#asked = asked;
    this.#choice(0);
  }

  /** True when the last chunk or body was changed; its model name does not count. */
  get edited(): boolean {
    return this.#edits.made;
  }

  /** True once every requested choice has its finish reason. */
  get hasFinish(): boolean {
    return this.#finished === this.#asked;
  }

  /** True when tool deltas without id and index were assigned to the current call. */
  get guessed(): boolean {
    return [...this.#choices.values()].some((choice) => choice.tools.guessed);
  }

  /** Normalises a chunk of a stream in place. Returns it, or null when nothing of it remains to be sent. */
  normalise(chunk: JsonObject): JsonObject | null {
    this.#edits.made = false;
    this.#liftUsage(chunk, this.#usageInChoices(chunk));
    this.#normaliseHead(chunk);
    const choices = Array.isArray(chunk.choices) ? chunk.choices : [];
    const kept = choices.filter((choice) => this.#keep(choice));
    if (kept.length > 0) this.#head = chunk;
    if (kept.length === 0 && !isObject(chunk.usage)) return null;
    if (!Array.isArray(chunk.choices) || kept.length !== choices.length)
      this.#edits.set(chunk, "choices", kept);
    return chunk;
  }

  /** Normalises a whole answer in place. */
  normaliseBody(body: JsonObject): void {
    this.#liftUsage(body, undefined);
    this.#normaliseHead(body);
    const choices = Array.isArray(body.choices) ? body.choices : [];
    const kept = choices.filter(isObject).slice(0, this.#asked);
    if (kept.length === 0) return;
    if (kept.length < choices.length) this.#edits.set(body, "choices", kept);
    const indexes = new Set(kept.map(({ index }) => index));
    const numbered = indexes.size === kept.length && kept.every((_, place) => indexes.has(place));
    for (const [place, choice] of kept.entries()) {
      if (!numbered) this.#edits.set(choice, "index", place);
      this.#choice(place).normaliseMessage(choice);
    }
  }

  /** Ends the stream. `mayImply`: a missing finish reason may be derived from the sent content. */
  finish(mayImply: boolean): ChunkEnding {
    const held: JsonObject[] = [];
    const choices: EndedChoice[] = [];
    const ends: JsonObject[] = [];
    for (const [index, choice] of [...this.#choices].sort(([a], [b]) => a - b)) {
      let ending = choice.ending();
      const implied = ending === null && mayImply && choice.hasContent;
      if (implied) ending = choice.impliedEnding();
      const deltas = choice.tools.close();
      if (deltas.length > 0)
        held.push(this.#chunk({ index, delta: { tool_calls: deltas }, finish_reason: null }));
      if (ending) ends.push({ ...choice.finishChoice, index, delta: {}, finish_reason: ending.word });
      const { calls } = choice.tools;
      const functions = calls.filter(({ kind }) => kind === "function");
      const toolArguments = functions.map((call) => call.arguments);
      choices.push({ index, ending, implied, toolArguments, unnamed: calls.some(({ name }) => name === "") });
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
    if (choice.index !== index) this.#edits.set(choice, "index", index);
    const normalizer = this.#choice(index);
    const wasOpen = normalizer.native === null;
    const kept = normalizer.normaliseDelta(choice);
    if (wasOpen && normalizer.native !== null) this.#finished += 1;
    return kept;
  }

  /** The place of a choice among the requested ones; null for others. */
  #indexOf({ index }: JsonObject): number | null {
    if (typeof index !== "number") return 0;
    return Number.isInteger(index) && index >= 0 && index < this.#asked ? index : null;
  }

  #choice(index: number): ChoiceNormalizer {
    const known = this.#choices.get(index);
    if (known) return known;
    const made = new ChoiceNormalizer(this.#edits, (slot) => {
      const seed = this.id || this.#fallbackId;
      return this.#nameCall(index === 0 ? seed : `${seed}.${index}`, slot);
    });
    this.#choices.set(index, made);
    return made;
  }

  /** Usage may be beside the choices, in a vendor field, or inside a choice. */
  #liftUsage(target: JsonObject, inChoices: JsonObject | undefined): void {
    if (isObject(target.usage)) return;
    const vendor = isObject(target.x_groq) ? target.x_groq.usage : undefined;
    const found = isObject(vendor) ? vendor : inChoices;
    if (found) this.#edits.set(target, "usage", found);
  }

  /** Usage inside a choice counts that choice only; the prompt is the same for all. */
  #usageInChoices({ usage, choices }: JsonObject): JsonObject | undefined {
    if (isObject(usage) || !Array.isArray(choices)) return undefined;
    let found = false;
    for (const choice of choices) {
      const index = isObject(choice) && isObject(choice.usage) ? this.#indexOf(choice) : null;
      if (index === null) continue;
      found = true;
      this.#usageOfChoice.set(index, choice.usage);
    }
    return found ? sumOfChoices([...this.#usageOfChoice.values()]) : undefined;
  }

  /** Removes fields that only the vendor's own tools read, and gives every chunk the same id. */
  #normaliseHead(target: JsonObject): void {
    for (const key in target) if (noise.has(key) || key.startsWith("x_")) this.#edits.drop(target, key);
    if (this.id === "") {
      if (typeof target.id === "string" && target.id !== "") this.id = target.id;
      else if (Array.isArray(target.choices) && target.choices.length > 0) this.id = this.#fallbackId;
    }
    if (this.id !== "" && target.id !== this.id) this.#edits.set(target, "id", this.id);
  }
}
