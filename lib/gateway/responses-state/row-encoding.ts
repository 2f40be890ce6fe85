import { printJson } from "@/lib/kernel/exact-json";
import { nextTurn } from "@/lib/kernel/next-turn";
import type { StoredItems } from "./content-tasks";

/**
 * SQL that gives a binary column as text: the driver of PostgreSQL has no binary format, and both databases and Node
 * are faster with base64 than with hexadecimal. Source: docs/responses.md#s4-5.
 */
export function base64Of(column: "items" | "envelope"): string {
  return `encode(${column}, 'base64')`;
}

/** JSON of more than this is written in several turns of the event loop. Units: characters. */
const TURN_LENGTH = 256 * 1024;

/** The JSON of items, in pieces; other work runs between large ones. */
export async function jsonTexts({ input, output }: StoredItems): Promise<string[]> {
  const texts = ['{"input":['];
  let length = 0;
  for (const [list, items] of [input, output].entries()) {
    if (list > 0) texts.push('],"output":[');
    for (const [at, item] of items.entries()) {
      const text = (at === 0 ? "" : ",") + printJson(item);
      texts.push(text);
      length += text.length;
      if (length < TURN_LENGTH) continue;
      length = 0;
      await nextTurn();
    }
  }
  texts.push("]}");
  return texts;
}

/** The number of bytes that a base64 text without line breaks stands for. */
export function sealedBytes(base64: string): number {
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return (base64.length / 4) * 3 - padding;
}
