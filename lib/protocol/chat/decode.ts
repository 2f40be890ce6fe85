import type { AnswerDecoder, DecodeOptions } from "../decoder";
import type { FinishReason, GenerationEvent, UpstreamFailure } from "../events";
import { failureOf } from "../failure-body";
import { fromFinishReason } from "../finish";
import { InputJson } from "../input-json";
import { parsePayloads } from "../payload";
import { isObject, type JsonObject } from "../protocol";
import { brokenAnswer } from "../protocol-error";
import type { SseFrame } from "../sse";
import { reasoningDetails, reasoningText } from "./content";
import { type ChunkEnding, ChunkRepair } from "./normalise";
import { readChatUsage } from "./usage";

/** Reads the stream of a chat upstream. Source: protocol 12.2, 12.4. */
export class ChatDecoder implements AnswerDecoder {
  readonly #repair: ChunkRepair;
  readonly #options: DecodeOptions;
  /** The repaired form of the chunk accepted last; null when nothing of it is left. */
  passed: JsonObject | null = null;
  /** True when the chunk accepted last had to be changed. */
  edited = false;
  #ended: ChunkEnding | null = null;
  #started = false;
  #over = false;
  #refusal = "";
  #stopSequence: string | undefined;
  #functionCall = -1;
  #functionArguments = "";
  #slots = 0;
  readonly #inputs = new Map<number, InputJson>();
  readonly #warned = new Set<string>();

  constructor(options: DecodeOptions) {
    this.#options = options;
    this.#repair = new ChunkRepair(options.id);
  }

  get finishSeen(): boolean {
    return this.#repair.hasFinish;
  }

  /** Chunks that a client is still owed when the answer has ended well. */
  owed(): JsonObject[] {
    const last = this.#ended?.last() ?? null;
    return [...(this.#ended?.held ?? []), ...(last === null ? [] : [last])];
  }

  push(frame: SseFrame): GenerationEvent[] {
    const data = frame.data.trim();
    if (this.#over || data === "") return [];
    if (data === "[DONE]") return this.done();
    try {
      const chunks = parsePayloads(data);
      const only = chunks[0];
      return chunks.length === 1 && only ? this.accept(only) : chunks.flatMap((chunk) => this.accept(chunk));
    } catch {
      return this.#fail(brokenAnswer("The upstream sent a chunk that is not JSON"));
    }
  }

  end(): GenerationEvent[] {
    return this.#over ? [] : this.#finish(false);
  }

  /** Takes one chunk as sent; changes it in place. */
  accept(chunk: JsonObject): GenerationEvent[] {
    if (this.#over) return [];
    this.passed = null;
    const failure = failureOf(chunk);
    if (failure) return this.#fail(failure);
    this.#noteStopSequence(chunk);
    this.passed = this.#repair.push(chunk);
    this.edited = this.#repair.edited;
    return this.passed === null ? [] : this.#read(this.passed);
  }

  /** Takes `[DONE]`, or the end of a whole answer. */
  done(): GenerationEvent[] {
    return this.#over ? [] : this.#finish(this.#options.finishOptional ?? true);
  }

  #read(chunk: JsonObject): GenerationEvent[] {
    const events: GenerationEvent[] = [];
    const choice = Array.isArray(chunk.choices) ? chunk.choices.find(isFirstChoice) : undefined;
    if (choice && isObject(choice.delta)) {
      if (!this.#started) {
        this.#started = true;
        events.push({
          type: "start",
          id: this.#repair.id,
          model: typeof chunk.model === "string" ? chunk.model : "",
        });
      }
      this.#readDelta(choice.delta, events);
    }
    if (isObject(chunk.usage)) {
      const { usage, warnings } = readChatUsage(chunk.usage);
      events.push({ type: "usage", usage });
      for (const code of warnings) this.#warn(code, events);
    }
    return events;
  }

  #readDelta(delta: JsonObject, events: GenerationEvent[]): void {
    const reasoning = reasoningText(delta);
    if (reasoning !== "") events.push({ type: "reasoning", text: reasoning });
    for (const detail of reasoningDetails(delta)) {
      if (typeof detail.data === "string" && detail.data !== "")
        events.push({ type: "reasoning_opaque", data: detail.data });
    }
    const text =
      typeof delta.content === "string" && delta.content !== "" ? delta.content : transcript(delta);
    if (text !== "") events.push({ type: "text", text });
    if (typeof delta.refusal === "string" && delta.refusal !== "") {
      this.#refusal += delta.refusal;
      events.push({ type: "refusal", text: delta.refusal });
    }
    if (Array.isArray(delta.tool_calls)) for (const entry of delta.tool_calls) this.#readTool(entry, events);
    if (isObject(delta.function_call)) this.#readFunctionCall(delta.function_call, events);
  }

  #readTool(entry: unknown, events: GenerationEvent[]): void {
    if (!isObject(entry) || typeof entry.index !== "number") return;
    const slot = entry.index;
    const call = isObject(entry.function) ? entry.function : entry.custom;
    if (!isObject(call)) return;
    if (typeof entry.id === "string" && typeof call.name === "string") {
      this.#slots = Math.max(this.#slots, slot + 1);
      events.push({ type: "tool_open", slot, id: entry.id, name: call.name });
      if (call === entry.custom) this.#openInput(slot, events);
    }
    const input = this.#inputs.get(slot);
    const text = input === undefined ? call.arguments : call.input;
    if (typeof text !== "string" || text === "") return;
    const json = input === undefined ? text : input.push(text);
    if (json !== "") events.push({ type: "tool_args", slot, json });
  }

  /** A custom tool's input is any text; as arguments it is the one field of an object. Source: contract B16. */
  #openInput(slot: number, events: GenerationEvent[]): void {
    this.#inputs.set(slot, new InputJson());
    if (this.#options.clientProtocol === "messages") this.#warn("changed:custom_tool_call", events);
  }

  #readFunctionCall(call: JsonObject, events: GenerationEvent[]): void {
    if (this.#functionCall === -1 && typeof call.name === "string" && call.name !== "") {
      this.#functionCall = this.#slots;
      this.#slots += 1;
      events.push({ type: "tool_open", slot: this.#functionCall, id: "", name: call.name });
    }
    if (this.#functionCall === -1 || typeof call.arguments !== "string" || call.arguments === "") return;
    this.#functionArguments += call.arguments;
    events.push({ type: "tool_args", slot: this.#functionCall, json: call.arguments });
  }

  #finish(mayImply: boolean): GenerationEvent[] {
    const hadFinish = this.#repair.hasFinish;
    const ended = this.#repair.finish(mayImply);
    const failure = this.#endFailure(ended);
    if (failure) return this.#fail(failure);
    const events = ended.held.flatMap((chunk) => this.#read(chunk));
    this.#ended = ended;
    const last = this.#started ? null : ended.last();
    if (last) events.push(...this.#read(last));
    if (this.#functionCall !== -1 && this.#functionArguments === "") {
      events.push({ type: "tool_args", slot: this.#functionCall, json: "{}" });
    }
    for (const [slot, input] of this.#inputs) events.push({ type: "tool_args", slot, json: input.close() });
    for (let slot = 0; slot < this.#slots; slot += 1) events.push({ type: "tool_close", slot });
    if (!hadFinish) this.#warn("finish:missing", events);
    if (ended.ending?.unknown) this.#warn("finish:unknown", events);
    if (this.#repair.guessed) this.#warn("tools:guessed", events);
    events.push(this.#finishEvent(ended), { type: "end" });
    this.#over = true;
    return events;
  }

  #finishEvent(ended: ChunkEnding): GenerationEvent {
    const native = ended.ending?.native ?? "stop";
    const event: GenerationEvent = { type: "finish", reason: this.#reason(native), native };
    if (this.#stopSequence !== undefined) event.stopSequence = this.#stopSequence;
    if (this.#refusal !== "") event.explanation = this.#refusal;
    return event;
  }

  #reason(native: string): FinishReason {
    const reason = fromFinishReason[native.toLowerCase()] ?? "end";
    if (reason === "length" || reason === "refusal") return reason;
    if (this.#refusal !== "") return "refusal";
    return this.#slots > 0 ? "tool_use" : "end";
  }

  #endFailure(ended: ChunkEnding): UpstreamFailure | null {
    if (ended.ending === null) {
      return brokenAnswer(
        this.#started ? "The upstream's stream broke off" : "The upstream's answer was empty",
      );
    }
    if (ended.ending.failed) return brokenAnswer(`The upstream stopped with ${ended.ending.native}`);
    if (ended.unnamed) return brokenAnswer("The upstream sent a tool call without a name");
    if (this.#options.clientProtocol !== "messages" || this.#reason(ended.ending.native) === "length")
      return null;
    const all =
      this.#functionCall === -1
        ? ended.toolArguments
        : [...ended.toolArguments, this.#functionArguments || "{}"];
    return all.every(isJsonObject)
      ? null
      : brokenAnswer("The upstream sent tool arguments that are not a JSON object");
  }

  #fail(failure: UpstreamFailure): GenerationEvent[] {
    this.#over = true;
    return [{ type: "error", failure }];
  }

  #warn(code: string, events: GenerationEvent[]): void {
    if (this.#warned.has(code)) return;
    this.#warned.add(code);
    events.push({ type: "warning", code });
  }

  /** Some servers tell in the choice which stop sequence was met. Source: protocol 10. */
  #noteStopSequence(chunk: JsonObject): void {
    const choice = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
    if (isObject(choice) && typeof choice.stop_reason === "string") this.#stopSequence = choice.stop_reason;
  }
}

function isFirstChoice(choice: unknown): choice is JsonObject {
  return isObject(choice) && choice.index === 0;
}

function transcript(delta: JsonObject): string {
  return isObject(delta.audio) && typeof delta.audio.transcript === "string" ? delta.audio.transcript : "";
}

function isJsonObject(json: string): boolean {
  try {
    return isObject(JSON.parse(json));
  } catch {
    return false;
  }
}
