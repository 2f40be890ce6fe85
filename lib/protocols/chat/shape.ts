import type { JsonObject } from "@/lib/kernel/json";
import type { EncodeOptions } from "@/lib/protocols/encoder";
import type { FinishReason, GenerationEvent, PartialUsage } from "@/lib/protocols/generation/events";
import { toFinishReason } from "@/lib/protocols/generation/finish";
import { toolCallId } from "@/lib/protocols/generation/tool-id";

/** Where the parts of a chat answer go: into chunks, or into one message. */
export interface ChatSink {
  text(text: string): void;
  refusal(text: string): void;
  /** `detail` is the entry of `reasoning_details` that says the same. */
  reasoning(text: string, detail: JsonObject): void;
  detail(detail: JsonObject): void;
  annotation(annotation: JsonObject): void;
  openTool(index: number, id: string, name: string): void;
  toolArguments(index: number, json: string): void;
  openFunction(name: string): void;
  functionArguments(json: string): void;
}

const detailFormat = "anthropic-claude-v1";

/**
 * Shapes the events of an answer for a chat client; both the stream and the fold use it.
 * Source: docs/protocols.md#s9-1, #s12-5.
 */
export class ChatShape {
  readonly warnings: string[] = [];
  readonly #options: EncodeOptions;
  readonly #sink: ChatSink;
  #usage: PartialUsage | null = null;
  #finish: FinishReason = "end";
  #refused = false;
  #called = false;
  #block = -1;
  #inBlock = false;

  constructor(options: EncodeOptions, sink: ChatSink) {
    this.#options = options;
    this.#sink = sink;
  }

  get usage(): PartialUsage {
    return this.#usage ?? {};
  }

  get finishReason(): string {
    const word = toFinishReason[this.#finish];
    return word === "tool_calls" && this.#options.legacyFunctions ? "function_call" : word;
  }

  push(event: GenerationEvent): void {
    switch (event.type) {
      case "text":
        this.#inBlock = false;
        this.#sink.text(event.text);
        return;
      case "reasoning":
      case "reasoning_signature":
      case "reasoning_opaque":
        if (!this.#options.excludeReasoning) this.#reasoning(event);
        return;
      case "tool_open":
        this.#inBlock = false;
        this.#openTool(event.slot, event.id, event.name);
        return;
      case "tool_args":
        this.#toolArguments(event.slot, event.json);
        return;
      case "citation":
        this.#sink.annotation(annotationOf(event));
        return;
      case "refusal":
        this.#refused = true;
        this.#sink.refusal(event.text);
        return;
      case "usage":
        this.#usage = this.#usage ? Object.assign(this.#usage, event.usage) : { ...event.usage };
        return;
      case "finish":
        this.#finish = event.reason;
        if (event.explanation && event.reason === "refusal" && !this.#refused)
          this.#sink.refusal(event.explanation);
        return;
      case "start":
      case "choice":
      case "tool_close":
      case "warning":
      case "ping":
      case "error":
      case "end":
        return;
    }
  }

  #reasoning(
    event: Extract<GenerationEvent, { type: "reasoning" | "reasoning_signature" | "reasoning_opaque" }>,
  ): void {
    if (!this.#inBlock || event.type === "reasoning_opaque") this.#block += 1;
    const place = { format: detailFormat, index: this.#block };
    this.#inBlock = event.type === "reasoning";
    if (event.type === "reasoning") {
      this.#sink.reasoning(event.text, { type: "reasoning.text", text: event.text, ...place });
    } else if (event.type === "reasoning_signature") {
      this.#sink.detail({ type: "reasoning.text", text: "", signature: event.signature, ...place });
    } else this.#sink.detail({ type: "reasoning.encrypted", data: event.data, ...place });
  }

  #openTool(slot: number, id: string, upstreamName: string): void {
    const name = this.#options.toolNames.get(upstreamName) ?? upstreamName;
    if (this.#keeps(slot)) {
      this.#called = true;
      if (this.#options.legacyFunctions) this.#sink.openFunction(name);
      else this.#sink.openTool(slot, toolCallId("chat", id, this.#options.id, slot), name);
    } else if (!this.warnings.includes("dropped:tool_calls")) this.warnings.push("dropped:tool_calls");
  }

  #toolArguments(slot: number, json: string): void {
    if (!this.#called || !this.#keeps(slot)) return;
    if (this.#options.legacyFunctions) this.#sink.functionArguments(json);
    else this.#sink.toolArguments(slot, json);
  }

  #keeps(slot: number): boolean {
    return slot === 0 || !(this.#options.singleToolCall || this.#options.legacyFunctions);
  }
}

function annotationOf(event: Extract<GenerationEvent, { type: "citation" }>): JsonObject {
  const place = { start_index: event.start, end_index: event.end };
  return { type: "url_citation", url_citation: { url: event.url, title: event.title, ...place } };
}
