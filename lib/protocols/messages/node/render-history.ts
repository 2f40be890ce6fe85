import { parseValue, printJson } from "@/lib/kernel/exact-json";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { Target } from "@/lib/protocols/adapters/rendered";
import type {
  NodeReasoning,
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
import { addText, contentBlocks, markLast, resultContent, toolResultBlock } from "./render-content";

/** A history in the form of messages. */
export interface History {
  system: JsonObject[];
  turns: RenderedTurn[];
}

/**
 * Instructions and turns of a request for a messages node: results in the order of their calls, before other content of
 * the user. Throws: INVALID_REQUEST naming the place. Source: docs/protocols.md#s4-3, #d4.
 */
export function renderHistory(rendering: Rendering): History {
  const writer = new TurnWriter(rendering);
  for (const turn of rendering.request.instructions) {
    for (const block of writer.systemContent(turn)) writer.system.push(block);
  }
  walkHistory(rendering, writer);
  return { system: writer.system, turns: writer.list.finish() };
}

class TurnWriter implements HistoryWriter {
  readonly system: JsonObject[] = [];
  readonly list = new TurnList();
  readonly #rendering: Rendering;

  constructor(rendering: Rendering) {
    this.#rendering = rendering;
  }

  systemContent(turn: Turn): JsonObject[] {
    return this.userContent(turn.parts, turn);
  }

  userContent(parts: readonly Part[], { cache }: Turn): JsonObject[] {
    const blocks = contentBlocks(parts, this.#rendering);
    markLast(blocks, cache);
    return blocks;
  }

  assistant(turn: Turn, calls: HistoryWalk): void {
    const { losses } = this.#rendering;
    const thinking: JsonObject[] = [];
    const blocks: JsonObject[] = [];
    for (const part of turn.parts) {
      if (part.kind === "tool_call") blocks.push(this.#call(part, calls.open(part)));
      else if (part.kind === "text") addText(part.text, part.cache, blocks);
      else if (part.kind !== "reasoning") blocks.push(...contentBlocks([part], this.#rendering));
      else {
        const block = thinkingBlock(part, this.#rendering.target);
        if (block === null) losses.dropped("reasoning_content");
        else thinking.push(block);
      }
    }
    const content = thinking.length === 0 ? blocks : [...thinking, ...blocks];
    markLast(content, turn.cache);
    this.list.push("assistant", content);
  }

  result(id: string, part: ToolResultPart): JsonObject {
    return toolResultBlock(id, part, this.#rendering);
  }

  missingResult(id: string): JsonObject {
    return { type: "tool_result", content: noResult, is_error: true, tool_use_id: id };
  }

  results(calls: readonly PairedCall[]): void {
    this.list.push(
      "user",
      calls.flatMap(({ result }) => (result === null ? [] : [result])),
    );
  }

  orphanContent(part: ToolResultPart): JsonObject[] {
    const content = resultContent(part, this.#rendering);
    if (typeof content === "string") return [{ type: "text", text: `${orphanNote}\n${content}` }];
    return [{ type: "text", text: orphanNote }, ...content];
  }

  add(role: "system" | "user", content: JsonObject[]): void {
    if (role === "user") {
      this.list.push("user", content);
      return;
    }
    const { midSystem } = this.#rendering.profile;
    if (midSystem === "merge" || this.list.isEmpty) this.system.push(...content);
    else if (midSystem === "native") this.list.instruct(content);
    else this.list.push("user", content.map(asUserText));
  }

  #call(part: ToolCallPart, id: string): JsonObject {
    return {
      type: "tool_use",
      id,
      name: this.#rendering.names.send(part.name),
      input: this.#input(part),
    };
  }

  /**
   * The arguments as an object, which the protocol requires. Other arguments are kept whole in `_raw_arguments`:
   * without the call its result would be an orphan. Source: docs/protocols.md#s4-5-3.
   */
  #input({ input, inputIsText }: ToolCallPart): JsonObject {
    if (isObject(input)) return input;
    if (input === null || input === undefined) return {};
    const text = inputIsText ? String(input) : printJson(input);
    if (text.trim() === "") return {};
    const parsed = parseValue(text);
    if (isObject(parsed)) return parsed;
    this.#rendering.losses.add("changed:tool_calls.arguments");
    return { _raw_arguments: text };
  }
}

/**
 * Reasoning as its vendor signed it, byte for byte. Null for text without a signature: no node accepts it, and the
 * gateway must never make up a signature. Source: docs/protocols.md#s8-4.
 */
function thinkingBlock(part: ReasoningPart, target: Target): JsonObject | null {
  const ours = [part.sealed, part.signature].find(isGatewayTag);
  if (ours != null) return restored(target.openReasoning(ours));
  const { text, signature, sealed, format } = part;
  if (format !== null && !format.startsWith("anthropic")) return null;
  if (sealed !== null) return { type: "redacted_thinking", data: sealed };
  return signature === null ? null : { type: "thinking", thinking: text ?? "", signature };
}

/** The original reasoning block of a messages node; null for reasoning without signature and opaque data. */
function restored(reasoning: NodeReasoning | null): JsonObject | null {
  if (reasoning === null) return null;
  const { text, signature, opaque } = reasoning;
  if (signature !== null) return { type: "thinking", thinking: text, signature };
  return opaque === null ? null : { type: "redacted_thinking", data: opaque };
}

/** One turn of a messages request. */
export interface RenderedTurn {
  role: "user" | "assistant" | "system";
  content: JsonObject[];
}

/** An instruction inside a user turn. Source: docs/protocols.md#s4-3. */
function asUserText(block: JsonObject): JsonObject {
  return { ...block, text: `${systemMarker}\n${String(block.text)}` };
}

/**
 * Turns of alternating roles: adjacent turns of one role are one turn, and no turn is empty. Models accept an
 * instruction only between a user turn and the model's answer, or at the end: until then it waits. Without a user turn
 * before it, it becomes a user turn. Source: docs/protocols.md#s4-3.
 */
class TurnList {
  readonly #turns: RenderedTurn[] = [];
  #waiting: JsonObject[] = [];

  get isEmpty(): boolean {
    return this.#turns.length === 0;
  }

  /** Adds a turn; `content` belongs to the list from then on. */
  push(role: "user" | "assistant", content: JsonObject[]): void {
    if (content.length === 0) return;
    if (role === "assistant") this.#placeInstructions();
    const last = this.#turns.at(-1);
    if (last?.role === role) for (const block of content) last.content.push(block);
    else this.#turns.push({ role, content });
  }

  /** Adds an instruction after the turns so far. */
  instruct(content: JsonObject[]): void {
    for (const block of content) this.#waiting.push(block);
  }

  finish(): RenderedTurn[] {
    this.#placeInstructions();
    return this.#turns;
  }

  #placeInstructions(): void {
    const content = this.#waiting;
    if (content.length === 0) return;
    this.#waiting = [];
    const isAnswered = this.#turns.at(-1)?.role === "assistant";
    if (isAnswered) this.#turns.push({ role: "user", content: content.map(asUserText) });
    else this.#turns.push({ role: "system", content });
  }
}

/**
 * Makes a history begin with the user and end with a turn to answer, as messages nodes require.
 * Throws: INVALID_REQUEST when nothing is left. Source: docs/protocols.md#s4-3.
 */
export function ensureUserBoundaries(
  turns: RenderedTurn[],
  mayPrefill: boolean,
  rendering: Rendering,
): RenderedTurn[] {
  if (turns.length === 0) throw refusal(rendering.words.emptyHistory());
  if (turns[0]?.role === "assistant") {
    rendering.losses.add("added:first_user_turn");
    turns.unshift({ role: "user", content: [{ type: "text", text: continued }] });
  }
  const last = turns.at(-1);
  if (last?.role !== "assistant") return turns;
  if (rendering.profile.prefill && mayPrefill) trimEnd(last);
  else {
    rendering.losses.add("added:last_user_turn");
    turns.push({ role: "user", content: [{ type: "text", text: nextWord }] });
  }
  return turns;
}

// Nodes refuse a prefill that ends in white space.
function trimEnd({ content }: RenderedTurn): void {
  const last = content.at(-1);
  if (last !== undefined && typeof last.text === "string") last.text = last.text.trimEnd();
}
