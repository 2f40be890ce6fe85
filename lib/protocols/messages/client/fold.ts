import { parseValue } from "@/lib/kernel/exact-json";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { EncoderOptions, Folded } from "@/lib/protocols/adapters/encoder";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import { BlockShape, type BlockSink } from "./blocks";

/** A place at which a cut JSON text can be closed without losing a whole value. */
interface SafePoint {
  length: number;
  closers: string;
}

/**
 * The complete members of a cut JSON object, `{}` when there are none. Source: docs/protocols.md#s9-2.
 */
export function objectPrefix(json: string): JsonObject {
  const point = lastSafePoint(json);
  if (point === null) return {};
  const value = parseValue(json.slice(0, point.length) + point.closers);
  return isObject(value) ? value : {};
}

function lastSafePoint(json: string): SafePoint | null {
  const open: string[] = [];
  let point: SafePoint | null = null;
  let inString = false;
  let isKey = false;
  let expectsKey = false;
  const mark = (length: number) => {
    point = { length, closers: [...open].reverse().join("") };
  };
  for (let at = 0; at < json.length; at += 1) {
    const char = json.charAt(at);
    if (inString) {
      if (char === "\\") at += 1;
      else if (char === '"') {
        inString = false;
        if (!isKey) mark(at + 1);
      }
    } else if (char === '"') {
      inString = true;
      isKey = expectsKey && open.at(-1) === "}";
      expectsKey = false;
    } else if (char === "{" || char === "[") {
      open.push(char === "{" ? "}" : "]");
      expectsKey = true;
      mark(at + 1);
    } else if (char === "}" || char === "]") {
      if (open.pop() !== char) return null;
      mark(at + 1);
    } else if (char === ",") {
      expectsKey = true;
      mark(at);
    }
  }
  if (!inString && /(true|false|null)\s*$/.test(json)) mark(json.length);
  return point;
}

/** Collects the blocks of a messages answer in one content array. */
class ContentBlocks implements BlockSink {
  readonly content: JsonObject[] = [];
  #json = "";

  open(_index: number, block: JsonObject): void {
    this.content.push({ ...block });
  }

  text(index: number, text: string): void {
    this.#append(index, "text", text);
  }

  thinking(index: number, text: string): void {
    this.#append(index, "thinking", text);
  }

  signature(index: number, signature: string): void {
    this.#append(index, "signature", signature);
  }

  json(_index: number, json: string): void {
    this.#json += json;
  }

  citation(index: number, citation: JsonObject): void {
    const block = this.content[index];
    if (block === undefined) return;
    if (Array.isArray(block.citations)) block.citations.push(citation);
    else block.citations = [citation];
  }

  close(index: number): void {
    const block = this.content[index];
    if (block?.type !== "tool_use" && block?.type !== "server_tool_use") return;
    block.input = parseInput(this.#json);
    this.#json = "";
  }

  #append(index: number, key: string, text: string): void {
    const block = this.content[index];
    if (block) block[key] = String(block[key]) + text;
  }
}

/** The complete members are read from arguments that were cut off. Source: docs/protocols.md#s9-2. */
function parseInput(json: string): JsonObject {
  const value = parseValue(json);
  if (value === undefined) return objectPrefix(json);
  return isObject(value) ? value : {};
}

/** The message that the events form. Source: docs/protocols.md#s9-2. */
export function foldMessages(events: Iterable<GenerationEvent>, options: EncoderOptions): Folded {
  const blocks = new ContentBlocks();
  const shape = new BlockShape(options, blocks);
  for (const event of events) shape.push(event);
  shape.closeAll();
  const body = {
    id: options.id,
    type: "message",
    role: "assistant",
    model: options.alias,
    content: blocks.content,
    ...shape.ending(),
    usage: shape.counts,
  };
  return { body, losses: shape.losses };
}
