import { printJson } from "@/lib/kernel/exact-json";
import { isObject, type JsonObject, rowOf } from "@/lib/kernel/json-object";
import type { Passed, Passthrough, PassthroughOptions } from "@/lib/protocols/adapters/passthrough";
import { framedFailure, isFailureName } from "@/lib/protocols/failures/failure-body";
import { count, isReported } from "@/lib/protocols/generation/counts";
import { brokenAnswer, type GenerationEvent, type PartialUsage } from "@/lib/protocols/generation/events";
import { isAnswerEvent, MessagesDecoder } from "@/lib/protocols/messages/node/decode";
import { writeMessagesUsage } from "@/lib/protocols/messages/usage";
import { DeltaFastPath } from "@/lib/protocols/sse/delta-fast-path";
import { parsePayloads, splitPayloads } from "@/lib/protocols/sse/payloads";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";
import { turnNameBack } from "./pass-whole";

const nothing: Passed = { wire: "", events: [] };

/** The most characters that are held together with the end of a block. */
const MAX_HELD_CHARACTERS = 64 * 1024;

/** Event names whose data must be JSON. */
const known: ReadonlySet<string | null> = new Set([
  null,
  "message_start",
  "message_delta",
  "message_stop",
  "content_block_start",
  "content_block_delta",
  "content_block_stop",
  "error",
]);

const COUNTS = [
  "input_tokens",
  "output_tokens",
  "cache_creation_input_tokens",
  "cache_read_input_tokens",
] as const;

/** The streamed field of each delta type. */
const deltaField: Readonly<Record<string, string>> = {
  text_delta: "text",
  thinking_delta: "thinking",
  input_json_delta: "partial_json",
};

interface HeldEvent {
  event: string | null;
  payload: JsonObject;
  data: string;
}

/** Passes messages events on, byte for byte except the model name. Source: docs/protocols.md#s6-2. */
export class MessagesPassthrough implements Passthrough {
  readonly losses: readonly string[] = [];
  readonly #options: PassthroughOptions;
  readonly #decoder: MessagesDecoder;
  #fastPath: DeltaFastPath | null = null;
  #event: GenerationEvent | null = null;
  #started = false;
  #over = false;
  #failed = false;
  /** The counts so far. */
  #usage: PartialUsage = {};
  /** The last delta and the stop, held until the counts are known and the request is settled. */
  #lastDelta: HeldEvent | null = null;
  #stop = "";
  /**
   * The end of the possibly last block, and the frames after it. They are held, because they show clients that the
   * answer is complete.
   */
  #blockEnd = "";

  constructor(options: PassthroughOptions) {
    this.#options = options;
    this.#decoder = new MessagesDecoder({ id: options.id });
  }

  push(frame: SseFrame): Passed {
    if (this.#over) return nothing;
    if (this.#fastPath && this.#event && frame.event === "content_block_delta") {
      const wire = this.#fastPath.match(frame.data);
      if (wire !== null)
        return { wire: this.#released() + wire, events: [withText(this.#event, this.#fastPath.text)] };
    }
    const data = frame.data.trim();
    if (data === "" || data === "[DONE]") return nothing;
    if (isFailureName(frame.event)) {
      return { wire: "", events: this.#watch([{ type: "error", failure: framedFailure(data) }]) };
    }
    return this.#parsed(frame, data);
  }

  finish(): Passed {
    return this.#over ? nothing : { wire: "", events: this.#watch(this.#decoder.end()) };
  }

  end(usage?: PartialUsage): string {
    const delta = this.#lastDelta === null ? "" : endingWire(this.#lastDelta, usage);
    return this.#released() + delta + this.#stop;
  }

  get finishSeen(): boolean {
    return this.#decoder.finishSeen;
  }

  #parsed(frame: SseFrame, data: string): Passed {
    let payloads: JsonObject[];
    try {
      payloads = parsePayloads(data);
    } catch {
      if (!known.has(frame.event))
        return { wire: this.#passed(null, wireOf(frame.event, frame.data)), events: [] };
      const failure = brokenAnswer("The upstream sent an event that is not JSON");
      return { wire: "", events: this.#watch([{ type: "error", failure }]) };
    }
    const only = payloads[0];
    if (payloads.length === 1 && only) return this.#payload(only, frame.event, frame.data);
    let wire = "";
    const events: GenerationEvent[] = [];
    for (const [at, part] of splitPayloads(data).entries()) {
      const passed = this.#payload(payloads[at] ?? {}, null, part);
      wire += passed.wire;
      events.push(...passed.events);
    }
    return { wire, events };
  }

  #payload(payload: JsonObject, event: string | null, data: string): Passed {
    const type = typeof payload.type === "string" ? payload.type : null;
    const isAgain = type === "message_start" && this.#started;
    const start = this.#started || !isAnswerEvent(payload) ? "" : this.#missingStart();
    if (type === "message_start" || start !== "") this.#started = true;
    const events = this.#watch(this.#decoder.accept(payload));
    if (this.#failed || isAgain || (event === null && type === null)) return { wire: "", events };
    const edited = this.#edited(payload, data);
    if (hasStopReason(payload)) {
      const former = this.#lastDelta === null ? "" : this.#released() + endingWire(this.#lastDelta);
      this.#lastDelta = { event: event ?? type, payload, data: edited };
      return { wire: start + former, events };
    }
    const wire = wireOf(event ?? type, edited);
    if (type === "message_stop") {
      this.#stop = wire;
      return { wire: "", events };
    }
    this.#learn(payload, data, wire, events);
    return { wire: start + this.#passed(type, wire), events };
  }

  /**
   * The text that may be sent now: the end of a block is held until another block begins or the answer ends.
   * Source: docs/contract.md#b6.
   */
  #passed(type: string | null, wire: string): string {
    if (type === "ping") return wire;
    const isEnd = type === "content_block_stop";
    const isContent = type === "content_block_start" || type === "content_block_delta";
    if (!isEnd && (isContent || this.#blockEnd === "")) return this.#released() + wire;
    const former = isEnd || this.#blockEnd.length > MAX_HELD_CHARACTERS ? this.#released() : "";
    this.#blockEnd += wire;
    return former;
  }

  #released(): string {
    const held = this.#blockEnd;
    this.#blockEnd = "";
    return held;
  }

  /** The frame that begins an answer, for nodes that omit it. */
  #missingStart(): string {
    const { id, alias } = this.#options;
    const fixed = { id, type: "message", role: "assistant", model: alias, content: [] };
    const usage = writeMessagesUsage({});
    const message = { ...fixed, stop_reason: null, stop_sequence: null, usage };
    return wireOf("message_start", JSON.stringify({ type: "message_start", message }));
  }

  /** The text of a payload, with `usage` added if it is missing: SDKs require it. */
  #edited(payload: JsonObject, data: string): string {
    if (payload.type === "message_start" && isObject(payload.message)) {
      return this.#underAlias(payload, payload.message, data);
    }
    if (payload.type === "content_block_start" && isObject(payload.content_block)) {
      return turnNameBack(payload.content_block, this.#options) ? printJson(payload) : data;
    }
    if (payload.type !== "message_delta") return data;
    if (!isObject(payload.usage)) payload.usage = { output_tokens: this.#usage.output ?? 0 };
    else if (!zeroInvalidCounts(payload.usage)) return data;
    return printJson(payload);
  }

  #underAlias(payload: JsonObject, message: JsonObject, data: string): string {
    const alias = JSON.stringify(this.#options.alias);
    const model = JSON.stringify(message.model ?? null);
    const odd = isObject(message.usage) && zeroInvalidCounts(message.usage);
    for (const pattern of odd ? [] : [`"model":${model}`, `"model": ${model}`]) {
      const at = data.indexOf(pattern);
      if (at === -1 || data.includes(pattern, at + 1) || !isObject(message.usage)) continue;
      return `${data.slice(0, at)}"model":${alias}${data.slice(at + pattern.length)}`;
    }
    message.model = this.#options.alias;
    if (!isObject(message.usage)) message.usage = { input_tokens: 0, output_tokens: 0 };
    return printJson(payload);
  }

  #learn(payload: JsonObject, data: string, wire: string, events: readonly GenerationEvent[]): void {
    const event = events.length === 1 ? events[0] : undefined;
    if (payload.type !== "content_block_delta" || !event || !isObject(payload.delta)) return;
    const field = rowOf(deltaField, String(payload.delta.type));
    const text = field === undefined ? undefined : payload.delta[field];
    if (field === undefined || typeof text !== "string") return;
    this.#fastPath = DeltaFastPath.learn(data, wire, field, text);
    this.#event = event;
  }

  #watch(events: GenerationEvent[]): GenerationEvent[] {
    for (const event of events) {
      if (event.type === "error") this.#failed = true;
      if (event.type === "usage") this.#usage = event.usage;
      if (event.type === "error" || event.type === "end") this.#over = true;
    }
    return events;
  }
}

/** True for the delta that ends the answer; deltas with intermediate counts are sent at once. */
function hasStopReason(payload: JsonObject): boolean {
  return (
    payload.type === "message_delta" &&
    isObject(payload.delta) &&
    typeof payload.delta.stop_reason === "string"
  );
}

/** Sets invalid counts to zero, because valid ones follow at the end. Returns whether there were any invalid ones. */
function zeroInvalidCounts(usage: JsonObject): boolean {
  const odd = COUNTS.filter((name) => isReported(usage[name]) && count(usage[name]) === undefined);
  for (const name of odd) usage[name] = 0;
  return odd.length > 0;
}

/** The wire text of a held delta; `usage` replaces missing or invalid counts. */
function endingWire({ event, payload, data }: HeldEvent, usage?: PartialUsage): string {
  if (usage === undefined) return wireOf(event, data);
  const reported = isObject(payload.usage) ? payload.usage : {};
  return wireOf(event, printJson({ ...payload, usage: { ...reported, ...writeMessagesUsage(usage) } }));
}

/** The event of a frame that differs from the frame of `event` in its text only. */
function withText(event: GenerationEvent, text: string): GenerationEvent {
  if (event.type === "tool_args") return { type: "tool_args", slot: event.slot, text };
  return event.type === "reasoning" ? { type: "reasoning", text } : { type: "text", text };
}

function wireOf(event: string | null, data: string): string {
  const name = event === null ? "" : `event: ${event}\n`;
  return data.includes("\n")
    ? `${name}data: ${data.split("\n").join("\ndata: ")}\n\n`
    : `${name}data: ${data}\n\n`;
}
