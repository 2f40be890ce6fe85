import { printJson } from "@/lib/kernel/exact-json";
import type { JsonObject } from "@/lib/kernel/json-object";
import type { EncoderOptions } from "@/lib/protocols/adapters/encoder";
import { writeMessagesUsage } from "@/lib/protocols/messages/usage";
import { WireEncoder } from "@/lib/protocols/wire/wire-encoder";
import { BlockShape, type BlockSink } from "./blocks";

/** One frame of a messages stream; `payload.type` names the event. Source: docs/protocols.md#s12-4. */
function messagesFrame(payload: JsonObject & { type: string }): string {
  return `event: ${payload.type}\ndata: ${printJson(payload)}\n\n`;
}

/** Writes an answer as messages events. Source: docs/protocols.md#s12-4. */
export class MessagesEncoder extends WireEncoder implements BlockSink {
  protected readonly shape: BlockShape;
  readonly #options: EncoderOptions;
  #started = false;

  constructor(options: EncoderOptions) {
    super();
    this.#options = options;
    this.shape = new BlockShape(options, this);
  }

  end(): string {
    this.start();
    this.shape.closeAll();
    const usage = this.shape.counts;
    const wire = this.wire + messagesFrame({ type: "message_delta", delta: this.shape.ending(), usage });
    this.wire = "";
    return wire + messagesFrame({ type: "message_stop" });
  }

  open(index: number, block: JsonObject): void {
    this.start();
    this.wire += messagesFrame({ type: "content_block_start", index, content_block: block });
  }

  text(index: number, text: string): void {
    this.#delta(index, `{"type":"text_delta","text":${JSON.stringify(text)}}`);
  }

  thinking(index: number, text: string): void {
    this.#delta(index, `{"type":"thinking_delta","thinking":${JSON.stringify(text)}}`);
  }

  signature(index: number, signature: string): void {
    this.#delta(index, `{"type":"signature_delta","signature":${JSON.stringify(signature)}}`);
  }

  json(index: number, json: string): void {
    this.#delta(index, `{"type":"input_json_delta","partial_json":${JSON.stringify(json)}}`);
  }

  citation(index: number, citation: JsonObject): void {
    this.#delta(index, `{"type":"citations_delta","citation":${JSON.stringify(citation)}}`);
  }

  close(index: number): void {
    this.wire += `event: content_block_stop\ndata: {"type":"content_block_stop","index":${index}}\n\n`;
  }

  #delta(index: number, delta: string): void {
    const head = `event: content_block_delta\ndata: {"type":"content_block_delta","index":${index},"delta":`;
    this.wire += `${head}${delta}}\n\n`;
  }

  /** Clients require `usage`, and show the context size by its estimate. */
  protected start(): void {
    if (this.#started) return;
    this.#started = true;
    const { id, alias, inputEstimate } = this.#options;
    const usage = writeMessagesUsage({ inputUncached: inputEstimate });
    const fixed = { id, type: "message", role: "assistant", model: alias };
    const message = { ...fixed, content: [], stop_reason: null, stop_sequence: null, usage };
    this.wire += messagesFrame({ type: "message_start", message });
  }
}
