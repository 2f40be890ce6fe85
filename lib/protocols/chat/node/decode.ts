import { callMessages } from "@/lib/kernel/error-messages";
import { isObject, type JsonObject, rowOf } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";
import type { ServedTier } from "@/lib/kernel/usage";
import type { DecoderOptions } from "@/lib/protocols/adapters/decoder";
import { CarriedMembers } from "@/lib/protocols/chat/carried-members";
import { fromFinishReason } from "@/lib/protocols/chat/finish-reasons";
import { reasoningText } from "@/lib/protocols/chat/reasoning-fields";
import { textField } from "@/lib/protocols/chat/tool-call-assembler";
import { readChatUsage } from "@/lib/protocols/chat/usage";
import { failureOf } from "@/lib/protocols/failures/failure-body";
import {
  brokenAnswer,
  type FinishReason,
  type GenerationEvent,
  type UpstreamFailure,
} from "@/lib/protocols/generation/events";
import { servedBy } from "@/lib/protocols/generation/served-tier";
import { WireDecoder } from "@/lib/protocols/wire/wire-decoder";
import { type ChunkEnding, ChunkNormalizer, type EndedChoice, type NameCall } from "./chunk-normalizer";
import { Citations, ListedPages } from "./citations";
import { Searches } from "./searches";

/** The state of one choice. */
interface ReadChoice {
  refusal: string;
  /** The slot of a legacy call; -1: none. */
  functionCall: number;
  functionArguments: string;
  slots: number;
  /** The log probabilities of tokens whose text has not arrived yet. */
  logProbabilities: JsonObject[];
  /** Characters of text so far. */
  length: number;
  citations: Citations;
  /** The members that the node requires back with the next turn. */
  carried: CarriedMembers;
}

/** Reads the stream of a chat upstream. Source: docs/protocols.md#s12-2, #s12-4. */
export class ChatDecoder extends WireDecoder {
  readonly #normalizer: ChunkNormalizer;
  readonly #options: DecoderOptions;
  readonly #searches = new Searches();
  readonly #pages = new ListedPages();
  /** The normalised form of the last chunk; null when it is dropped. */
  passed: JsonObject | null = null;
  /** True when the last chunk was changed. */
  edited = false;
  #ended: ChunkEnding | null = null;
  #started = false;
  #served: ServedTier | undefined;
  #stopSequence: string | undefined;
  readonly #choices = new Map<number, ReadChoice>();
  /** The choice that the latest events belong to. */
  #index = 0;

  constructor(options: DecoderOptions, nameCall: NameCall) {
    super("a chunk");
    this.#options = options;
    this.#normalizer = new ChunkNormalizer(options.id, nameCall, options.choices);
  }

  get finishSeen(): boolean {
    return this.#ended !== null || this.#normalizer.hasFinish;
  }

  /** The chunks that remain to be sent when the answer is complete. */
  pendingChunks(): JsonObject[] {
    return this.#ended === null ? [] : [...this.#ended.held, ...this.#ended.last()];
  }

  end(): GenerationEvent[] {
    return this.over ? [] : this.#finish(false);
  }

  /** Handles one chunk as sent; changes it in place. */
  accept(chunk: JsonObject): GenerationEvent[] {
    if (this.over) return [];
    this.passed = null;
    const failure = (mayTellFailure(chunk) ? failureOf(chunk) : null) ?? failureInChoice(chunk);
    if (failure) return this.fail(failure);
    this.#noteStopSequence(chunk);
    this.passed = this.#normalizer.normalise(chunk);
    this.edited = this.#normalizer.edited;
    return this.passed === null ? [] : this.#read(this.passed);
  }

  /** Handles `[DONE]`, or the end of a whole answer. */
  done(): GenerationEvent[] {
    return this.over ? [] : this.#finish(this.#options.finishOptional ?? true);
  }

  #read(chunk: JsonObject): GenerationEvent[] {
    const events: GenerationEvent[] = [];
    for (const choice of Array.isArray(chunk.choices) ? chunk.choices : []) {
      if (!isObject(choice) || !isObject(choice.delta)) continue;
      if (!this.#started) {
        this.#started = true;
        events.push({
          type: "start",
          id: this.#normalizer.id,
          model: typeof chunk.model === "string" ? chunk.model : "",
        });
      }
      const read = this.#switchTo(Number(choice.index), events);
      for (const token of tokensOf(choice.logprobs)) read.logProbabilities.push(token);
      this.#readDelta(choice.delta, read, events);
    }
    this.#searches.read(chunk, events);
    this.#pages.read(chunk);
    this.#readTier(chunk.service_tier, events);
    if (isObject(chunk.usage)) {
      const { usage, warnings } = readChatUsage(chunk.usage);
      events.push({ type: "usage", usage });
      for (const code of warnings) this.warn(code, events);
    }
    return events;
  }

  /** Every chunk names the service tier, and the client may leave before the one with the usage. */
  #readTier(word: unknown, events: GenerationEvent[]): void {
    const { served } = servedBy(word);
    if (served === undefined || served === this.#served) return;
    this.#served = served;
    events.push({ type: "usage", usage: { served } });
  }

  /** Switches to a choice: the next events belong to it. */
  #switchTo(index: number, events: GenerationEvent[]): ReadChoice {
    if (index !== this.#index) events.push({ type: "choice", index });
    this.#index = index;
    const known = this.#choices.get(index);
    if (known) return known;
    const made: ReadChoice = {
      refusal: "",
      functionCall: -1,
      functionArguments: "",
      slots: 0,
      logProbabilities: [],
      length: 0,
      citations: new Citations(),
      carried: new CarriedMembers(),
    };
    this.#choices.set(index, made);
    return made;
  }

  #readDelta(delta: JsonObject, choice: ReadChoice, events: GenerationEvent[]): void {
    const reasoning = reasoningText(delta);
    if (reasoning !== "") events.push({ type: "reasoning", text: reasoning });
    choice.carried.add(delta);
    const text =
      typeof delta.content === "string" && delta.content !== "" ? delta.content : transcript(delta);
    if (text !== "") {
      sealCarried(choice, events);
      choice.length += text.length;
      events.push(textEvent(text, choice));
    } else if (!isEmptyDelta(delta)) choice.logProbabilities = [];
    choice.citations.read(delta, choice.length);
    if (choice.length > 0) choice.citations.release(events);
    for (const image of Array.isArray(delta.images) ? delta.images : []) events.push(pictureOf(image));
    if (isObject(delta.audio) && typeof delta.audio.data === "string")
      events.push({ type: "media", kind: "audio" });
    if (typeof delta.refusal === "string" && delta.refusal !== "") {
      choice.refusal += delta.refusal;
      events.push({ type: "refusal", text: delta.refusal });
    }
    if (Array.isArray(delta.tool_calls))
      for (const entry of delta.tool_calls) this.#readTool(entry, choice, events);
    if (isObject(delta.function_call)) readFunctionCall(delta.function_call, choice, events);
  }

  #readTool(entry: unknown, choice: ReadChoice, events: GenerationEvent[]): void {
    if (!isObject(entry) || typeof entry.index !== "number") return;
    const slot = entry.index;
    const kind = isObject(entry.function) ? "function" : "custom";
    const call = entry[kind];
    if (!isObject(call)) return;
    if (typeof entry.id === "string" && typeof call.name === "string") {
      choice.slots = Math.max(choice.slots, slot + 1);
      choice.carried.call(slot, call.name, entry.extra_content);
      sealCarried(choice, events);
      events.push({ type: "tool_open", slot, id: entry.id, name: call.name, kind });
      this.#searches.called(call.name, events);
    }
    const text = call[textField[kind]];
    if (typeof text === "string" && text !== "") events.push({ type: "tool_args", slot, text });
  }

  #finish(mayImply: boolean): GenerationEvent[] {
    const ended = this.#normalizer.finish(mayImply);
    const failure = this.#endFailure(ended, mayImply);
    if (failure) return this.fail(failure);
    const events = ended.held.flatMap((chunk) => this.#read(chunk));
    this.#ended = ended;
    if (!this.#started) for (const last of ended.last()) events.push(...this.#read(last));
    if (this.#normalizer.guessed) this.warn("tools:guessed", events);
    for (const choice of ended.choices) {
      const read = this.#switchTo(choice.index, events);
      read.citations.releaseAll(this.#pages, read.length, events);
      this.#closeChoice(read, events);
      if (choice.implied) this.warn("finish:missing", events);
      if (choice.ending?.unknown) this.warn("finish:unknown", events);
      events.push(this.#finishEvent(choice));
    }
    this.#searches.end(events);
    events.push({ type: "end" });
    this.over = true;
    return events;
  }

  #closeChoice(choice: ReadChoice, events: GenerationEvent[]): void {
    const { functionCall, functionArguments, slots } = choice;
    if (functionCall !== -1 && functionArguments === "")
      events.push({ type: "tool_args", slot: functionCall, text: "{}" });
    for (let slot = 0; slot < slots; slot += 1) events.push({ type: "tool_close", slot });
    sealCarried(choice, events);
  }

  #finishEvent({ index, ending }: EndedChoice): GenerationEvent {
    const native = ending?.native ?? "stop";
    const event: GenerationEvent = { type: "finish", reason: this.#reason(index, native), native };
    if (this.#stopSequence !== undefined) event.stopSequence = this.#stopSequence;
    const refusal = this.#choices.get(index)?.refusal ?? "";
    if (refusal !== "") event.explanation = refusal;
    return event;
  }

  #reason(index: number, native: string): FinishReason {
    const reason = rowOf(fromFinishReason, native.toLowerCase()) ?? "end";
    if (reason === "length" || reason === "refusal") return reason;
    const choice = this.#choices.get(index);
    if (choice !== undefined && choice.refusal !== "") return "refusal";
    return choice !== undefined && choice.slots > 0 ? "tool_use" : "end";
  }

  #endFailure(ended: ChunkEnding, mayImply: boolean): UpstreamFailure | null {
    const few = !mayImply && ended.choices.length < (this.#options.choices ?? 1);
    if (few || ended.choices.some(({ ending }) => ending === null)) {
      return brokenAnswer(this.#started ? callMessages.streamBroke : callMessages.empty);
    }
    for (const choice of ended.choices) {
      const failure = this.#choiceFailure(choice);
      if (failure) return failure;
    }
    return null;
  }

  #choiceFailure({ index, ending, unnamed, toolArguments }: EndedChoice): UpstreamFailure | null {
    if (ending === null) return null;
    if (ending.failed) return brokenAnswer(`The upstream stopped with ${ending.native}`);
    if (unnamed) return brokenAnswer("The upstream sent a tool call without a name");
    if (!this.#options.jsonToolArguments || this.#reason(index, ending.native) === "length") return null;
    const choice = this.#choices.get(index);
    const called = choice !== undefined && choice.functionCall !== -1;
    const all = called ? [...toolArguments, choice.functionArguments || "{}"] : toolArguments;
    return all.every(isJsonObject)
      ? null
      : brokenAnswer("The upstream sent tool arguments that are not a JSON object");
  }

  /** Some servers report the matched stop sequence inside the choice. Source: docs/protocols.md#s10. */
  #noteStopSequence(chunk: JsonObject): void {
    const choice = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
    if (isObject(choice) && typeof choice.stop_reason === "string") this.#stopSequence = choice.stop_reason;
  }
}

/** True for a delta without tokens of its own: its log probabilities belong to the text that follows. */
function isEmptyDelta({
  reasoning_content: thoughts,
  reasoning,
  refusal,
  tool_calls: calls,
}: JsonObject): boolean {
  return !thoughts && !reasoning && !refusal && calls == null;
}

/** The log probabilities of a choice's tokens. */
function tokensOf(logprobs: unknown): JsonObject[] {
  return isObject(logprobs) && Array.isArray(logprobs.content) ? logprobs.content.filter(isObject) : [];
}

function pictureOf(image: unknown): GenerationEvent {
  const place = isObject(image) && isObject(image.image_url) ? image.image_url.url : null;
  const base64 = typeof place === "string" ? pictureData.exec(place)?.[1] : undefined;
  return base64 === undefined ? { type: "media", kind: "images" } : { type: "media", kind: "images", base64 };
}

const pictureData = /^data:image\/[\w.+-]+;base64,(.+)$/s;

function textEvent(text: string, choice: ReadChoice): GenerationEvent {
  const { logProbabilities } = choice;
  if (logProbabilities.length === 0) return { type: "text", text };
  choice.logProbabilities = [];
  return { type: "text", text, logProbabilities };
}

function readFunctionCall(call: JsonObject, choice: ReadChoice, events: GenerationEvent[]): void {
  if (choice.functionCall === -1 && typeof call.name === "string" && call.name !== "") {
    choice.functionCall = choice.slots;
    choice.slots += 1;
    events.push({ type: "tool_open", slot: choice.functionCall, id: "", name: call.name, kind: "function" });
  }
  if (choice.functionCall === -1 || typeof call.arguments !== "string" || call.arguments === "") return;
  choice.functionArguments += call.arguments;
  events.push({ type: "tool_args", slot: choice.functionCall, text: call.arguments });
}

/** False for the usual chunk, which has none of the members that `failureOf` reads. */
function mayTellFailure({ object, error, errors, type }: JsonObject): boolean {
  return (
    object !== "chat.completion.chunk" || error !== undefined || errors !== undefined || type !== undefined
  );
}

/** Some routers report a node's failure inside the choice. */
function failureInChoice({ choices }: JsonObject): UpstreamFailure | null {
  if (!Array.isArray(choices)) return null;
  for (const choice of choices) {
    if (isObject(choice) && choice.error) return failureOf({ error: choice.error });
  }
  return null;
}

/**
 * Emits the collected members as an envelope of the reasoning before the next content. Source: docs/protocols.md#s8-5.
 */
function sealCarried({ carried }: ReadChoice, events: GenerationEvent[]): void {
  const data = carried.take();
  if (data !== null) events.push({ type: "reasoning_opaque", data, id: "" });
}

function transcript(delta: JsonObject): string {
  return isObject(delta.audio) && typeof delta.audio.transcript === "string" ? delta.audio.transcript : "";
}

function isJsonObject(json: string): boolean {
  return isObject(parseJson(json));
}
