import { callMessages } from "@/lib/kernel/error-messages";
import { printJson } from "@/lib/kernel/exact-json";
import { isObject, type JsonObject, rowOf } from "@/lib/kernel/json-object";
import type { PricedTool } from "@/lib/kernel/usage";
import type { DecoderOptions } from "@/lib/protocols/adapters/decoder";
import { failureOf } from "@/lib/protocols/failures/failure-body";
import { count } from "@/lib/protocols/generation/counts";
import { brokenAnswer, type GenerationEvent, type PartialUsage } from "@/lib/protocols/generation/events";
import { fromStopReason } from "@/lib/protocols/messages/stop-reasons";
import { mergeMessagesUsage } from "@/lib/protocols/messages/usage";
import { WireDecoder } from "@/lib/protocols/wire/wire-decoder";
import { hostedResult, hostedTotals } from "./hosted-calls";
import { NodeSearches } from "./node-searches";
import { blockPayloads } from "./whole";

interface OpenBlock {
  type: string;
  slot: number;
  sentBytes: boolean;
  input: unknown;
  textStart: number;
  /** The received input of a search; null: the block is no search. */
  query: string[] | null;
}

/** Reads the stream of a messages upstream. Source: docs/protocols.md#s12-5, #s11-6. */
export class MessagesDecoder extends WireDecoder {
  readonly #id: string;
  readonly #estimatedInput: boolean;
  readonly #blocks = new Map<unknown, OpenBlock>();
  readonly #usage: PartialUsage = {};
  readonly #searches = new NodeSearches();
  /** True after a delta with an output count; the count at the start is a placeholder. */
  #outputReported = false;
  #started = false;
  /** The node sent content without a start. */
  #startIsMade = false;
  #hasContent = false;
  #ranTools = false;
  #slots = 0;
  #textLength = 0;
  #stopReason: string | null = null;
  #stopSequence: string | null = null;
  #explanation: string | null = null;

  constructor(options: DecoderOptions) {
    super("an event");
    this.#id = options.id;
    this.#estimatedInput = options.estimatedInput ?? false;
  }

  get finishSeen(): boolean {
    return this.#stopReason !== null;
  }

  /** Some servers send `[DONE]`, which this protocol does not have; it is ignored. */
  done(): GenerationEvent[] {
    return [];
  }

  end(): GenerationEvent[] {
    if (this.over) return [];
    return this.fail(brokenAnswer(this.#started ? callMessages.streamBroke : callMessages.empty));
  }

  /** Handles one payload. Unknown types of events, blocks and deltas give no events. */
  accept(payload: JsonObject): GenerationEvent[] {
    if (this.over) return [];
    const events = this.#started || !isAnswerEvent(payload) ? [] : this.#missingStart();
    switch (payload.type) {
      case "content_block_delta":
        this.#blockDelta(payload, events);
        return events;
      case "content_block_start":
        this.#blockStart(payload, events);
        return events;
      case "content_block_stop":
        this.#blockStop(payload.index, events);
        return events;
      case "message_start":
        if (this.#startIsMade) return this.#lateStart(payload);
        return this.#started ? this.#secondStart() : this.#messageStart(payload);
      case "message_delta":
        this.#messageDelta(payload, events);
        return events;
      case "message_stop":
        return this.#messageStop();
      case "ping":
        return [{ type: "ping" }];
      default: {
        const failure = failureOf(payload);
        return failure ? this.fail(failure) : [];
      }
    }
  }

  #missingStart(): GenerationEvent[] {
    this.#startIsMade = true;
    return this.#messageStart({});
  }

  /** Reads only the counts of a start that follows the content. */
  #lateStart({ message }: JsonObject): GenerationEvent[] {
    const events: GenerationEvent[] = [];
    this.#startIsMade = false;
    if (isObject(message)) this.#readUsage(message.usage, events);
    return events;
  }

  /** Content that was sent cannot be withdrawn: a second start is a failure. */
  #secondStart(): GenerationEvent[] {
    return this.#hasContent ? this.fail(brokenAnswer("The upstream began a second message")) : [];
  }

  #messageStart(payload: JsonObject): GenerationEvent[] {
    const events: GenerationEvent[] = [];
    const message = isObject(payload.message) ? payload.message : {};
    this.#started = true;
    const id = typeof message.id === "string" && message.id !== "" ? message.id : this.#id;
    events.push({ type: "start", id, model: typeof message.model === "string" ? message.model : "" });
    this.#readUsage(message.usage, events);
    if (typeof message.stop_reason === "string") this.#stopReason = message.stop_reason;
    const content = Array.isArray(message.content) ? message.content.filter(isObject) : [];
    for (const [index, block] of content.entries()) {
      for (const part of blockPayloads(block, -1 - index)) events.push(...this.accept(part));
    }
    return events;
  }

  #messageDelta(payload: JsonObject, events: GenerationEvent[]): void {
    if (isObject(payload.usage) && count(payload.usage.output_tokens) !== undefined)
      this.#outputReported = true;
    if (this.#estimatedInput && isObject(payload.usage)) this.#forgetEstimate(payload.usage);
    this.#readUsage(payload.usage, events);
    if (!isObject(payload.delta)) return;
    if (typeof payload.delta.stop_reason === "string") this.#stopReason = payload.delta.stop_reason;
    if (typeof payload.delta.stop_sequence === "string") this.#stopSequence = payload.delta.stop_sequence;
    const details = payload.delta.stop_details;
    if (isObject(details) && typeof details.explanation === "string") this.#explanation = details.explanation;
  }

  #forgetEstimate(usage: JsonObject): void {
    if (count(usage.input_tokens) !== undefined) delete this.#usage.inputUncached;
  }

  #readUsage(raw: unknown, events: GenerationEvent[]): void {
    if (!isObject(raw)) return;
    const warnings = mergeMessagesUsage(this.#usage, raw);
    const usage = { ...this.#usage };
    events.push(this.#outputReported ? { type: "usage", usage } : { type: "usage", usage, early: true });
    for (const code of warnings) this.warn(code, events);
    for (const [tool, total] of hostedTotals(raw)) this.#hosted(tool, total, events);
  }

  #blockStart(payload: JsonObject, events: GenerationEvent[]): void {
    const block = isObject(payload.content_block) ? payload.content_block : {};
    const type = typeof block.type === "string" ? block.type : "";
    const open: OpenBlock = {
      type,
      slot: -1,
      sentBytes: false,
      input: block.input,
      textStart: this.#textLength,
      query: null,
    };
    this.#blocks.set(payload.index, open);
    if (type === "text") this.#text(block.text, events);
    else if (type === "thinking") {
      this.#reasoning(block.thinking, events);
      this.#signature(block.signature, events);
    } else if (type === "redacted_thinking" && typeof block.data === "string") {
      this.#hasContent = true;
      events.push({ type: "reasoning_opaque", data: block.data });
    } else if (type === "tool_use") {
      open.slot = this.#slots;
      this.#slots += 1;
      this.#hasContent = true;
      const id = typeof block.id === "string" ? block.id : "";
      const name = typeof block.name === "string" ? block.name : "";
      const opened: GenerationEvent = { type: "tool_open", slot: open.slot, id, name, kind: "function" };
      if (isProgram(block.caller)) opened.byProgram = true;
      events.push(opened);
    } else this.#serverStep(block, open, events);
  }

  /** A call of a tool that the node runs, or its result. */
  #serverStep(block: JsonObject, open: OpenBlock, events: GenerationEvent[]): void {
    const tool = hostedResult(block);
    if (tool !== null) this.#hosted(tool, undefined, events);
    open.query = this.#searches.begin(block);
    const search = this.#searches.end(block);
    if (search === null) return;
    this.#hasContent = true;
    events.push(search);
  }

  /** A count of zero adds nothing to an answer without calls. */
  #hosted(tool: PricedTool, total: number | undefined, events: GenerationEvent[]): void {
    if (total === 0 && !this.#ranTools) return;
    this.#ranTools = true;
    events.push(total === undefined ? { type: "hosted_call", tool } : { type: "hosted_call", tool, total });
  }

  #blockDelta(payload: JsonObject, events: GenerationEvent[]): void {
    const block = this.#blocks.get(payload.index);
    const delta = payload.delta;
    if (!block || !isObject(delta)) return;
    switch (delta.type) {
      case "text_delta":
        if (block.type === "text") this.#text(delta.text, events);
        return;
      case "thinking_delta":
        if (block.type === "thinking") this.#reasoning(delta.thinking, events);
        return;
      case "signature_delta":
        if (block.type === "thinking") this.#signature(delta.signature, events);
        return;
      case "input_json_delta":
        if (typeof delta.partial_json !== "string" || delta.partial_json === "") return;
        block.query?.push(delta.partial_json);
        if (block.slot === -1) return;
        block.sentBytes = true;
        events.push({ type: "tool_args", slot: block.slot, text: delta.partial_json });
        return;
      case "citations_delta":
        if (isObject(delta.citation)) this.#citation(delta.citation, block.textStart, events);
        return;
    }
  }

  #blockStop(index: unknown, events: GenerationEvent[]): void {
    const block = this.#blocks.get(index);
    if (!block) return;
    this.#blocks.delete(index);
    if (block.slot === -1) return;
    if (!block.sentBytes) {
      const text = isObject(block.input) ? printJson(block.input) : "{}";
      events.push({ type: "tool_args", slot: block.slot, text });
    }
    events.push({ type: "tool_close", slot: block.slot });
  }

  #messageStop(): GenerationEvent[] {
    const native = this.#stopReason;
    if (!this.#started) return this.end();
    if (native === null && !this.#hasContent) {
      return this.fail(brokenAnswer("The upstream's answer ended without a stop reason"));
    }
    const events: GenerationEvent[] = [];
    for (const index of [...this.#blocks.keys()]) this.#blockStop(index, events);
    const reason = native === null ? (this.#slots > 0 ? "tool_use" : "end") : rowOf(fromStopReason, native);
    if (native === null) this.warn("finish:missing", events);
    else if (reason === undefined) this.warn("finish:unknown", events);
    if (reason === "pause") this.warn("finish:pause_turn", events);
    if (reason === "context_window") this.warn("finish:context_window", events);
    const finish: GenerationEvent = { type: "finish", reason: reason ?? "end", native: native ?? "end_turn" };
    if (this.#stopSequence !== null) finish.stopSequence = this.#stopSequence;
    if (this.#explanation !== null) finish.explanation = this.#explanation;
    events.push(finish, { type: "end" });
    this.over = true;
    return events;
  }

  #text(text: unknown, events: GenerationEvent[]): void {
    if (typeof text !== "string" || text === "") return;
    this.#hasContent = true;
    this.#textLength += text.length;
    events.push({ type: "text", text });
  }

  #reasoning(text: unknown, events: GenerationEvent[]): void {
    if (typeof text !== "string" || text === "") return;
    this.#hasContent = true;
    events.push({ type: "reasoning", text });
  }

  #signature(signature: unknown, events: GenerationEvent[]): void {
    if (typeof signature !== "string" || signature === "") return;
    this.#hasContent = true;
    events.push({ type: "reasoning_signature", signature });
  }

  /** Only web citations have a chat counterpart. Source: docs/protocols.md#s9-1. */
  #citation(citation: JsonObject, start: number, events: GenerationEvent[]): void {
    if (typeof citation.url !== "string") return;
    const title = typeof citation.title === "string" ? citation.title : "";
    events.push({ type: "citation", url: citation.url, title, start, end: this.#textLength });
  }
}

const answerEvents: ReadonlySet<unknown> = new Set([
  "content_block_start",
  "content_block_delta",
  "message_delta",
]);

/** True for an event of an answer; some servers omit `message_start`. Source: docs/protocols.md#s12-5. */
export function isAnswerEvent({ type }: JsonObject): boolean {
  return answerEvents.has(type);
}

/** True when code at the node, not the model, makes a call. Source: docs/protocols.md#s11-2. */
function isProgram(caller: unknown): boolean {
  return isObject(caller) && typeof caller.type === "string" && caller.type.startsWith("code_execution");
}
