import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";
import { STAND_IN } from "@/lib/protocols/generation/signature-stand-in";
import { reasoningDetails } from "./reasoning-fields";

/** The prefix of a chat node's own members in the envelope of its reasoning. */
const MARK = "chat:";

/** Members of one turn that only their node reads and requires back at the same place. */
interface Carried {
  /** `reasoning_details`, `thinking_blocks` and `extra_content` of the message. */
  details: JsonObject[];
  blocks: JsonObject[];
  extra: JsonObject | null;
  /** `extra_content` of calls, by slot and name. */
  calls: { slot: number; name: string; extra: JsonObject }[];
}

function none(): Carried {
  return { details: [], blocks: [], extra: null, calls: [] };
}

/**
 * Collects the members of a chat node's answer that are neither text nor calls: signatures, sealed entries, ids. They
 * are sent with the reasoning of the answer, in an envelope that only the same node gets back. Source:
 * docs/protocols.md#s8-5.
 */
export class CarriedMembers {
  #carried = none();
  /** A member was added after the last `take` that the node requires back. */
  #isNew = false;

  /** Adds the members of a delta. */
  add(delta: JsonObject): void {
    for (const detail of reasoningDetails(delta)) this.#detail(detail);
    if (Array.isArray(delta.thinking_blocks))
      for (const block of delta.thinking_blocks) if (isObject(block)) this.#block(block);
    if (!isObject(delta.extra_content)) return;
    this.#carried.extra = { ...this.#carried.extra, ...delta.extra_content };
    this.#isNew = true;
  }

  /** Adds the members of a call. */
  call(slot: number, name: string, extra: unknown): void {
    if (!isObject(extra)) return;
    this.#carried.calls.push({ slot, name, extra });
    this.#isNew = true;
  }

  /** All members since the last `take`, as text for an envelope; null when the node requires none of them. */
  take(): string | null {
    if (!this.#isNew) return null;
    const text = MARK + JSON.stringify(this.#carried);
    this.#carried = none();
    this.#isNew = false;
    return text;
  }

  /** Adjacent fragments of one entry have the same index. */
  #detail(detail: JsonObject): void {
    const { details } = this.#carried;
    const last = details.at(-1);
    const text = textField(detail);
    if (last !== undefined && text !== null && last.type === detail.type && last.index === detail.index)
      Object.assign(last, withoutEmptyMembers(detail), { [text]: joinTexts(last[text], detail[text]) });
    else details.push({ ...detail });
    this.#isNew ||= isSealed(detail);
  }

  /** The last fragment of a block has its signature. */
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

/** The members without null and empty ones. */
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

/** Parses the text of `CarriedMembers.take`; null for anything else. */
function carriedIn(opaque: string): Carried | null {
  const content = parseJson(opaque.slice(MARK.length));
  return isObject(content) ? { ...none(), ...content } : null;
}

/** True for the text of `CarriedMembers.take`. */
export function isCarried(opaque: string): boolean {
  return opaque.startsWith(MARK);
}

/**
 * Adds the members that the node requires back to a turn of the model, in place. `opened`: the contents of the turn's
 * envelopes, in order. Source: docs/protocols.md#s8-5.
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

/**
 * Gives the first call of a turn without signatures the stand-in, in place: the model refuses the turn without it.
 * Returns whether anything changed. Source: docs/protocols.md#s8-5.
 */
export function signFirstCall(calls: readonly JsonObject[]): boolean {
  const [first] = calls;
  if (first === undefined || calls.some(({ extra_content: extra }) => isObject(extra))) return false;
  first.extra_content = { google: { thought_signature: STAND_IN } };
  return true;
}

/**
 * See `NodeAdapter.withoutReasoning`. A readable text is not removed; a signed call gets the stand-in instead of its
 * signature.
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
