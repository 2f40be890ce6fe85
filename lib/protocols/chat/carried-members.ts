import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/read-json";
import { reasoningDetails } from "./reasoning-fields";

/** The beginning of what a chat node wants back, inside the envelope of its reasoning. */
const MARK = "chat:";

/** Members of one turn that only their node understands, and wants back where they came from. */
interface Carried {
  /** `reasoning_details`, `thinking_blocks` and `extra_content` of the message. */
  details: JsonObject[];
  blocks: JsonObject[];
  extra: JsonObject | null;
  /** `extra_content` of calls, by their place and name. */
  calls: { slot: number; name: string; extra: JsonObject }[];
}

function none(): Carried {
  return { details: [], blocks: [], extra: null, calls: [] };
}

/**
 * Gathers what a chat node's answer carries beside its text and calls: signatures, sealed entries, ids. It travels with
 * the reasoning of the answer, in an envelope that only the same node gets back. Source: docs/protocols.md#s8-5.
 */
export class CarriedMembers {
  #carried = none();
  /** Something has come since the last `take` that the node must get back. */
  #isNew = false;

  /** Takes the members of a delta. */
  add(delta: JsonObject): void {
    for (const detail of reasoningDetails(delta)) this.#detail(detail);
    if (Array.isArray(delta.thinking_blocks))
      for (const block of delta.thinking_blocks) if (isObject(block)) this.#block(block);
    if (!isObject(delta.extra_content)) return;
    this.#carried.extra = { ...this.#carried.extra, ...delta.extra_content };
    this.#isNew = true;
  }

  /** Takes what a call carries. */
  call(slot: number, name: string, extra: unknown): void {
    if (!isObject(extra)) return;
    this.#carried.calls.push({ slot, name, extra });
    this.#isNew = true;
  }

  /** All that has come since the last time, as text for an envelope; null when the node needs nothing of it. */
  take(): string | null {
    if (!this.#isNew) return null;
    const text = MARK + JSON.stringify(this.#carried);
    this.#carried = none();
    this.#isNew = false;
    return text;
  }

  /** Fragments of one entry follow each other under one index. */
  #detail(detail: JsonObject): void {
    const { details } = this.#carried;
    const last = details.at(-1);
    const text = textField(detail);
    if (last !== undefined && text !== null && last.type === detail.type && last.index === detail.index)
      Object.assign(last, withoutEmptyMembers(detail), { [text]: joinTexts(last[text], detail[text]) });
    else details.push({ ...detail });
    this.#isNew ||= isSealed(detail);
  }

  /** Fragments of a block end with its signature. */
  #block(block: JsonObject): void {
    const { blocks } = this.#carried;
    const last = blocks.at(-1);
    const isOpen = last?.type === "thinking" && block.type === "thinking" && !isWord(last.signature);
    if (last !== undefined && isOpen)
      Object.assign(last, withoutEmptyMembers(block), { thinking: joinTexts(last.thinking, block.thinking) });
    else blocks.push({ ...block });
    this.#isNew ||= isWord(block.signature) || isWord(block.data);
  }
}

/** The members without those that say nothing. */
function withoutEmptyMembers(entry: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null && value !== ""));
}

function textField({ type }: JsonObject): "text" | "summary" | null {
  if (type === "reasoning.text") return "text";
  return type === "reasoning.summary" ? "summary" : null;
}

function joinTexts(before: unknown, after: unknown): string {
  return `${typeof before === "string" ? before : ""}${typeof after === "string" ? after : ""}`;
}

function isSealed({ signature, data, id }: JsonObject): boolean {
  return isWord(signature) || isWord(data) || isWord(id);
}

function isWord(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

/** What `CarriedMembers.take` gave; null for anything else. */
function carriedIn(opaque: string): Carried | null {
  const content = parseJson(opaque.slice(MARK.length));
  return isObject(content) ? { ...none(), ...content } : null;
}

/** True for the text of `CarriedMembers.take`. */
export function isCarried(opaque: string): boolean {
  return opaque.startsWith(MARK);
}

/**
 * Gives a turn of the model back what its node had it carry, in place. `opened`: what the envelopes of the turn held, in
 * order. Source: docs/protocols.md#s8-5.
 */
export function giveBack(message: JsonObject, opened: readonly string[]): void {
  const details: JsonObject[] = [];
  const blocks: JsonObject[] = [];
  const calls: unknown[] = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  for (const carried of opened.map(carriedIn)) {
    if (carried === null) continue;
    details.push(...carried.details);
    blocks.push(...carried.blocks);
    if (carried.extra !== null) message.extra_content = carried.extra;
    for (const { slot, name, extra } of carried.calls) {
      const call = calls[slot];
      if (isObject(call) && isObject(call.function) && call.function.name === name)
        call.extra_content = extra;
    }
  }
  if (details.length > 0) message.reasoning_details = details;
  if (blocks.length > 0) message.thinking_blocks = blocks;
}

/** What Google takes in place of the signature of a call that another model has made. */
const STAND_IN = "skip_thought_signature_validator";

/**
 * Gives the first call of a turn the stand-in where it has no signature of its own, in place: the model refuses the turn
 * without one. Returns whether anything changed. Source: docs/protocols.md#s8-5.
 */
export function signFirstCall(calls: readonly JsonObject[]): boolean {
  const [first] = calls;
  if (first === undefined || calls.some(({ extra_content: extra }) => isObject(extra))) return false;
  first.extra_content = { google: { thought_signature: STAND_IN } };
  return true;
}

/**
 * See `RequestAdapter.withoutReasoning`. A readable text stays; a signed call gets the stand-in in place of its signature.
 */
export function withoutCarried(body: JsonObject): JsonObject | null {
  const messages: unknown[] = Array.isArray(body.messages) ? body.messages : [];
  const kept = messages.map((message) => (isObject(message) ? withoutSealed(message) : message));
  return kept.some((message, at) => message !== messages[at]) ? { ...body, messages: kept } : null;
}

function withoutSealed(message: JsonObject): JsonObject {
  const { reasoning_details: details, thinking_blocks: blocks, extra_content: extra, ...kept } = message;
  const calls: unknown[] = Array.isArray(kept.tool_calls) ? kept.tool_calls : [];
  const unsigned = calls.map((call) => (isSigned(call) ? withStandIn(call) : call));
  const isSame = unsigned.every((call, at) => call === calls[at]);
  if (details === undefined && blocks === undefined && extra === undefined && isSame) return message;
  return isSame ? kept : { ...kept, tool_calls: unsigned };
}

function isSigned(call: unknown): call is JsonObject {
  if (!isObject(call) || !isObject(call.extra_content) || !isObject(call.extra_content.google)) return false;
  const { thought_signature: signature } = call.extra_content.google;
  return isWord(signature) && signature !== STAND_IN;
}

function withStandIn(call: JsonObject): JsonObject {
  return { ...call, extra_content: { google: { thought_signature: STAND_IN } } };
}
