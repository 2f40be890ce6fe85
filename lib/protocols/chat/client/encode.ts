import type { JsonObject } from "@/lib/kernel/json-object";
import type { EncoderOptions } from "@/lib/protocols/adapters/encoder";
import { isCarried } from "@/lib/protocols/chat/carried-members";
import { toFinishReason } from "@/lib/protocols/chat/finish-reasons";
import { callIdPrefix, textField } from "@/lib/protocols/chat/tool-call-assembler";
import { writeChatUsage } from "@/lib/protocols/chat/usage";
import type {
  FinishReason,
  GenerationEvent,
  PartialUsage,
  ToolKind,
} from "@/lib/protocols/generation/events";
import { toolCallId } from "@/lib/protocols/passes/rendering";
import { WireEncoder } from "@/lib/protocols/wire/wire-encoder";
import { declaresCustomTool } from "./schema";
import { type ChatWishes, chatWishes } from "./wishes";

/** Writes an answer as chat chunks. Source: docs/protocols.md#s12-5. */
export class ChatEncoder extends WireEncoder implements ChatSink {
  protected readonly shape: ChatShape;
  readonly #head: string;
  readonly #open: string;
  readonly #tail: string;
  readonly #includeUsage: boolean;
  #started = false;

  constructor(options: EncoderOptions) {
    super();
    const { id, created, alias, request } = options;
    const wishes = chatWishes(request);
    this.#includeUsage = wishes.includeUsage;
    this.shape = new ChatShape(options, wishes, this);
    const head = JSON.stringify({ id, object: "chat.completion.chunk", created, model: alias });
    this.#head = `data: ${head.slice(0, -1)},"choices":[`;
    this.#open = `${this.#head}{"index":0,"delta":`;
    this.#tail = `,"finish_reason":null,"logprobs":null}]${wishes.includeUsage ? ',"usage":null' : ""}}\n\n`;
  }

  end(): string {
    this.start();
    const reason = JSON.stringify(this.shape.finishReason);
    const nothing = this.#includeUsage ? ',"usage":null' : "";
    let wire = `${this.wire}${this.#open}{},"finish_reason":${reason},"logprobs":null}]${nothing}}\n\n`;
    this.wire = "";
    if (this.#includeUsage)
      wire += `${this.#head}],"usage":${JSON.stringify(writeChatUsage(this.shape.usage))}}\n\n`;
    return `${wire}data: [DONE]\n\n`;
  }

  text(text: string, logProbabilities?: readonly JsonObject[]): void {
    const delta = `{"content":${JSON.stringify(text)}}`;
    if (logProbabilities === undefined) {
      this.#delta(delta);
      return;
    }
    this.start();
    const told = JSON.stringify({ content: logProbabilities, refusal: null });
    this.wire += this.#open + delta + this.#tail.replace('"logprobs":null', () => `"logprobs":${told}`);
  }

  refusal(text: string): void {
    this.#delta(`{"refusal":${JSON.stringify(text)}}`);
  }

  reasoning(text: string, detail: JsonObject): void {
    this.#delta(
      `{"reasoning_content":${JSON.stringify(text)},"reasoning_details":[${JSON.stringify(detail)}]}`,
    );
  }

  detail(detail: JsonObject): void {
    this.#delta(`{"reasoning_details":[${JSON.stringify(detail)}]}`);
  }

  annotation(annotation: JsonObject): void {
    this.#delta(`{"annotations":[${JSON.stringify(annotation)}]}`);
  }

  openTool(index: number, id: string, kind: ToolKind, name: string): void {
    const call = { index, id, type: kind, [kind]: { name, [textField[kind]]: "" } };
    this.#delta(`{"tool_calls":[${JSON.stringify(call)}]}`);
  }

  toolText(index: number, kind: ToolKind, text: string): void {
    const call = `{"${textField[kind]}":${JSON.stringify(text)}}`;
    this.#delta(`{"tool_calls":[{"index":${index},"${kind}":${call}}]}`);
  }

  openFunction(name: string): void {
    this.#delta(`{"function_call":${JSON.stringify({ name, arguments: "" })}}`);
  }

  functionArguments(json: string): void {
    this.#delta(`{"function_call":{"arguments":${JSON.stringify(json)}}}`);
  }

  protected start(): void {
    if (this.#started) return;
    this.#started = true;
    this.wire += `${this.#open}{"role":"assistant","content":""}${this.#tail}`;
  }

  #delta(json: string): void {
    this.start();
    this.wire += this.#open + json + this.#tail;
  }
}

/** The receiver of the parts of a chat answer, which writes chunks or one message. */
export interface ChatSink {
  text(text: string, logProbabilities?: readonly JsonObject[]): void;
  refusal(text: string): void;
  /** `detail` is the entry of `reasoning_details` with the same text. */
  reasoning(text: string, detail: JsonObject): void;
  detail(detail: JsonObject): void;
  annotation(annotation: JsonObject): void;
  openTool(index: number, id: string, kind: ToolKind, name: string): void;
  toolText(index: number, kind: ToolKind, text: string): void;
  openFunction(name: string): void;
  functionArguments(json: string): void;
}

const detailFormat = "anthropic-claude-v1";
/** The format of reasoning that is an item of its own, with an id. */
const itemFormat = "openai-responses-v1";

/**
 * Converts the events of an answer into parts for a chat client; the stream and the fold both use it.
 * Source: docs/protocols.md#s9-1, #s12-5.
 */
export class ChatShape {
  readonly losses: string[] = [];
  readonly #options: EncoderOptions;
  readonly #wishes: ChatWishes;
  readonly #sink: ChatSink;
  #usage: PartialUsage | null = null;
  #finish: FinishReason = "end";
  #refused = false;
  #called = false;
  /** The slots of custom tool calls, and of those whose custom tool the client has not declared. */
  readonly #custom = new Set<number>();
  readonly #wrapped = new Set<number>();
  #block = -1;
  #inBlock = false;
  /** Another message of the node has begun after one with text. */
  #isFurther = false;
  /** The text of a message about the model's work, held until it is known whether another message follows. */
  #commentary: string | null = null;
  /** The number of characters of the received text, and of the written content. */
  #said = 0;
  #length = 0;

  constructor(options: EncoderOptions, wishes: ChatWishes, sink: ChatSink) {
    this.#options = options;
    this.#wishes = wishes;
    this.#sink = sink;
  }

  get usage(): PartialUsage {
    return this.#usage ?? {};
  }

  get finishReason(): string {
    const word = toFinishReason[this.#finish];
    return word === "tool_calls" && this.#wishes.legacyFunctions ? "function_call" : word;
  }

  push(event: GenerationEvent): void {
    switch (event.type) {
      case "text":
        this.#text(event);
        return;
      case "message":
        this.#endCommentary(true);
        this.#isFurther = this.#length > 0;
        this.#commentary = event.phase === "commentary" ? "" : null;
        return;
      case "reasoning_opaque":
        if (!isCarried(event.data)) this.#reasoning(event);
        return;
      case "reasoning":
      case "reasoning_signature":
        this.#reasoning(event);
        return;
      case "tool_open":
        this.#endCommentary(false);
        this.#inBlock = false;
        this.#openTool(event);
        return;
      case "tool_args":
        this.#toolText(
          event.slot,
          this.#wrapped.has(event.slot) ? JSON.stringify(event.text).slice(1, -1) : event.text,
        );
        return;
      case "tool_close":
        if (this.#wrapped.has(event.slot)) this.#toolText(event.slot, '"}');
        return;
      case "citation":
        if (this.#commentary === null) this.#sink.annotation(annotationOf(event, this.#length - this.#said));
        return;
      case "refusal":
        this.#refused = true;
        this.#sink.refusal(event.text);
        return;
      case "usage":
        this.#usage = this.#usage ? Object.assign(this.#usage, event.usage) : { ...event.usage };
        return;
      case "finish":
        this.#endCommentary(false);
        this.#finish = event.reason;
        if (event.explanation && event.reason === "refusal" && !this.#refused)
          this.#sink.refusal(event.explanation);
        return;
      case "search":
        if (event.sources.length > 0) this.#lose("dropped:web_search_result");
        return;
      case "media":
        this.#lose(`dropped:${event.kind}`);
        return;
      case "start":
      case "choice":
      case "other_item":
      case "hosted_call":
      case "warning":
      case "ping":
      case "error":
      case "end":
        return;
    }
  }

  /** Joins messages into one. */
  #text({ text, logProbabilities }: Extract<GenerationEvent, { type: "text" }>): void {
    this.#said += text.length;
    if (this.#commentary === null) this.#content(text, logProbabilities);
    else this.#commentary += text;
  }

  /**
   * Text about the model's work becomes reasoning if a message follows; otherwise it is the content beside the calls.
   */
  #endCommentary(isFollowed: boolean): void {
    const text = this.#commentary ?? "";
    this.#commentary = null;
    if (text === "") return;
    if (isFollowed) this.#reasoning({ type: "reasoning", text });
    else this.#content(text);
  }

  #content(text: string, logProbabilities?: readonly JsonObject[]): void {
    const joined = this.#isFurther ? `\n\n${text}` : text;
    this.#isFurther = false;
    this.#inBlock = false;
    this.#length += joined.length;
    this.#sink.text(joined, logProbabilities);
  }

  #reasoning(
    event: Extract<GenerationEvent, { type: "reasoning" | "reasoning_signature" | "reasoning_opaque" }>,
  ): void {
    if (this.#options.hideReasoning) return;
    if (!this.#inBlock || event.type === "reasoning_opaque") this.#block += 1;
    const place = { format: detailFormat, index: this.#block };
    this.#inBlock = event.type === "reasoning";
    if (event.type === "reasoning") {
      const text = event.further ? `\n\n${event.text}` : event.text;
      this.#sink.reasoning(text, { type: "reasoning.text", text, ...place });
    } else if (event.type === "reasoning_signature") {
      this.#sink.detail({ type: "reasoning.text", text: "", signature: event.signature, ...place });
    } else this.#sink.detail({ type: "reasoning.encrypted", ...this.#encrypted(event), index: this.#block });
  }

  /** Seals data that completes an item, because other nodes refuse it. */
  #encrypted({ data, id }: Extract<GenerationEvent, { type: "reasoning_opaque" }>): JsonObject {
    const { seal } = this.#options;
    if (id === undefined || seal === null) return { data, format: detailFormat };
    const sealed = seal.envelope({ text: "", signature: null, opaque: data, id });
    return { data: sealed, id, format: itemFormat };
  }

  #openTool(event: Extract<GenerationEvent, { type: "tool_open" }>): void {
    const { slot, id } = event;
    const name = this.#options.toolNames.get(event.name) ?? event.name;
    if (this.#keeps(slot)) {
      this.#called = true;
      const wraps = event.kind === "custom" && !declaresCustomTool(this.#options.request, name);
      const kind = wraps ? "function" : event.kind;
      if (kind === "custom") this.#custom.add(slot);
      if (this.#isLegacy(kind)) this.#sink.openFunction(name);
      else this.#sink.openTool(slot, toolCallId(callIdPrefix, id, this.#options.id, slot), kind, name);
      if (wraps) this.#wrapped.add(slot);
      if (wraps) this.#toolText(slot, '{"input":"');
    } else this.#lose("dropped:tool_calls");
  }

  #lose(code: string): void {
    if (!this.losses.includes(code)) this.losses.push(code);
  }

  #toolText(slot: number, text: string): void {
    if (!this.#called || !this.#keeps(slot)) return;
    const kind = this.#custom.has(slot) ? "custom" : "function";
    if (this.#isLegacy(kind)) this.#sink.functionArguments(text);
    else this.#sink.toolText(slot, kind, text);
  }

  /** `function_call`, the older form, exists for functions only. */
  #isLegacy(kind: ToolKind): boolean {
    return kind === "function" && this.#wishes.legacyFunctions;
  }

  #keeps(slot: number): boolean {
    return slot === 0 || !(this.#options.singleToolCall || this.#wishes.legacyFunctions);
  }
}

/** `shift`: the length of the content minus the length of the text so far. */
function annotationOf(event: Extract<GenerationEvent, { type: "citation" }>, shift: number): JsonObject {
  const place = { start_index: event.start + shift, end_index: event.end + shift };
  return { type: "url_citation", url_citation: { url: event.url, title: event.title, ...place } };
}
