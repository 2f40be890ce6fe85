import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";
import { type JsonErrorPlace, jsonErrorPlace } from "../json-error";
import type { priceNames } from "./price-units";

/** What a list tells of one model. Units: US dollars per million tokens, as exact decimal text; null: not told. */
export interface ListEntry {
  name: string;
  costs: Record<Exclude<(typeof priceNames)[number], "input">, string | null> & { input: string };
  contextWindow: number | null;
  maxOutputTokens: number | null;
}

/** Why a text is no price list. */
export type ListProblem =
  | ({ kind: "json" | "jsonEnd" } & JsonErrorPlace)
  | { kind: "empty" | "form" | "noPrices" };

/** Dollars per token have their point so many places further left than dollars per million tokens. */
const PLACES = 6;

/**
 * Reads a price list: a map of models with `input_cost_per_token`, or a list with `pricing` below `data`. Entries without
 * prices of tokens are left out.
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
  const entries = read.filter((entry) => entry !== null);
  return entries.length === 0 ? { problem: { kind: "noPrices" } } : { entries };
}

function entryOfMap(name: string, model: unknown): ListEntry | null {
  if (!isObject(model)) return null;
  return entryOf(name, {
    input: model.input_cost_per_token,
    output: model.output_cost_per_token,
    cacheRead: model.cache_read_input_token_cost,
    cacheWrite: model.cache_creation_input_token_cost,
    contextWindow: model.max_input_tokens,
    maxOutputTokens: model.max_output_tokens,
  });
}

function entryOfList(model: unknown): ListEntry | null {
  if (!isObject(model) || typeof model.id !== "string" || !isObject(model.pricing)) return null;
  const { pricing, top_provider: provider } = model;
  return entryOf(model.id, {
    input: pricing.prompt,
    output: pricing.completion,
    cacheRead: pricing.input_cache_read,
    cacheWrite: pricing.input_cache_write,
    contextWindow: model.context_length,
    maxOutputTokens: isObject(provider) ? provider.max_completion_tokens : null,
  });
}

function entryOf(name: string, told: JsonObject): ListEntry | null {
  const input = perMillion(told.input);
  if (input === null) return null;
  // Lists write 0 for a cache that has no price of its own; a model that is free has a free cache in any case.
  const ofCache = (value: unknown) => {
    const cost = perMillion(value);
    return cost !== null && /[1-9]/.test(cost) ? cost : null;
  };
  return {
    name,
    costs: {
      input,
      output: perMillion(told.output),
      cacheRead: ofCache(told.cacheRead),
      cacheWrite: ofCache(told.cacheWrite),
    },
    contextWindow: tokenCount(told.contextWindow),
    maxOutputTokens: tokenCount(told.maxOutputTokens),
  };
}

/** A price per token, a number or text, as exact decimal text per million; null for what is no price. */
function perMillion(value: unknown): string | null {
  const text = typeof value === "number" ? String(value) : typeof value === "string" ? value.trim() : "";
  const [, whole, fraction = "", exponent = "0"] =
    /^(\d{1,20})(?:\.(\d{1,40}))?(?:e([+-]?\d{1,2}))?$/i.exec(text) ?? [];
  if (whole === undefined) return null;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent) + PLACES;
  if (point <= 0) return `0.${"0".repeat(-point)}${digits}`;
  if (point >= digits.length) return digits.padEnd(point, "0");
  return `${digits.slice(0, point)}.${digits.slice(point)}`;
}

function tokenCount(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : null;
}
