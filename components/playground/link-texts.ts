import { isObject } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";
import type { PlaygroundTexts } from "./texts";

const NAME = "#texts=";
/** Longer links are cut by some programs that pass them on. */
const MAX_CHARACTERS = 6_000;

/**
 * The fragment of a link that has the texts beside the conversation: browsers send it to no server. Empty without
 * texts, null when they are too long.
 */
export function fragmentOf(texts: PlaygroundTexts): string | null {
  const { system, tools, stop, schema } = texts;
  if ([system, tools, stop, schema].every((text) => text === "")) return "";
  const fragment = NAME + encodeURIComponent(JSON.stringify({ system, tools, stop, schema }));
  return fragment.length > MAX_CHARACTERS ? null : fragment;
}

/** Whether a fragment is that of a link with texts. */
export function hasTexts(fragment: string): boolean {
  return fragment.startsWith(NAME);
}

/** The texts of a fragment; null when it has none. */
export function textsOf(fragment: string): PlaygroundTexts | null {
  if (!hasTexts(fragment)) return null;
  const value = parseJson(decoded(fragment.slice(NAME.length)));
  if (!isObject(value) || typeof value.system !== "string" || typeof value.tools !== "string") return null;
  const { system, tools, stop, schema } = value; // links of older releases have only the first two
  const text = (given: unknown) => (typeof given === "string" ? given : "");
  return { system, tools, stop: text(stop), schema: text(schema) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return ""; // a link that was cut
  }
}

/** Takes the texts out of the address of the page, in which texts never stay. */
export function takeTexts(): PlaygroundTexts | null {
  const texts = textsOf(window.location.hash);
  if (texts === null) return null;
  window.history.replaceState(window.history.state, "", window.location.pathname + window.location.search);
  return texts;
}
