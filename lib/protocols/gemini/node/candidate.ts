import { printJson } from "@/lib/kernel/exact-json";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { type CandidateEnd, readFinish } from "@/lib/protocols/gemini/finish-reasons";
import { noSignatures, type TurnSignatures, writeSignatures } from "@/lib/protocols/gemini/signatures";
import { brokenAnswer, type GenerationEvent, type UpstreamFailure } from "@/lib/protocols/generation/events";
import { Grounding } from "./grounding";
import { logProbabilitiesOf } from "./log-probabilities";
import { PartialCall } from "./partial-call";

/** One candidate of an answer: its parts arrive whole, texts in pieces. Source: docs/gemini.md#answers. */
export class Candidate {
  /** Null until the node has ended the candidate. */
  ended: CandidateEnd | null = null;
  readonly #id: string;
  readonly #grounding = new Grounding();
  /** The text of each part; "" for another part. */
  readonly #texts: string[] = [];
  #slots = 0;
  #partial: PartialCall | null = null;
  #explanation: string | null = null;
  /** The log probabilities of tokens whose text has not arrived yet. */
  #tokens: JsonObject[] = [];

  /** `id`: that of the answer. */
  constructor(id: string) {
    this.#id = id;
  }

  /** Reads a piece of the candidate. */
  read(piece: JsonObject, events: GenerationEvent[]): void {
    const parts = isObject(piece.content) && Array.isArray(piece.content.parts) ? piece.content.parts : [];
    this.#tokens.push(...logProbabilitiesOf(piece.logprobsResult));
    const isFirst = this.#texts.length === 0;
    const own = withoutServerCalls(parts.filter(isObject));
    for (const part of own) this.#part(part, isFirst, events);
    this.#grounding.read(piece);
    this.ended = readFinish(piece.finishReason) ?? this.ended;
    if (typeof piece.finishMessage === "string") this.#explanation = piece.finishMessage;
  }

  /** The candidate has no usable answer; null: it has one. */
  failure(): UpstreamFailure | null {
    if (this.ended?.reason === null) return brokenAnswer(`The upstream stopped with ${this.ended.native}`);
    return null;
  }

  /** The events at the end of the candidate. */
  finish(events: GenerationEvent[]): void {
    this.#endPartial(events);
    events.push(...this.#grounding.events(this.#texts, this.#id));
    const { native, reason } = this.ended ?? { native: "STOP", reason: "end" };
    const isCall = (reason ?? "end") === "end" && this.#slots > 0;
    const finish = { type: "finish", reason: isCall ? "tool_use" : (reason ?? "end"), native } as const;
    events.push(this.#explanation === null ? finish : { ...finish, explanation: this.#explanation });
  }

  #part(part: JsonObject, isFirst: boolean, events: GenerationEvent[]): void {
    const text = typeof part.text === "string" && part.thought !== true ? part.text : "";
    if (isFirst || this.#texts.length === 0) this.#texts.push(text);
    else this.#texts[this.#texts.length - 1] += text;
    if (isObject(part.functionCall)) this.#call(part.functionCall, signatureOf(part), events);
    else if (typeof part.text === "string") this.#text(part, part.text, events);
    else this.#other(part, events);
  }

  #text(part: JsonObject, text: string, events: GenerationEvent[]): void {
    const signature = signatureOf(part);
    if (signature !== null) seal(events, text === "" ? { tail: signature } : { text: signature });
    if (text === "") return;
    if (part.thought === true) {
      this.#tokens = [];
      events.push({ type: "reasoning", text });
    } else if (this.#tokens.length === 0) events.push({ type: "text", text });
    else {
      events.push({ type: "text", text, logProbabilities: this.#tokens });
      this.#tokens = [];
    }
  }

  /** A call comes whole, or begins with its name and goes on with values. */
  #call(call: JsonObject, signature: string | null, events: GenerationEvent[]): void {
    const name = typeof call.name === "string" ? call.name : "";
    const isPartial = call.willContinue === true || call.partialArgs !== undefined;
    if (name === "") {
      this.#partial?.add(call.partialArgs);
      if (call.willContinue !== true) this.#endPartial(events);
      return;
    }
    this.#endPartial(events);
    const id = typeof call.id === "string" ? call.id : "";
    const slot = this.#slots++;
    if (signature !== null) seal(events, { calls: [{ slot, name, signature }] });
    events.push({ type: "tool_open", slot, id, name, kind: "function" });
    if (isPartial) {
      this.#partial = new PartialCall(id, name);
      this.#partial.add(call.partialArgs);
      if (call.willContinue !== true) this.#endPartial(events);
    } else closeCall(slot, call.args, events);
  }

  #endPartial(events: GenerationEvent[]): void {
    if (this.#partial !== null) closeCall(this.#slots - 1, this.#partial.args, events);
    this.#partial = null;
  }

  #other(part: JsonObject, events: GenerationEvent[]): void {
    const signature = signatureOf(part);
    if (signature !== null) seal(events, { tail: signature });
    const { inlineData: data } = part;
    if (isObject(data) && typeof data.mimeType === "string") {
      const { mimeType, data: base64 } = data;
      if (mimeType.startsWith("audio/")) events.push({ type: "media", kind: "audio" });
      else if (mimeType.startsWith("image/") && typeof base64 === "string")
        events.push({ type: "media", kind: "images", base64 });
      else events.push({ type: "other_item", kind: mimeType });
      return;
    }
    if (isObject(part.executableCode)) events.push({ type: "hosted_call", tool: "codeInterpreter" });
    const kind = Object.keys(part).find((name) => name !== "thoughtSignature" && name !== "thought");
    if (kind !== undefined) events.push({ type: "other_item", kind });
  }
}

/** The parts without calls that the node has answered itself: a result with the same name follows them. */
function withoutServerCalls(parts: readonly JsonObject[]): JsonObject[] {
  if (!parts.some(({ functionResponse }) => functionResponse !== undefined)) return [...parts];
  const isAnswered = ({ functionCall: call }: JsonObject, at: number) =>
    isObject(call) &&
    parts.some(
      ({ functionResponse: result }, later) => later > at && isObject(result) && result.name === call.name,
    );
  return parts.filter((part, at) => !isAnswered(part, at));
}

function closeCall(slot: number, args: unknown, events: GenerationEvent[]): void {
  // Some servers send the arguments as text.
  const text = typeof args === "string" ? args : printJson(args ?? {});
  events.push({ type: "tool_args", slot, text });
  events.push({ type: "tool_close", slot });
}

function signatureOf({ thoughtSignature: signature }: JsonObject): string | null {
  return typeof signature === "string" && signature !== "" ? signature : null;
}

/** Emits signatures as opaque reasoning before the part that they belong to. Source: docs/gemini.md#signatures. */
function seal(events: GenerationEvent[], signatures: Partial<TurnSignatures>): void {
  events.push({
    type: "reasoning_opaque",
    data: writeSignatures({ ...noSignatures(), ...signatures }),
    id: "",
  });
}
