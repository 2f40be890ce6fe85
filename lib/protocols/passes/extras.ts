import { isObject, type JsonObject, rowOf } from "@/lib/kernel/json-object";
import { isPricedTool, type PricedTool } from "@/lib/kernel/usage";
import type { Target } from "@/lib/protocols/adapters/rendered";
import type { Losses } from "@/lib/protocols/generation/losses";
import { type Problem, refusedHere } from "@/lib/protocols/generation/problems";
import type { Profile } from "@/lib/protocols/profiles/profile";
import type { ExtraField, ExtraPrice, ExtraRules } from "./extra-costs";

/** The result for a member: sent at the price of tokens, sent at a price per call, or left out. */
type Passage = { passes: false } | { passes: true; priced: PricedTool | null };

const asTokens: Passage = { passes: true, priced: null };

const notAtAll: Passage = { passes: false };

function passageOf(price: ExtraPrice, name: string, { perCall, extraPrices, profile }: Target): Passage {
  if (price === "tokens") return asTokens;
  if (isPricedTool(price)) {
    if (perCall[price] !== undefined) return { passes: true, priced: price };
  } else if (price !== "never" && extraPrices?.has(price) === true) return asTokens;
  return passesUnpriced(name, profile) ? asTokens : notAtAll;
}

/** The names of a web search, as a tool or as a field. */
const searchNames: readonly string[] = ["web_search", "web_search_options"];

/**
 * True for a field or tool that the operator allows without a price; covers a web search under any of its names.
 * Source: docs/protocols.md#s6-3.
 */
export function passesUnpriced(name: string, { unpricedExtras }: Profile): boolean {
  const isSearch = searchNames.includes(name.replace(/_\d{8}$/, ""));
  const names = isSearch ? [name, ...searchNames] : [name];
  return names.some((one) => unpricedExtras.includes(one));
}

/** True for a tool type with or without a version: `web_search_20250305` is a `web_search`. */
function isVersionOf(type: string, known: string): boolean {
  return type === known || type.startsWith(`${known}_`);
}

/** The price of a tool's type; a type that is not listed costs extra. Source: docs/protocols.md#s6-3. */
export function priceOfTool(type: string, { tools }: ExtraRules): ExtraPrice {
  let found: ExtraPrice = "never";
  let length = -1;
  for (const row of tools) {
    if (row.type.length <= length || !isVersionOf(type, row.type)) continue;
    found = row.price;
    length = row.type.length;
  }
  return found;
}

/** The result for a tool. `type`: its type, or the word in place of it. */
function passageOfTool(type: string, rules: ExtraRules, target: Target): Passage {
  return passageOf(priceOfTool(type, rules), type, target);
}

/** The result of removing the extras of a body. */
export interface FoundExtras {
  /** The fields that were removed whole or in part. */
  lost: string[];
  /** Codes of losses for changed, not removed, values. */
  changed: string[];
  /** The tools that remain and are billed by the call. */
  priced: PricedTool[];
}

const nothingFound: FoundExtras = Object.freeze({ lost: [], changed: [], priced: [] });

/**
 * Removes the fields from a node's body that cost extra and have no price on the alias. Changes `body`.
 * Source: docs/protocols.md#s6-3.
 */
export function leaveOutExtras(body: JsonObject, rules: ExtraRules, target: Target): FoundExtras {
  let found: FoundExtras | null = null;
  for (const name in body) {
    const field = rules.fields.get(name);
    if (field === undefined || body[name] == null) continue;
    found ??= { lost: [], changed: [], priced: [] };
    leaveOut(body, field, found, target);
  }
  return found ?? nothingFound;
}

function leaveOut(
  body: JsonObject,
  { field, words, otherWords }: ExtraField,
  found: FoundExtras,
  target: Target,
): void {
  const value = body[field];
  const passes = (entry: unknown): boolean => {
    if (isSwitchedOff(entry)) return true;
    const passage = passageOf(rowOf(words, wordOf(entry)) ?? otherWords, field, target);
    if (passage.passes && passage.priced !== null) found.priced.push(passage.priced);
    return passage.passes;
  };
  if (!Array.isArray(value)) {
    if (passes(value)) return;
    delete body[field];
    found.lost.push(field);
    return;
  }
  const kept = value.filter(passes);
  if (kept.length < value.length) {
    found.lost.push(field);
    if (kept.length === 0) delete body[field];
    else body[field] = kept;
  }
  if (kept.length > 0) boundResults(body, field, found);
}

function isSwitchedOff(entry: unknown): boolean {
  return isObject(entry) && entry.enabled === false;
}

/** The most results of a plugin that is billed by results; its usual price covers this many. */
const USUAL_RESULTS = 5;

function boundResults(body: JsonObject, field: string, { changed }: FoundExtras): void {
  const entries = body[field];
  if (!Array.isArray(entries)) return;
  const isBeyond = (entry: unknown): entry is JsonObject =>
    isObject(entry) &&
    !isSwitchedOff(entry) &&
    typeof entry.max_results === "number" &&
    entry.max_results > USUAL_RESULTS;
  if (!entries.some(isBeyond)) return;
  changed.push(`clamped:${field}.max_results`);
  body[field] = entries.map((entry: unknown) =>
    isBeyond(entry) ? { ...entry, max_results: USUAL_RESULTS } : entry,
  );
}

function wordOf(value: unknown): string {
  if (!isObject(value)) return String(value);
  const { id, mode, engine, pdf } = value;
  const word = typeof id === "string" ? id : String(mode ?? "");
  const by = isObject(pdf) ? pdf.engine : word === "web" ? undefined : engine;
  return typeof by === "string" ? `${word}:${by}` : word;
}

/** The 400 for a field that the standard setting would leave out. */
export function extraField(name: string): Problem {
  return {
    param: name,
    message: `${name} cannot be used with this model: it costs extra, and the model has no price for it.`,
  };
}

/** Collects the tools of one request that are left out or billed by the call. */
export class ToolExtras {
  /** The types that are left out, with the path of the first of each. */
  readonly dropped = new Map<string, string>();
  /** The tools that remain and are billed by the call. */
  readonly priced = new Set<PricedTool>();
  readonly #rules: ExtraRules;
  readonly #target: Target;
  readonly #problemOf: typeof unusableTool;

  /** `problemOf`: the refusal of a tool in the words of its protocol. */
  constructor(rules: ExtraRules, target: Target, problemOf = unusableTool) {
    this.#rules = rules;
    this.#target = target;
    this.#problemOf = problemOf;
  }

  /** True for a type that may be sent; collects nothing. */
  allows(type: string): boolean {
    return passageOfTool(type, this.#rules, this.#target).passes;
  }

  /** True for a tool that remains; `at` is its path. */
  keeps(type: string, at: string): boolean {
    const passage = passageOfTool(type, this.#rules, this.#target);
    if (passage.passes) {
      if (passage.priced !== null) this.priced.add(passage.priced);
      return true;
    }
    this.drop(type, at);
    return false;
  }

  /** Leaves out a tool, regardless of its price. */
  drop(type: string, at: string): void {
    if (!this.dropped.has(type)) this.dropped.set(type, at);
  }

  /** Adds one warning with all types that were left out. Throws: INVALID_REQUEST under the strict setting. */
  tell(losses: Losses): void {
    const [first] = this.dropped;
    if (first === undefined) return;
    if (this.#target.compatibility === "strict")
      throw refusedHere(this.#problemOf(...first), "such tools are left out");
    losses.dropped([...this.dropped.keys()].join(":"));
  }
}

/** The 400 for a tool that the model must call and that is left out. */
export function unusableTool(type: string, at: string): Problem {
  return { param: `${at}.type`, message: `${at}.type ${type} cannot be used with this model.` };
}
