import { callMessages } from "@/lib/kernel/error-messages";
import { isObject, type JsonObject, rowOf } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";
import type { DecoderOptions } from "@/lib/protocols/adapters/decoder";
import { failureOf, isFailureName } from "@/lib/protocols/failures/failure-body";
import {
  brokenAnswer,
  type FinishReason,
  type GenerationEvent,
  type UpstreamFailure,
} from "@/lib/protocols/generation/events";
import { servedBy } from "@/lib/protocols/generation/served-tier";
import { readResponsesUsage } from "@/lib/protocols/responses/usage";
import { WireDecoder } from "@/lib/protocols/wire/wire-decoder";
import { emptyAnswer, OutputItem, type PartKind } from "./output-item";

/** The text events: the kind of the text, and the fields of its index and of the text. */
const textEvents: Readonly<Record<string, { kind: PartKind; index: string; field: string }>> = {
  "response.output_text.delta": { kind: "text", index: "content_index", field: "delta" },
  "response.output_text.done": { kind: "text", index: "content_index", field: "text" },
  "response.refusal.delta": { kind: "refusal", index: "content_index", field: "delta" },
  "response.refusal.done": { kind: "refusal", index: "content_index", field: "refusal" },
  "response.reasoning_summary_text.delta": { kind: "summary", index: "summary_index", field: "delta" },
  "response.reasoning_summary_text.done": { kind: "summary", index: "summary_index", field: "text" },
  "response.reasoning_text.delta": { kind: "reasoning", index: "content_index", field: "delta" },
  "response.reasoning_text.done": { kind: "reasoning", index: "content_index", field: "text" },
};

/** An index in the output, or an id. */
type Key = number | string;

/**
 * Reads the stream of a Responses node. Items are identified by their place in the output, because some servers change
 * ids from event to event, and omit events. Source: docs/responses.md#s3-1.
 */
export class ResponsesDecoder extends WireDecoder {
  readonly #options: DecoderOptions;
  readonly #answer = emptyAnswer();
  readonly #items = new Map<Key, OutputItem>();
  /** The items whose place is known. */
  readonly #placed = new Set<OutputItem>();
  /** All items, in the order of arrival. */
  readonly #all: OutputItem[] = [];
  /** The item of the latest event. */
  #latest: OutputItem | null = null;
  /** The events of the current payload. */
  #events: GenerationEvent[] = [];
  #started = false;
  /** The ids of the received items. */
  readonly #ids = new Set<unknown>();

  constructor(options: DecoderOptions) {
    super("an event");
    this.#options = options;
  }

  /** True after the terminal event; nothing follows it. */
  get finishSeen(): boolean {
    return this.over;
  }

  /** Handles `[DONE]`, which can only follow the terminal event. */
  done(): GenerationEvent[] {
    return this.end();
  }

  end(): GenerationEvent[] {
    if (this.over) return [];
    return this.fail(brokenAnswer(this.#started ? callMessages.streamBroke : callMessages.empty));
  }

  /** Handles one payload. Unknown types of events and items give no text. */
  accept(payload: JsonObject, event: string | null = null): GenerationEvent[] {
    if (this.over) return [];
    this.#events = [];
    const type = typeof payload.type === "string" ? payload.type : (event ?? "");
    const text = rowOf(textEvents, type);
    if (text === undefined) this.#take(type, payload);
    else if (text.field === "delta")
      this.#item(payload).delta(text.kind, payload[text.index], payload.delta, payload.logprobs);
    else this.#item(payload).whole(text.kind, payload[text.index], payload[text.field], payload.logprobs);
    return this.#events;
  }

  /** Names of events about single calls match too, without a failure of the answer. */
  protected override isFailure(event: string): boolean {
    return isFailureName(event) && !event.startsWith("response.");
  }

  #take(type: string, payload: JsonObject): void {
    switch (type) {
      case "response.created":
      case "response.queued":
      case "response.in_progress":
        this.#start(payload.response);
        return;
      case "response.output_item.added":
        if (isObject(payload.item)) this.#added(payload, payload.item).add(payload.item);
        return;
      case "response.output_item.done":
        if (isObject(payload.item)) this.#ended(payload, payload.item).end(payload.item);
        return;
      case "response.content_part.done":
        this.#item(payload).part(payload.content_index, payload.part);
        return;
      case "response.reasoning_summary_part.done":
        this.#item(payload).part(payload.summary_index, payload.part);
        return;
      case "response.output_text.annotation.added":
        this.#item(payload).annotation(payload.content_index, payload.annotation);
        return;
      case "response.function_call_arguments.delta":
      case "response.custom_tool_call_input.delta":
        this.#item(payload).inputDelta(payload.delta);
        return;
      case "response.function_call_arguments.done":
        this.#item(payload).wholeInput(payload.arguments);
        return;
      case "response.custom_tool_call_input.done":
        this.#item(payload).wholeInput(payload.input);
        return;
      case "response.completed":
      case "response.incomplete":
      case "response.done":
        this.#end(isObject(payload.response) ? payload.response : {}, type);
        return;
      case "response.failed":
      case "response.cancelled":
        this.#fail(failureOfResponse(payload.response));
        return;
      case "keepalive":
        this.#events.push({ type: "ping" });
        return;
      default:
        this.#other(type, payload);
    }
  }

  #other(type: string, payload: JsonObject): void {
    const failure = type.startsWith("response.") ? null : failureOf({ ...payload, type });
    if (failure) this.#fail(failure);
  }

  #fail(failure: UpstreamFailure): void {
    this.#events.push(...this.fail(failure));
  }

  #start(response: unknown): void {
    if (this.#started) return;
    this.#started = true;
    const { id, model } = isObject(response) ? response : {};
    this.#events.push({
      type: "start",
      id: typeof id === "string" && id !== "" ? id : this.#options.id,
      model: typeof model === "string" ? model : "",
    });
  }

  /** The item of an event: by its place, else by its id, else the latest one. */
  #item(payload: JsonObject, item: JsonObject = {}): OutputItem {
    const keys = keysOf(payload, item);
    const known = keys.length === 0 ? this.#latest : this.#known(keys);
    return this.#use(known ?? this.#make(), keys, payload, item);
  }

  /** The item that begins: a new one for an unknown key, for that of a complete item, or without a key. */
  #added(payload: JsonObject, item: JsonObject): OutputItem {
    const keys = keysOf(payload, item);
    const known = this.#known(keys);
    return this.#use(known === undefined || known.done ? this.#make() : known, keys, payload, item);
  }

  /** The item that ends: a new one if the event has no key and the latest item has ended. */
  #ended(payload: JsonObject, item: JsonObject): OutputItem {
    if (keysOf(payload, item).length === 0 && this.#latest?.done === true) return this.#added(payload, item);
    return this.#item(payload, item);
  }

  /** The known item of a place or id. If the keys have a place, an item of another place does not match by its id. */
  #known(keys: readonly Key[]): OutputItem | undefined {
    const isPlaced = typeof keys[0] === "number";
    for (const key of keys) {
      const known = this.#items.get(key);
      if (known !== undefined && (key === keys[0] || !isPlaced || !this.#placed.has(known))) return known;
    }
    return undefined;
  }

  #use(
    used: OutputItem,
    keys: readonly Key[],
    { item_id: itemId }: JsonObject,
    item: JsonObject,
  ): OutputItem {
    this.#start(null);
    const id = item.id ?? itemId;
    if (typeof id === "string") this.#ids.add(id);
    // The place distinguishes items with the same id.
    for (const key of keys)
      if (typeof key === "number" || this.#items.get(key)?.done !== false) this.#items.set(key, used);
    if (typeof keys[0] === "number") this.#placed.add(used);
    this.#latest = used;
    used.events = this.#events;
    return used;
  }

  #make(): OutputItem {
    const made = new OutputItem(this.#answer, this.#events);
    this.#all.push(made);
    return made;
  }

  #end(response: JsonObject, type: string): void {
    if (response.status === "failed" || response.status === "cancelled") {
      this.#fail(failureOfResponse(response));
      return;
    }
    this.#start(response);
    this.#readMissed(response.output);
    this.#readToolUsage(response.tool_usage);
    for (const item of this.#all) {
      item.events = this.#events;
      item.close();
    }
    if (isObject(response.usage)) this.#readUsage(response.usage, response.service_tier);
    const finish = this.#finish(response, type);
    const failure = this.#endFailure(finish.reason);
    if (failure) this.#fail(failure);
    else {
      this.#events.push(finish, { type: "end" });
      this.over = true;
    }
  }

  /** Reads items of the terminal event that no event before it contained. */
  #readMissed(output: unknown): void {
    if (!Array.isArray(output)) return;
    const received = new Set(this.#ids);
    output.forEach((item: unknown, place) => {
      if (!isObject(item)) return;
      const open = this.#items.get(place);
      if (open?.done === true) this.#item({ output_index: place }).seal(item.encrypted_content, item.id);
      if (open?.isOther === true && !open.done) this.#item({ output_index: place }, item).end(item);
      if (open !== undefined || received.has(item.id)) return;
      if (place >= this.#all.length) this.#item({ output_index: place }, item).end(item);
    });
  }

  /** Pictures that only the usage of their model reports count as one call. Source: docs/responses.md#s3-6. */
  #readToolUsage(usage: unknown): void {
    const images = isObject(usage) && isObject(usage.image_gen) ? Number(usage.image_gen.output_tokens) : 0;
    if (images > 0 && this.#answer.images === 0)
      this.#events.push({ type: "hosted_call", tool: "imageGeneration" });
  }

  #readUsage(raw: JsonObject, tier: unknown): void {
    const { usage, warnings } = readResponsesUsage(raw);
    this.#events.push({ type: "usage", usage: { ...usage, ...servedBy(tier) } });
    for (const code of warnings) this.warn(code, this.#events);
  }

  #finish(response: JsonObject, type: string): Extract<GenerationEvent, { type: "finish" }> {
    const { refusal } = this.#answer;
    const reason = this.#reason(response, type);
    const { incomplete_details: details } = response;
    const told = isObject(details) && typeof details.reason === "string" ? details.reason : response.status;
    const native = typeof told === "string" ? told : "completed";
    if (refusal === "") return { type: "finish", reason, native };
    return { type: "finish", reason, native, explanation: refusal };
  }

  #reason({ status, incomplete_details: details }: JsonObject, type: string): FinishReason {
    if (status === "incomplete" || type === "response.incomplete") {
      const why = isObject(details) ? details.reason : null;
      if (why === "content_filter") return "refusal";
      if (why !== "max_output_tokens") this.warn("finish:unknown", this.#events);
      return "length";
    }
    if (this.#answer.refusal !== "") return "refusal";
    return this.#answer.slots > 0 ? "tool_use" : "end";
  }

  #endFailure(reason: FinishReason): UpstreamFailure | null {
    const { unnamed, arguments: all } = this.#answer;
    if (unnamed) return brokenAnswer("The upstream sent a tool call without a name");
    if (this.#options.jsonToolArguments !== true || reason === "length") return null;
    return all.every((json) => isObject(parseJson(json)))
      ? null
      : brokenAnswer("The upstream sent tool arguments that are not a JSON object");
  }
}

/** The keys of an item: its place, and its id. */
function keysOf({ output_index: place, item_id: itemId }: JsonObject, { id }: JsonObject): Key[] {
  const keys: Key[] = typeof place === "number" ? [place] : [];
  const name = [itemId, id].find((one) => typeof one === "string" && one !== "");
  return typeof name === "string" ? [...keys, name] : keys;
}

/** The failure of a response with the `status` failed or cancelled. */
function failureOfResponse(response: unknown): UpstreamFailure {
  const { error } = isObject(response) ? response : {};
  return failureOf({ error }) ?? brokenAnswer("The upstream did not finish its answer");
}
