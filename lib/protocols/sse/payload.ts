import { isObject, type JsonObject } from "@/lib/kernel/json";
import { ProtocolError } from "@/lib/protocols/failures/protocol-error";
import { JsonScan } from "./json-scan";

/**
 * The JSON objects of one frame's data: one, or more where a server glued them together.
 *
 * Throws: ProtocolError when the data is not made of JSON objects. Source: docs/protocols.md#s12-1.
 */
export function parsePayloads(data: string): JsonObject[] {
  const whole = parse(data);
  if (whole !== undefined) return [checked(whole)];
  return splitPayloads(data).map((part) => checked(parse(part)));
}

/** The data of one frame cut where one JSON object ends and the next begins. Source: docs/protocols.md#s12-1. */
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
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function checked(value: unknown): JsonObject {
  if (!isObject(value)) throw new ProtocolError("The upstream sent an event that is not a JSON object");
  return value;
}
