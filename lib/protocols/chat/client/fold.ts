import type { JsonObject } from "@/lib/kernel/json-object";
import type { EncoderOptions, Folded } from "@/lib/protocols/adapters/encoder";
import { textField } from "@/lib/protocols/chat/tool-call-assembler";
import { writeChatUsage } from "@/lib/protocols/chat/usage";
import type { GenerationEvent, PartialUsage, ToolKind } from "@/lib/protocols/generation/events";
import { ChatShape, type ChatSink } from "./encode";
import { type ChatWishes, chatWishes } from "./wishes";

interface Call {
  id: string;
  kind: ToolKind;
  name: string;
  text: string;
}

/** Collects the parts of a chat answer in one message. */
class ChatMessage implements ChatSink {
  content = "";
  readonly #logProbabilities: JsonObject[] = [];
  #refusal: string | null = null;
  #reasoning = "";
  readonly #details: JsonObject[] = [];
  readonly #annotations: JsonObject[] = [];
  readonly #calls = new Map<number, Call>();
  #functionCall: { name: string; arguments: string } | null = null;

  text(text: string, logProbabilities: readonly JsonObject[] = []): void {
    this.content += text;
    for (const token of logProbabilities) this.#logProbabilities.push(token);
  }

  refusal(text: string): void {
    this.#refusal = (this.#refusal ?? "") + text;
  }

  reasoning(text: string, detail: JsonObject): void {
    this.#reasoning += text;
    this.detail(detail);
  }

  detail(detail: JsonObject): void {
    const last = this.#details.at(-1);
    const sameBlock = last !== undefined && last.index === detail.index && typeof last.text === "string";
    if (sameBlock) Object.assign(last, detail, { text: `${last.text}${detail.text}` });
    else this.#details.push({ ...detail });
  }

  annotation(annotation: JsonObject): void {
    this.#annotations.push(annotation);
  }

  openTool(index: number, id: string, kind: ToolKind, name: string): void {
    this.#calls.set(index, { id, kind, name, text: "" });
  }

  toolText(index: number, _kind: ToolKind, text: string): void {
    const call = this.#calls.get(index);
    if (call) call.text += text;
  }

  openFunction(name: string): void {
    this.#functionCall = { name, arguments: "" };
  }

  functionArguments(json: string): void {
    if (this.#functionCall) this.#functionCall.arguments += json;
  }

  /** The log probabilities of the text's tokens; null: not requested. */
  get logprobs(): JsonObject | null {
    const content = this.#logProbabilities;
    return content.length === 0 ? null : { content, refusal: null };
  }

  toJson(): JsonObject {
    const called = this.#calls.size > 0 || this.#functionCall !== null;
    const message: JsonObject = {
      role: "assistant",
      content: this.content === "" && called ? null : this.content,
      refusal: this.#refusal,
    };
    if (this.#reasoning !== "") message.reasoning_content = this.#reasoning;
    if (this.#details.length > 0) message.reasoning_details = this.#details;
    if (this.#annotations.length > 0) message.annotations = this.#annotations;
    if (this.#calls.size > 0)
      message.tool_calls = [...this.#calls].sort(byIndex).map(([, call]) => callJson(call));
    if (this.#functionCall) message.function_call = this.#functionCall;
    return message;
  }
}

function callJson({ id, kind, name, text }: Call): JsonObject {
  return { id, type: kind, [kind]: { name, [textField[kind]]: text } };
}

function byIndex(a: [number, unknown], b: [number, unknown]): number {
  return a[0] - b[0];
}

/** The chat completion that the events form. Source: docs/protocols.md#s9-1. */
export function foldChat(events: Iterable<GenerationEvent>, options: EncoderOptions): Folded {
  const wishes = chatWishes(options.request);
  const parts = new Map<number, ChoicePart>();
  const partOf = (index: number) => {
    const part = parts.get(index) ?? makePart(options, wishes);
    parts.set(index, part);
    return part;
  };
  let usage: PartialUsage = {};
  let part = partOf(0);
  for (const event of events) {
    if (event.type === "choice") part = partOf(event.index);
    else if (event.type === "usage") usage = { ...usage, ...event.usage };
    else part.shape.push(event);
  }
  const body = {
    id: options.id,
    object: "chat.completion",
    created: options.created,
    model: options.alias,
    choices: [...parts].sort(byIndex).map(([index, { message, shape }]) => ({
      index,
      message: message.toJson(),
      logprobs: message.logprobs,
      finish_reason: shape.finishReason,
    })),
    usage: writeChatUsage(usage),
  };
  return { body, losses: [...parts.values()].flatMap(({ shape }) => shape.losses) };
}

interface ChoicePart {
  message: ChatMessage;
  shape: ChatShape;
}

function makePart(options: EncoderOptions, wishes: ChatWishes): ChoicePart {
  const message = new ChatMessage();
  return { message, shape: new ChatShape(options, wishes, message) };
}
