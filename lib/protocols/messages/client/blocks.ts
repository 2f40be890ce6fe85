import type { JsonObject } from "@/lib/kernel/json-object";
import type { EncoderOptions } from "@/lib/protocols/adapters/encoder";
import type { FinishReason, GenerationEvent, PartialUsage } from "@/lib/protocols/generation/events";
import { toStopReason } from "@/lib/protocols/messages/stop-reasons";
import { toolIdPrefix } from "@/lib/protocols/messages/tool-ids";
import { writeMessagesUsage } from "@/lib/protocols/messages/usage";
import { InputJson } from "@/lib/protocols/passes/input-json";
import { toolCallId } from "@/lib/protocols/passes/rendering";
import { blank, LiveBlock, type PendingBlock, startOf } from "./live-block";
import { citationOf, searchBlocks } from "./made-search";

/** The receiver of the blocks of a messages answer, which writes frames or one content array. */
export interface BlockSink {
  open(index: number, block: JsonObject): void;
  text(index: number, text: string): void;
  thinking(index: number, text: string): void;
  signature(index: number, signature: string): void;
  json(index: number, json: string): void;
  citation(index: number, citation: JsonObject): void;
  close(index: number): void;
}

/**
 * Converts the events of an answer into content blocks, one open at a time, indexes dense from 0. While a tool call is
 * open and its arguments are not whole, all other events wait, in order of arrival.
 * Source: docs/protocols.md#s12-4.
 */
export class BlockShape {
  readonly losses: string[] = [];
  readonly #options: EncoderOptions;
  readonly #sink: BlockSink;
  #usage: PartialUsage = {};
  #finish: Extract<GenerationEvent, { type: "finish" }> | null = null;
  #live: LiveBlock | null = null;
  #next = 0;
  #thought = "";
  #pending: PendingBlock[] = [];
  /** The open calls of custom tools: their text becomes the field of an object. Source: docs/contract.md#b16. */
  readonly #customInputs = new Map<number, InputJson>();
  /** The number of web searches, from single events or from the node's own count. */
  #searches = 0;

  constructor(options: EncoderOptions, sink: BlockSink) {
    this.#options = options;
    this.#sink = sink;
  }

  /** The counts in the form of `usage` of the whole message. */
  get counts(): JsonObject {
    const counts = writeMessagesUsage(this.#usage);
    if (this.#searches > 0) counts.server_tool_use = { web_search_requests: this.#searches };
    return counts;
  }

  push(event: GenerationEvent): void {
    switch (event.type) {
      case "text":
      case "refusal":
        this.#flow("text", event.text);
        return;
      case "reasoning":
        if (this.#options.hideReasoning) return;
        if (event.further && this.#live?.kind === "thinking") this.#closeLive();
        this.#flow("thinking", event.text);
        return;
      case "reasoning_signature":
        this.#sign(event.signature);
        return;
      case "reasoning_opaque":
        this.#opaque(event);
        return;
      case "message":
        this.#breakText();
        return;
      case "tool_open":
        this.#openTool(event);
        return;
      case "tool_args":
        this.#toolText(event.slot, event.text);
        return;
      case "tool_close":
        this.#closeTool(event.slot);
        return;
      case "usage":
        Object.assign(this.#usage, event.usage);
        return;
      case "finish":
        this.#finish = event;
        return;
      case "media":
        this.#lose(`dropped:${event.kind}`);
        return;
      case "search":
        this.#search(event);
        return;
      case "citation":
        this.#cite(event);
        return;
      case "hosted_call":
        if (event.tool === "webSearch") this.#searches = event.total ?? this.#searches + 1;
        return;
      case "start":
      case "choice":
      case "other_item":
      case "warning":
      case "ping":
      case "error":
      case "end":
        return;
    }
  }

  /** Closes the open block and writes all waiting ones. Source: docs/protocols.md#e4. */
  closeAll(): void {
    if (this.#live) this.#live.whole = true;
    for (const block of this.#pending) block.whole = true;
    this.#advance();
    this.#closeLive();
  }

  /** The end of the answer in the form of `message_delta` and of a whole message. */
  ending(): JsonObject {
    const finish = this.#finish;
    const reason: FinishReason = finish?.reason ?? "end";
    const sequence = finish?.stopSequence;
    const met = sequence !== undefined && (reason === "stop_sequence" || this.#asked(sequence));
    const ending: JsonObject = {
      stop_reason: met && reason === "end" ? "stop_sequence" : toStopReason[reason],
      stop_sequence: met && (reason === "end" || reason === "stop_sequence") ? sequence : null,
    };
    if (reason === "refusal") {
      ending.stop_details = { type: "refusal", category: null, explanation: finish?.explanation ?? null };
    }
    return ending;
  }

  /** True for a stop sequence that the client itself sent. */
  #asked(sequence: string): boolean {
    const { stop_sequences: asked } = this.#options.request;
    return Array.isArray(asked) && asked.includes(sequence);
  }

  /** Adds text or thinking to the open block of its kind, else to a new one. */
  #flow(kind: "text" | "thinking", text: string): void {
    if (text === "") return;
    const live = this.#live;
    if (live?.kind === "tool") {
      if (kind === "text" && text.trim() === "") return;
      const last = this.#pending.at(-1);
      if (last?.kind === kind && !last.whole) last.content += text;
      else this.#pending.push(blank(kind, text));
      this.#advance();
      return;
    }
    if (live?.kind !== kind) this.#openBlock(blank(kind));
    this.#write(kind, text);
  }

  #sign(signature: string): void {
    if (this.#options.hideReasoning) return;
    if (this.#live?.kind !== "thinking") this.#openBlock(blank("thinking"));
    this.#closeLive(signature);
  }

  /** Ends the current text block; the next text begins another one. */
  #breakText(): void {
    if (this.#live?.kind === "text") this.#closeLive();
    const last = this.#pending.at(-1);
    if (last?.kind === "text") last.whole = true;
  }

  /** Opaque reasoning that completes an item becomes the signature of its text, even of an empty one. */
  #opaque({ data, id }: Extract<GenerationEvent, { type: "reasoning_opaque" }>): void {
    const { hideReasoning, seal } = this.#options;
    if (hideReasoning) return;
    if (id !== undefined && seal !== null) {
      this.#sign(seal.envelope({ text: this.#thought, signature: null, opaque: data, id }));
      return;
    }
    const start = { type: "redacted_thinking", data: seal === null ? data : seal.tag(data) };
    this.#place({ kind: "redacted", slot: -1, content: "", start, whole: true });
  }

  #openTool({ slot, id, name: nodesName, kind }: Extract<GenerationEvent, { type: "tool_open" }>): void {
    if (slot > 0 && this.#options.singleToolCall) {
      this.#lose("dropped:tool_calls");
      return;
    }
    if (kind === "custom") {
      this.#customInputs.set(slot, new InputJson());
      this.#lose("changed:custom_tool_call");
    }
    const name = this.#options.toolNames.get(nodesName) ?? nodesName;
    const start = {
      type: "tool_use",
      id: toolCallId(toolIdPrefix, id, this.#options.id, slot),
      name,
      input: {},
    };
    this.#place({ kind: "tool", slot, content: "", start, whole: false });
  }

  #search(search: Extract<GenerationEvent, { type: "search" }>): void {
    const { call, input, result } = searchBlocks(search, `${search.id}:${this.#options.id}:${this.#next}`);
    this.#place({ kind: "tool", slot: -1, content: JSON.stringify(input), start: call, whole: true });
    this.#place({ kind: "result", slot: -1, content: "", start: result, whole: true });
  }

  /** A citation belongs to the whole text block before it. */
  #cite(event: Extract<GenerationEvent, { type: "citation" }>): void {
    const citation = citationOf(event);
    const last = this.#pending.at(-1);
    if (last?.kind === "text") {
      last.citations ??= [];
      last.citations.push(citation);
    } else if (last === undefined && this.#live?.kind === "text")
      this.#sink.citation(this.#live.index, citation);
    else {
      this.#lose("dropped:citations");
      return;
    }
    this.#lose("changed:citations");
  }

  #lose(code: string): void {
    if (!this.losses.includes(code)) this.losses.push(code);
  }

  #toolText(slot: number, text: string): void {
    const json = this.#customInputs.get(slot)?.push(text) ?? text;
    if (json !== "") this.#toolJson(slot, json);
  }

  #toolJson(slot: number, json: string): void {
    const live = this.#live;
    if (live?.kind === "tool" && live.slot === slot) {
      this.#write("tool", json);
      if (this.#pending.length > 0) this.#advance();
      return;
    }
    const waiting = this.#waiting(slot);
    if (waiting) waiting.content += json;
  }

  #closeTool(slot: number): void {
    const input = this.#customInputs.get(slot);
    if (input) this.#toolJson(slot, input.close());
    this.#customInputs.delete(slot);
    const live = this.#live;
    if (live?.kind === "tool" && live.slot === slot) live.whole = true;
    const waiting = this.#waiting(slot);
    if (waiting) waiting.whole = true;
    this.#advance();
  }

  #waiting(slot: number): PendingBlock | undefined {
    return this.#pending.find((block) => block.kind === "tool" && block.slot === slot);
  }

  #place(block: PendingBlock): void {
    this.#pending.push(block);
    this.#advance();
  }

  #advance(): void {
    while (this.#pending.length > 0 && (this.#live === null || this.#live.mayClose)) {
      const block = this.#pending.shift();
      if (block) this.#openBlock(block);
    }
  }

  #openBlock(block: PendingBlock): void {
    this.#closeLive();
    this.#live = new LiveBlock(block.kind, block.slot, this.#next, block.whole);
    this.#next += 1;
    this.#sink.open(this.#live.index, startOf(block));
    if (block.content !== "") this.#write(block.kind, block.content);
    for (const citation of block.citations ?? []) this.#sink.citation(this.#live.index, citation);
  }

  #write(kind: PendingBlock["kind"], content: string): void {
    const live = this.#live;
    if (live === null) return;
    if (kind === "text") this.#sink.text(live.index, content);
    else if (kind === "thinking") {
      if (this.#options.seal) this.#thought += content;
      this.#sink.thinking(live.index, content);
    } else if (kind === "tool") {
      live.feed(content);
      this.#sink.json(live.index, content);
    }
  }

  #closeLive(signature?: string): void {
    const live = this.#live;
    if (live === null) return;
    if (live.kind === "thinking") {
      const signed = signature ?? this.#options.seal?.sign(this.#thought) ?? "";
      this.#thought = "";
      this.#sink.signature(live.index, signed);
    }
    if (live.kind === "tool" && live.empty) this.#sink.json(live.index, "{}");
    this.#sink.close(live.index);
    this.#live = null;
  }
}
