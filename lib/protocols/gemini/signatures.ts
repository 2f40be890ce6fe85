import { isObject } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";

/** The prefix of thought signatures in the envelope of a node's reasoning. */
const MARK = "gemini:";

/** The thought signatures of one turn, each at the part that it belongs to. Source: docs/gemini.md#signatures. */
export interface TurnSignatures {
  /** By the ordinal and the name of the call. */
  calls: { slot: number; name: string; signature: string }[];
  /** Of the last text. */
  text: string | null;
  /** Of an empty text at the end. */
  tail: string | null;
}

/** A turn without signatures. */
export function noSignatures(): TurnSignatures {
  return { calls: [], text: null, tail: null };
}

/** Signatures as text for an envelope; only nodes of this protocol read it. */
export function writeSignatures(signatures: TurnSignatures): string {
  return MARK + JSON.stringify(signatures);
}

/** Adds the signatures in an envelope's text, if it holds any, to those of a turn. */
export function addSignatures(opaque: string, signatures: TurnSignatures): void {
  const read = opaque.startsWith(MARK) ? parseJson(opaque.slice(MARK.length)) : null;
  if (!isObject(read)) return;
  for (const call of Array.isArray(read.calls) ? read.calls : [])
    if (isCall(call)) signatures.calls.push(call);
  if (typeof read.text === "string") signatures.text = read.text;
  if (typeof read.tail === "string") signatures.tail = read.tail;
}

function isCall(call: unknown): call is TurnSignatures["calls"][number] {
  return isObject(call) && Number.isInteger(call.slot) && [call.name, call.signature].every(isText);
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}
