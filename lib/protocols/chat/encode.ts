import type { JsonObject } from "@/lib/kernel/json";
import type { Encoder, EncoderOptions } from "@/lib/protocols/adapter";
import type { GenerationEvent, ToolKind } from "@/lib/protocols/generation/events";
import { ChatShape, type ChatSink } from "./shape";
import { textField } from "./tool-call";
import { writeChatUsage } from "./usage";
import { chatWishes } from "./wishes";

/** Writes an answer as chat chunks. Source: docs/protocols.md#s12-5. */
export class ChatEncoder implements Encoder, ChatSink {
  readonly #shape: ChatShape;
  readonly #head: string;
  readonly #open: string;
  readonly #tail: string;
  readonly #includeUsage: boolean;
  #started = false;
  #wire = "";

  constructor(options: EncoderOptions) {
    const { id, created, alias, request } = options;
    const wishes = chatWishes(request);
    this.#includeUsage = wishes.includeUsage;
    this.#shape = new ChatShape(options, wishes, this);
    const head = JSON.stringify({ id, object: "chat.completion.chunk", created, model: alias });
    this.#head = `data: ${head.slice(0, -1)},"choices":[`;
    this.#open = `${this.#head}{"index":0,"delta":`;
    this.#tail = `,"finish_reason":null,"logprobs":null}]${wishes.includeUsage ? ',"usage":null' : ""}}\n\n`;
  }

  get losses(): readonly string[] {
    return this.#shape.losses;
  }

  push(event: GenerationEvent): string {
    if (event.type === "start") this.#start();
    else this.#shape.push(event);
    const wire = this.#wire;
    this.#wire = "";
    return wire;
  }

  end(): string {
    this.#start();
    const reason = JSON.stringify(this.#shape.finishReason);
    const nothing = this.#includeUsage ? ',"usage":null' : "";
    let wire = `${this.#wire}${this.#open}{},"finish_reason":${reason},"logprobs":null}]${nothing}}\n\n`;
    this.#wire = "";
    if (this.#includeUsage)
      wire += `${this.#head}],"usage":${JSON.stringify(writeChatUsage(this.#shape.usage))}}\n\n`;
    return `${wire}data: [DONE]\n\n`;
  }

  text(text: string): void {
    this.#delta(`{"content":${JSON.stringify(text)}}`);
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

  #start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#wire += `${this.#open}{"role":"assistant","content":""}${this.#tail}`;
  }

  #delta(json: string): void {
    this.#start();
    this.#wire += this.#open + json + this.#tail;
  }
}
