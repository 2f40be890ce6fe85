import { parseValue } from "@/lib/kernel/exact-json";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { EncoderOptions } from "@/lib/protocols/adapters/encoder";
import { signatureOf } from "@/lib/protocols/gemini/signature-seals";
import { addSignatures, noSignatures, type TurnSignatures } from "@/lib/protocols/gemini/signatures";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import type { NodeReasoning } from "@/lib/protocols/generation/parts";
import { sniff } from "@/lib/protocols/passes/media";
import { toolCallId } from "@/lib/protocols/passes/rendering";
import { toFinishWord } from "./finish-words";
import { Grounding } from "./grounding";

/** Takes the parts of a candidate as they are complete; texts come in pieces. */
export interface PartSink {
  part(part: JsonObject, logProbabilities?: readonly JsonObject[]): void;
}

interface OpenCall {
  id: string;
  name: string;
  /** The arguments as JSON, or the input of a custom tool. */
  text: string;
  isCustom: boolean;
}

type Finish = Extract<GenerationEvent, { type: "finish" }>;

/**
 * Converts the events of one candidate into parts. Reasoning of a node that only the gateway can open goes to the client
 * as the signature of the next call, else of an empty text at the end. Source: docs/gemini.md#answer, #signatures.
 */
export class Candidate {
  readonly losses: string[] = [];
  readonly #options: EncoderOptions;
  readonly #sink: PartSink;
  readonly #calls = new Map<number, OpenCall>();
  readonly #grounding = new Grounding();
  #thought = "";
  #seals: string[] = [];
  /** The signatures of a node of this protocol for the parts that follow. */
  #own: TurnSignatures = noSignatures();
  #finish: Finish | null = null;

  constructor(options: EncoderOptions, sink: PartSink) {
    this.#options = options;
    this.#sink = sink;
  }

  push(event: GenerationEvent): void {
    switch (event.type) {
      case "text":
        this.#grounding.add(event.text);
        if (event.text !== "")
          this.#sink.part({ text: event.text, ...this.#signed("text") }, event.logProbabilities);
        return;
      case "refusal":
        if (event.text !== "") this.#sink.part({ text: event.text });
        return;
      case "reasoning":
        this.#think(event.further ? `\n\n${event.text}` : event.text);
        return;
      case "reasoning_signature":
        this.#seal({ signature: event.signature });
        return;
      case "reasoning_opaque":
        this.#seal(event.id === undefined ? { opaque: event.data } : { opaque: event.data, id: event.id });
        return;
      case "tool_open":
        this.#openCall(event);
        return;
      case "tool_args": {
        const call = this.#calls.get(event.slot);
        if (call !== undefined) call.text += event.text;
        return;
      }
      case "tool_close":
        this.#closeCall(event.slot);
        return;
      case "citation":
        this.#grounding.cite(event);
        return;
      case "search":
        this.#grounding.search(event.query);
        return;
      case "media":
        this.#media(event);
        return;
      case "finish":
        this.#finish = event;
        return;
      case "start":
      case "choice":
      case "message":
      case "other_item":
      case "hosted_call":
      case "usage":
      case "warning":
      case "ping":
      case "error":
      case "end":
        return;
    }
  }

  /** Writes the calls that the node has not closed. */
  closeCalls(): void {
    for (const slot of [...this.#calls.keys()]) this.#closeCall(slot);
  }

  /** The part that holds what no other part could hold. */
  get tail(): JsonObject {
    return { text: "", ...this.#signed("tail") };
  }

  /** True while there is a signature that no part holds. */
  get hasTail(): boolean {
    return this.#seals.length > 0 || this.#own.tail !== null;
  }

  /** The members of the candidate that its end decides. */
  ending(): JsonObject {
    const { reason = "end", explanation } = this.#finish ?? {};
    const metadata = this.#grounding.metadata;
    return {
      finishReason: toFinishWord[reason],
      ...(explanation !== undefined && explanation !== "" ? { finishMessage: explanation } : {}),
      ...(metadata === null ? {} : { groundingMetadata: metadata }),
    };
  }

  #think(text: string): void {
    if (text === "") return;
    this.#thought += text;
    if (!this.#options.hideReasoning) this.#sink.part({ text, thought: true });
  }

  #seal(native: Partial<NodeReasoning>): void {
    const { seal } = this.#options;
    const text = this.#thought;
    this.#thought = "";
    if (seal === null) addSignatures(native.opaque ?? "", this.#own);
    else this.#seals.push(seal.envelope({ text, signature: null, opaque: null, ...native }));
  }

  /** The signature of the next part of a kind; the gateway's own goes with a call or the end. */
  #signed(place: "text" | "call" | "tail"): JsonObject {
    const own = place === "call" ? (this.#own.calls.shift()?.signature ?? null) : this.#own[place];
    if (place !== "call") this.#own[place] = null;
    if (own !== null) return { thoughtSignature: own };
    if (place === "text" || this.#seals.length === 0) return {};
    const thoughtSignature = signatureOf(this.#seals);
    this.#seals = [];
    return { thoughtSignature };
  }

  #openCall({ slot, id, name, kind }: Extract<GenerationEvent, { type: "tool_open" }>): void {
    if (slot > 0 && this.#options.singleToolCall) {
      this.#lose("dropped:tool_calls");
      return;
    }
    const { toolNames, id: answerId } = this.#options;
    const callId = toolCallId("call_", id, answerId, slot);
    this.#calls.set(slot, {
      id: callId,
      name: toolNames.get(name) ?? name,
      text: "",
      isCustom: kind === "custom",
    });
  }

  /** Arguments that were cut off make no call. */
  #closeCall(slot: number): void {
    const call = this.#calls.get(slot);
    if (call === undefined) return;
    this.#calls.delete(slot);
    const args = argumentsOf(call);
    if (!isObject(args)) {
      this.#lose("dropped:tool_calls");
      return;
    }
    const functionCall = { id: call.id, name: call.name, args };
    this.#sink.part({ functionCall, ...this.#signed("call") });
  }

  #media({ kind, base64 }: Extract<GenerationEvent, { type: "media" }>): void {
    const mimeType = base64 === undefined ? null : sniff(base64);
    if (mimeType?.startsWith("image/")) this.#sink.part({ inlineData: { mimeType, data: base64 } });
    else this.#lose(`dropped:${kind}`);
  }

  #lose(code: string): void {
    if (!this.losses.includes(code)) this.losses.push(code);
  }
}

/** The protocol has arguments as objects only: the input of a custom tool becomes one. */
function argumentsOf({ text, isCustom }: OpenCall): unknown {
  if (isCustom) return { input: text };
  return text.trim() === "" ? {} : parseValue(text);
}
