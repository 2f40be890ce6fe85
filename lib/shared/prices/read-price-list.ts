import { isObject } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";
import { type JsonErrorPlace, jsonErrorPlace } from "../json-error";
import { hasPossibleTiers, type ListEntry } from "./list-entry";
import { entryOfMap } from "./litellm-entry";
import { entryOfList } from "./openrouter-entry";

/** Why a text is no price list. */
export type ListProblem =
  | ({ kind: "json" | "jsonEnd" } & JsonErrorPlace)
  | { kind: "empty" | "form" | "noPrices" };

/**
 * Reads a price list: a map of models with `input_cost_per_token`, or a list with `pricing` below `data`. Entries without
 * prices of tokens, or with more tiers than prices can have, are left out. Source: docs/prices.md#lists.
 */
export function readPriceList(text: string): { entries: ListEntry[] } | { problem: ListProblem } {
  if (text.trim() === "") return { problem: { kind: "empty" } };
  const list = parseJson(text);
  if (list === undefined) {
    const place = jsonErrorPlace(text);
    return { problem: { kind: place.found === "" ? "jsonEnd" : "json", ...place } };
  }
  if (!isObject(list) || Array.isArray(list)) return { problem: { kind: "form" } };
  const read = Array.isArray(list.data)
    ? list.data.map((model) => entryOfList(model))
    : Object.entries(list).map(([name, model]) => entryOfMap(name, model));
  const entries = read.filter((entry) => entry !== null).filter(isPossible);
  return entries.length === 0 ? { problem: { kind: "noPrices" } } : { entries };
}

function isPossible(entry: ListEntry): boolean {
  return [entry, ...Object.values(entry.services)].every(hasPossibleTiers);
}
