import { parseValue, printJson } from "@/lib/kernel/exact-json";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { addSignatures, noSignatures, type TurnSignatures } from "@/lib/protocols/gemini/signatures";
import type {
  Part,
  ReasoningPart,
  ToolCallPart,
  ToolResultPart,
  Turn,
} from "@/lib/protocols/generation/parts";
import { refusal } from "@/lib/protocols/generation/problems";
import { isGatewayTag } from "@/lib/protocols/passes/reasoning-seal";
import {
  continued,
  nextWord,
  noResult,
  orphanNote,
  type Rendering,
  systemMarker,
} from "@/lib/protocols/passes/rendering";
import {
  type HistoryWalk,
  type HistoryWriter,
  type PairedCall,
  walkHistory,
} from "@/lib/protocols/passes/tool-pairing";
import { addPart, addText, contentParts } from "./render-content";
import { standIn } from "./stand-in";

/** A history in the form of this protocol. */
export interface History {
  /** The parts of the instructions. */
  system: JsonObject[];
  contents: Content[];
}

/** One entry of `contents`. */
export interface Content {
  role: "user" | "model";
  parts: JsonObject[];
}

/**
 * Instructions and turns of a request for a Gemini node: contents of alternating roles, all results of a model's turn in
 * the next content of the user, in the order of the calls. Throws: INVALID_REQUEST naming the place.
 * Source: docs/gemini.md#to-nodes, #signatures.
 */
export function renderHistory(rendering: Rendering): History {
  const writer = new ContentWriter(rendering);
  for (const turn of rendering.request.instructions) writer.system.push(...writer.systemContent(turn));
  walkHistory(rendering, writer);
  const contents = withUserBoundaries(writer.contents, rendering);
  if (rendering.profile.signedCalls && standIn(contents)) rendering.losses.add("signature:dummy");
  return { system: writer.system, contents };
}

class ContentWriter implements HistoryWriter {
  readonly system: JsonObject[] = [];
  readonly contents: Content[] = [];
  readonly #rendering: Rendering;

  constructor(rendering: Rendering) {
    this.#rendering = rendering;
  }

  systemContent(turn: Turn): JsonObject[] {
    return contentParts(turn.parts, this.#rendering);
  }

  userContent(parts: readonly Part[]): JsonObject[] {
    return contentParts(parts, this.#rendering);
  }

  assistant(turn: Turn, calls: HistoryWalk): void {
    const signatures = this.#signaturesOf(turn.parts);
    const parts: JsonObject[] = [];
    let slot = 0;
    for (const part of turn.parts) {
      if (part.kind === "tool_call") parts.push(this.#call(part, calls.open(part), slot++, signatures));
      else if (part.kind !== "reasoning") addPart(part, parts, this.#rendering);
    }
    signTexts(parts, signatures);
    this.#push("model", parts);
  }

  /** Shape: `response`, and the media of the result; `results` adds the call. */
  result(_id: string, { content, isError }: ToolResultPart): JsonObject {
    const parts = typeof content === "string" ? [{ text: content }] : contentParts(content, this.#rendering);
    const texts = parts.flatMap((part) => (typeof part.text === "string" ? [part.text] : []));
    const media = parts.filter(({ text }) => text === undefined);
    return { response: { [isError ? "error" : "output"]: texts.join("\n") }, media };
  }

  missingResult(): JsonObject {
    return { response: { error: noResult }, media: [] };
  }

  results(calls: readonly PairedCall[]): void {
    const { names, profile } = this.#rendering;
    const responses: JsonObject[] = [];
    const loose: unknown[] = [];
    for (const { id, part, result } of calls) {
      if (result === null) continue;
      const { response, media } = result;
      const called = { ...(profile.callIds && { id }), name: names.send(part.name), response };
      const pieces = Array.isArray(media) ? media : [];
      const isInside = profile.imageInToolMsg && pieces.length > 0;
      responses.push({ functionResponse: isInside ? { ...called, parts: pieces } : called });
      if (!isInside) loose.push(...pieces);
    }
    this.#push("user", [...responses, ...loose.filter(isObject)]);
  }

  orphanContent(part: ToolResultPart): JsonObject[] {
    const content =
      typeof part.content === "string" ? [{ text: part.content }] : this.userContent(part.content);
    return [{ text: orphanNote }, ...content];
  }

  add(role: "system" | "user", content: JsonObject[]): void {
    if (role === "user") this.#push("user", content);
    else if (this.#rendering.profile.midSystem === "merge" || this.contents.length === 0)
      this.system.push(...content);
    else this.#push("user", content.map(asUserText));
  }

  #push(role: Content["role"], parts: readonly JsonObject[]): void {
    if (parts.length === 0) return;
    const last = this.contents.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else this.contents.push({ role, parts: [...parts] });
  }

  #call(part: ToolCallPart, id: string, slot: number, { calls }: TurnSignatures): JsonObject {
    const { names, profile } = this.#rendering;
    const name = names.send(part.name);
    const written: JsonObject = {
      functionCall: { ...(profile.callIds && { id }), name, args: this.#args(part) },
    };
    const signed = calls.find((call) => call.slot === slot && call.name === name);
    if (signed !== undefined) written.thoughtSignature = signed.signature;
    return written;
  }

  /** The arguments as an object, which the protocol requires; others are kept whole in `_raw_arguments`. */
  #args({ input, inputIsText }: ToolCallPart): JsonObject {
    if (isObject(input)) return input;
    if (input === null || input === undefined) return {};
    const text = inputIsText ? String(input) : printJson(input);
    if (text.trim() === "") return {};
    const parsed = parseValue(text);
    if (isObject(parsed)) return parsed;
    this.#rendering.losses.add("changed:tool_calls.arguments");
    return { _raw_arguments: text };
  }

  /** The signatures that a node of this family has made, which stand for its reasoning; other reasoning is lost. */
  #signaturesOf(parts: readonly Part[]): TurnSignatures {
    const signatures = noSignatures();
    const reasoning = parts.filter((part) => part.kind === "reasoning");
    const opened = reasoning.map((part) => this.#opened(part)).filter((opaque) => opaque !== null);
    for (const opaque of opened) addSignatures(opaque, signatures);
    const isLost = reasoning.some(({ sealed, text }) => sealed !== null || (text ?? "") !== "");
    if (opened.length === 0 && isLost) this.#rendering.losses.dropped("reasoning_content");
    return signatures;
  }

  #opened({ sealed, signature }: ReasoningPart): string | null {
    const ours = [sealed, signature].find(isGatewayTag);
    const reasoning = ours == null ? null : this.#rendering.target.openReasoning(ours);
    return reasoning === null ? null : (reasoning.opaque ?? "");
  }
}

/** Signs the last text of a turn, and adds the empty text that carries a signature at its end. */
function signTexts(parts: JsonObject[], { text, tail }: TurnSignatures): void {
  const last = parts.findLast((part) => typeof part.text === "string");
  if (text !== null && last !== undefined) last.thoughtSignature = text;
  if (tail !== null) parts.push({ text: "", thoughtSignature: tail });
}

function asUserText(part: JsonObject): JsonObject {
  return typeof part.text === "string" ? { ...part, text: `${systemMarker}\n${part.text}` } : part;
}

/**
 * Makes a history begin with the user and end with a content to answer. Throws: INVALID_REQUEST when nothing is left.
 */
function withUserBoundaries(contents: readonly Content[], { words, losses }: Rendering): Content[] {
  const bounded = [...contents];
  if (bounded.length === 0) throw refusal(words.emptyHistory());
  if (bounded[0]?.role === "model") {
    losses.add("added:first_user_turn");
    bounded.unshift({ role: "user", parts: [{ text: continued }] });
  }
  if (bounded.at(-1)?.role !== "model") return bounded;
  losses.add("added:last_user_turn");
  const parts: JsonObject[] = [];
  addText(nextWord, parts);
  bounded.push({ role: "user", parts });
  return bounded;
}
