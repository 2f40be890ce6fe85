import { parseExact } from "@/lib/kernel/exact-json";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { ProtocolError } from "@/lib/protocols/generation/events";

/**
 * The JSON objects of one frame's data: one, or several where a server joined them.
 *
 * Throws: ProtocolError when the data is not made of JSON objects. Source: docs/protocols.md#s12-1.
 */
export function parsePayloads(data: string): JsonObject[] {
  const whole = parse(data);
  if (whole !== undefined) return [checked(whole)];
  return splitPayloads(data).map((part) => checked(parse(part)));
}

/** The data of one frame, split where one JSON object ends and the next begins. Source: docs/protocols.md#s12-1. */
export function splitPayloads(data: string): string[] {
  const parts: string[] = [];
  let rest = data.trim();
  while (rest !== "") {
    const end = new JsonScan().push(rest);
    if (end === -1) return [...parts, rest];
    parts.push(rest.slice(0, end));
    rest = rest.slice(end).trim();
  }
  return parts;
}

function parse(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

function checked(value: unknown): JsonObject {
  if (!isObject(value)) throw new ProtocolError("The upstream sent an event that is not a JSON object");
  return value;
}

/**
 * Scans a JSON text that arrives in fragments, without storing it: finds the end of the first value that is an object.
 * It balances brackets; it does not validate.
 */
export class JsonScan {
  #depth = 0;
  #inString = false;
  #escaped = false;
  #complete = false;

  /** True once the outermost object is closed. */
  get complete(): boolean {
    return this.#complete;
  }

  /** Handles the next fragment; returns the offset after the closing bracket, or -1 while the object is open. */
  push(text: string): number {
    for (let at = 0; at < text.length; at += 1) {
      if (this.#step(text.charCodeAt(at))) return at + 1;
    }
    return -1;
  }

  #step(code: number): boolean {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (code === 92) this.#escaped = true;
      else if (code === 34) this.#inString = false;
      return false;
    }
    if (code === 34) this.#inString = true;
    else if (code === 123 || code === 91) this.#depth += 1;
    else if (code === 125 || code === 93) {
      this.#depth -= 1;
      if (this.#depth === 0) {
        this.#complete = true;
        return true;
      }
    }
    return false;
  }
}
