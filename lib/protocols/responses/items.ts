import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { EncoderOptions } from "@/lib/protocols/adapters/encoder";
import type { GenerationEvent, PartialUsage } from "@/lib/protocols/generation/events";
import type { NodeReasoning } from "@/lib/protocols/generation/parts";
import { ToolIds } from "@/lib/protocols/passes/rendering";
import { SequentialCalls } from "@/lib/protocols/passes/sequential-calls";
import { callItem, gatheredInput, inputOf } from "./call-items";
import { type ItemSink, ItemWriter } from "./item-writer";
import { type OwnTool, type OwnToolKind, toolTable } from "./tools";

type Finish = Extract<GenerationEvent, { type: "finish" }>;
type ToolOpen = Extract<GenerationEvent, { type: "tool_open" }>;
type Search = Extract<GenerationEvent, { type: "search" }>;
type Citation = Extract<GenerationEvent, { type: "citation" }>;

/** The end of an answer. Source: docs/responses.md#s2-4. */
export interface AnswerEnding {
  status: "completed" | "incomplete";
  reason: "max_output_tokens" | "content_filter" | null;
}

const wellEnded: AnswerEnding = { status: "completed", reason: null };

/** The open call. */
interface LiveCall {
  slot: number;
  kind: OwnToolKind;
  /** The call in the form of its first frame. */
  item: JsonObject;
  /** The input of a call that is written when it is complete; null: it is written piece by piece. */
  gathered: string | null;
}

/**
 * Converts the events of an answer into output items, one open at a time, for the stream and for the whole body.
 * Source: docs/responses.md#s2-1, #s2-2, #s2-3.
 */
export class AnswerItems {
  readonly losses: string[] = [];
  readonly usage: PartialUsage = {};
  readonly #options: EncoderOptions;
  readonly #writer: ItemWriter;
  readonly #ordered = new SequentialCalls((event) => this.#take(event));
  /** The member with the reasoning text: `summary` for a text for readers, `content` for the model's own reasoning. */
  readonly #reasoningField: "summary" | "content";
  #live: "message" | "reasoning" | "call" | null = null;
  #call: LiveCall | null = null;
  /** The length of the answer's text so far, and before the open part. Units: UTF-16 units. */
  #textLength = 0;
  #textBefore = 0;
  /** The node's word for the purpose of the next message; null: none. */
  #phase: string | null = null;
  #refused = false;
  /** The answer has a message or a call. */
  #answered = false;
  #finish: Finish | null = null;
  #tools: ReadonlyMap<string, OwnTool> | null = null;
  #callIds: ToolIds | null = null;

  constructor(options: EncoderOptions, sink: ItemSink) {
    this.#options = options;
    this.#writer = new ItemWriter(options.id, sink);
    const isSummary = options.reasoningIsSummary === true || wantsSummary(options.request);
    this.#reasoningField = isSummary ? "summary" : "content";
  }

  /** The complete items. */
  get output(): readonly JsonObject[] {
    return this.#writer.output;
  }

  /** The end of the answer, as far as it is known. */
  get ending(): AnswerEnding {
    const reason = this.#finish === null ? "end" : this.#finish.reason;
    if (reason === "length" || reason === "context_window")
      return { status: "incomplete", reason: "max_output_tokens" };
    if (reason === "refusal" && !this.#refused) return { status: "incomplete", reason: "content_filter" };
    return wellEnded;
  }

  /** Handles the next event of the answer. */
  push(event: GenerationEvent): void {
    this.#ordered.push(event);
  }

  /** Closes the open item; an answer without message and calls gets an empty message. */
  close(): void {
    this.#ordered.flush();
    this.#closeItem(this.ending);
    if (this.#answered || (this.ending.status === "incomplete" && this.output.length > 0)) return;
    this.#openPart("text");
    this.#closeItem(this.ending);
  }

  #take(event: GenerationEvent): void {
    switch (event.type) {
      case "text":
        this.#say("text", event.text, event.logProbabilities);
        this.#textLength += event.text.length;
        return;
      case "refusal":
        this.#refused ||= event.text !== "";
        this.#say("refusal", event.text);
        return;
      case "reasoning":
        this.#reason(event.text);
        return;
      case "reasoning_signature":
        this.#seal({ signature: event.signature });
        return;
      case "reasoning_opaque":
        this.#seal(event.id === undefined ? { opaque: event.data } : { opaque: event.data, id: event.id });
        return;
      case "message":
        if (this.#live === "message") this.#closeItem(wellEnded);
        this.#phase = event.phase;
        return;
      case "tool_open":
        this.#openCall(event);
        return;
      case "tool_args":
        this.#input(event.slot, event.text);
        return;
      case "search":
        this.#search(event);
        return;
      case "citation":
        this.#cite(event);
        return;
      case "usage":
        Object.assign(this.usage, event.usage);
        return;
      case "finish":
        this.#end(event);
        return;
      case "media":
        if (event.base64 === undefined) this.#lose(`dropped:${event.kind}`);
        else this.#picture(event.base64);
        return;
      case "start":
      case "choice":
      case "tool_close":
      case "other_item":
      case "hosted_call":
      case "warning":
      case "ping":
      case "error":
      case "end":
        return;
    }
  }

  /** The finish reason decides whether the open item is complete. */
  #end(finish: Finish): void {
    this.#finish = finish;
    const { reason, explanation = "" } = finish;
    if (reason === "refusal" && explanation !== "" && !this.#refused) {
      this.#refused = true;
      this.#say("refusal", explanation);
    }
    if (reason === "pause") this.#lose("changed:pause");
    this.#closeItem(this.ending);
  }

  #say(kind: "text" | "refusal", text: string, logProbabilities?: readonly JsonObject[]): void {
    if (text === "") return;
    if (this.#writer.growing !== kind) this.#openPart(kind);
    this.#writer.grow(text, logProbabilities);
  }

  /** Opens a part of a message, and the message if none is open. */
  #openPart(kind: "text" | "refusal"): void {
    if (this.#live !== "message") {
      const id = this.#next("message");
      const item = { id, type: "message", status: "in_progress", role: "assistant", content: [] };
      this.#writer.open(this.#phase === null ? item : { ...item, phase: this.#phase });
      this.#phase = null;
      this.#answered = true;
    }
    this.#textBefore = this.#textLength;
    this.#writer.openPart(kind);
  }

  /** Closes the open item; returns the id of the next one. */
  #next(live: "message" | "reasoning"): string {
    this.#closeItem(wellEnded);
    this.#live = live;
    return this.#writer.nextId(live);
  }

  #reason(text: string): void {
    if (text === "" || this.#options.hideReasoning) return;
    if (this.#live !== "reasoning") this.#openReasoning();
    if (this.#writer.growing === null)
      this.#writer.openPart(this.#reasoningField === "summary" ? "summary" : "reasoning");
    this.#writer.grow(text);
  }

  #openReasoning(): void {
    this.#writer.open({ id: this.#next("reasoning"), type: "reasoning", summary: [] });
  }

  /** Opaque reasoning or a signature ends a reasoning item; without text before it, it is an item of its own. */
  #seal(native: Partial<NodeReasoning>): void {
    if (this.#options.hideReasoning) return;
    if (this.#live !== "reasoning") this.#openReasoning();
    this.#closeReasoning(native);
  }

  #closeReasoning(native: Partial<NodeReasoning>): void {
    const { seal } = this.#options;
    const { text, growing } = this.#writer;
    const sealed =
      seal === null
        ? (native.opaque ?? native.signature ?? "")
        : seal.envelope({ text, signature: null, opaque: null, ...native });
    this.#live = null;
    this.#writer.done(growing === null ? null : this.#reasoningField, {
      ...(sealed === "" ? {} : { encrypted_content: sealed }),
    });
  }

  #openCall({ slot, id, name: nodesName, kind: sent }: ToolOpen): void {
    if (slot > 0 && this.#options.singleToolCall) {
      this.#lose("dropped:tool_calls");
      return;
    }
    this.#closeItem(wellEnded);
    this.#live = "call";
    this.#answered = true;
    const name = this.#options.toolNames.get(nodesName) ?? nodesName;
    this.#tools ??= toolTable(this.#options.request);
    this.#callIds ??= new ToolIds("call_");
    const tool = this.#tools.get(name) ?? { kind: sent, name, namespace: null };
    const kind = tool.kind === "function" ? sent : tool.kind;
    const callId = this.#callIds.next(id === "" ? `${this.#options.id}:${slot}` : id);
    const item = callItem(kind, this.#writer.nextId(kind), callId, tool);
    this.#call = { slot, kind, item, gathered: kind === sent ? null : "" };
    if (kind !== sent) return;
    this.#writer.open(item);
    this.#writer.openPart(kind === "custom" ? "input" : "arguments");
  }

  #input(slot: number, text: string): void {
    const call = this.#call;
    if (call?.slot !== slot || text === "") return;
    if (call.gathered === null) this.#writer.grow(text);
    else call.gathered += text;
  }

  #closeCall(call: LiveCall, { status }: AnswerEnding): void {
    const { kind, item, gathered } = call;
    const writer = this.#writer;
    if (gathered !== null) writer.open(item);
    if (gathered !== null && kind === "custom") {
      writer.openPart("input");
      writer.grow(inputOf(gathered));
    }
    if (kind === "function" && writer.text === "" && status === "completed") writer.grow("{}");
    if (kind === "function") writer.done(null, { arguments: writer.text, status });
    else if (kind === "custom") writer.done(null, { input: writer.text, status });
    else writer.done(null, { ...gatheredInput(kind, gathered ?? ""), status });
  }

  /** Offsets count from the beginning of the part. A citation after its text is complete is dropped. */
  #cite({ url, title, start, end }: Citation): void {
    if (this.#writer.growing !== "text") {
      if (this.#answered || this.#live === "call") {
        this.#lose("dropped:citations");
        return;
      }
      this.#openPart("text");
    }
    const from = Math.max(0, start - this.#textBefore);
    const to = Math.max(0, end - this.#textBefore);
    this.#writer.annotate({ type: "url_citation", url, title, start_index: from, end_index: to });
  }

  /** A picture as an item of the tool that makes pictures. */
  #picture(result: string): void {
    this.#closeItem(wellEnded);
    const item = { id: this.#writer.nextId("picture"), type: "image_generation_call", status: "in_progress" };
    this.#writer.open({ ...item, result: null });
    this.#writer.done(null, { status: "completed", result });
  }

  /**
   * A search as an item of its own, with its pages if the client has asked for them. Source: docs/protocols.md#s9-3.
   */
  #search({ query, sources }: Search): void {
    this.#closeItem(wellEnded);
    const action: JsonObject = { type: "search", query };
    if (wantsSources(this.#options.request))
      action.sources = sources.map(({ url }) => ({ type: "url", url }));
    const item = {
      id: this.#writer.nextId("search"),
      type: "web_search_call",
      status: "in_progress",
      action,
    };
    this.#writer.open(item);
    this.#writer.done(null, { status: "completed" });
  }

  #closeItem(ending: AnswerEnding): void {
    const live = this.#live;
    const call = this.#call;
    this.#live = null;
    this.#call = null;
    if (call !== null) this.#closeCall(call, ending);
    else if (live === "reasoning") this.#closeReasoning({});
    else if (live === "message") this.#writer.done("content", { status: ending.status });
  }

  #lose(code: string): void {
    if (!this.losses.includes(code)) this.losses.push(code);
  }
}

/** True when the client asked for a summary of the reasoning. Source: docs/responses.md#s2-3. */
function wantsSummary({ reasoning }: JsonObject): boolean {
  return isObject(reasoning) && (reasoning.summary ?? reasoning.generate_summary ?? null) !== null;
}

function wantsSources({ include }: JsonObject): boolean {
  return Array.isArray(include) && include.includes("web_search_call.action.sources");
}
