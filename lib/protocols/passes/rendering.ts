import { printJson } from "@/lib/kernel/exact-json";
import { sha256Base32, sha256Hex } from "@/lib/kernel/hash";
import { isObject, type JsonObject, rowOf } from "@/lib/kernel/json-object";
import type { Target } from "@/lib/protocols/adapters/rendered";
import type { Concept, ConceptTable, FieldRule, FieldTable } from "@/lib/protocols/generation/concepts";
import { Losses } from "@/lib/protocols/generation/losses";
import type { HostedTool, ImagePart } from "@/lib/protocols/generation/parts";
import { type ProblemWords, refusal, refusedHere } from "@/lib/protocols/generation/problems";
import {
  type Effort,
  effortWords,
  type GenerationRequest,
  type GivenField,
} from "@/lib/protocols/generation/request";
import { mayReason, type Profile } from "@/lib/protocols/profiles/profile";
import { passesUnpriced } from "./extras";
import { customToolNames, wrapCustomTools } from "./wrap-custom-tools";

/** The state of a request while it is written for one node. */
export interface Rendering {
  readonly request: GenerationRequest;
  readonly target: Target;
  readonly profile: Profile;
  /** The client protocol's texts for what the node does not accept. */
  readonly words: ProblemWords;
  readonly losses: Losses;
  readonly names: ToolNames;
  readonly ids: ToolIds;
  /** The node's names of the custom tools that are sent as functions. */
  readonly wrappedTools: ReadonlySet<string>;
}

/** Starts the rendering of a request; `idPrefix`: the prefix of tool call ids in the node's protocol. */
export function openRendering(received: GenerationRequest, target: Target, idPrefix: string): Rendering {
  const losses = new Losses();
  for (const note of received.notes) losses.add(note);
  const names = new ToolNames(target.profile.toolNameMax);
  const wraps = received.customTools && !target.profile.customTools;
  const request = wraps ? wrapCustomTools(received) : received;
  return {
    request,
    wrappedTools: new Set(wraps ? customToolNames(received.tools).map((name) => names.send(name)) : []),
    target,
    profile: target.profile,
    words: request.words,
    losses,
    names,
    ids: new ToolIds(idPrefix),
  };
}

/** The fate of a web search on the node. */
export type SearchFate = "runs" | "has no price" | "not there";

/**
 * Whether the node may run a tool as its own web search. Throws: INVALID_REQUEST for a search without a price that the
 * model must call, and under the strict setting. Source: docs/protocols.md#s6-3.
 */
export function searchFate(tool: HostedTool, { request, profile, target, words }: Rendering): SearchFate {
  if (tool.runs !== "web search" || profile.webSearch === null) return "not there";
  if (target.perCall.webSearch !== undefined || passesUnpriced("web_search", profile)) return "runs";
  const choice = request.toolChoice;
  const isNamed = choice?.kind === "one" && choice.name === tool.name;
  const isAlone = choice?.kind === "required" && request.tools.every(({ kind }) => kind === "hosted");
  if (isNamed || isAlone) throw refusal(words.hostedTool(tool));
  if (target.compatibility === "strict") throw refusedHere(words.hostedTool(tool), "such tools are left out");
  return "has no price";
}

/** Adds one warning with the tools that the node cannot run and that the client can do without. */
export function noteMissingTools(tools: readonly HostedTool[], losses: Losses): void {
  const types = tools.filter(({ missing }) => missing === "left out").map(({ type }) => type);
  if (types.length > 0) losses.dropped([...new Set(types)].join(":"));
}

// Texts that the gateway writes into a prompt. They are fixed, so that prompt caches match.

/** First line of a system message that is sent inside a user turn. */
export const systemMarker = "[System message]";

/** Replaces an image for a model without image input. */
export const omittedImage = "[image omitted: this model takes no images]";

/** The user turn after a history that ends with the model's turn. */
export const nextWord = "Continue.";

/** The user turn before a history that begins with the model's turn. */
export const continued = "(conversation continued)";

/** First line of a result that belongs to no call of the history. */
export const orphanNote = "[result of an earlier tool call]";

/** Replaces the missing result of a call. */
export const noResult = "no result provided";

/** The request for a form of the answer: a field, an instruction in the prompt, or both. */
export interface OutputForm {
  format: JsonObject | null;
  instruction: string | null;
}

/** Asks for JSON on nodes without a field for it. */
export const jsonInstruction = "Respond with a single JSON object and nothing else.";

/** The sentence that asks for JSON of a schema, on nodes without structured output. */
export function schemaInstruction(schema: JsonObject): string {
  return `Respond with a single JSON value that conforms to this JSON schema, and nothing else:\n${printJson(schema)}`;
}

/**
 * True for a model without image input; a note replaces the image. Throws: INVALID_REQUEST, except under the lenient
 * setting. Source: docs/protocols.md#s4-4, #s5-3.
 */
export function omitsImage(part: ImagePart, { profile, target, words, losses }: Rendering): boolean {
  if (profile.imagesIn) return false;
  if (target.compatibility !== "lenient")
    throw refusedHere(words.imagesRefused(part), "they are replaced by a note");
  losses.dropped("image");
  return true;
}

/**
 * The most tokens of an unstreamed answer: more can take ten minutes, and few networks keep an idle connection longer.
 * Units: tokens.
 */
const MAX_WHOLE_TOKENS = 21_333;

/**
 * True when the request to a node of another protocol asks for a stream: for a client that wants one, and for an answer
 * that may send no byte for too long; the latter is folded. Source: docs/protocols.md#d13.
 */
export function asksForStream({ stream }: GenerationRequest, maxTokens: number): boolean {
  return stream || maxTokens > MAX_WHOLE_TOKENS;
}

/**
 * The fields of a client's body that have an effect, with the members of objects whose members have rows; in some
 * protocols an empty list has none.
 */
export function givenFields(body: JsonObject, table: FieldTable, emptyListsAsk: boolean): GivenField[] {
  const given: GivenField[] = [];
  collectGiven(body, "", given, table, emptyListsAsk);
  return given;
}

function collectGiven(
  object: JsonObject,
  prefix: string,
  given: GivenField[],
  table: FieldTable,
  emptyListsAsk: boolean,
): void {
  for (const key in object) {
    const value = object[key];
    if (!emptyListsAsk && Array.isArray(value) && value.length === 0) continue;
    const name = `${prefix}${key}`;
    const rule = rowOf(table, name);
    if (rule?.members === true && isObject(value))
      collectGiven(value, `${name}.`, given, table, emptyListsAsk);
    else if (!asksForNothing(value, rule)) given.push({ name, rule });
  }
}

/** Refuses the fields that only a server of the client's own protocol supports. Throws: INVALID_REQUEST. */
export function refuseFields({ request, words }: Rendering, table: ConceptTable, concept: Concept): void {
  if (table[concept].fate !== "refused") return;
  for (const { name, rule } of request.fields) {
    if (rule?.concepts.includes(concept) === true) throw refusal(words.serverState(name));
  }
}

/** Notes every field that does not reach the node. Source: docs/protocols.md#g10. */
export function noteDroppedFields({ request, losses }: Rendering, table: ConceptTable): void {
  for (const { name, rule } of request.fields) {
    if (rule === undefined || (rule.fate === undefined && isLost(rule.concepts, table))) losses.dropped(name);
  }
}

/**
 * Stop sequences at which the gateway itself ends the answer; empty ones are skipped. Shape: absent if there are none.
 */
export function endedHere(stops: readonly string[]): { stops?: readonly string[] } {
  const kept = stops.filter((sequence) => sequence !== "");
  return kept.length === 0 ? {} : { stops: kept };
}

/** The client's field for a concept; `usual` if the request has none. */
export function fieldOf({ request }: Rendering, concept: Concept, usual: string): string {
  return request.fields.find(({ rule }) => rule?.concepts.includes(concept) === true)?.name ?? usual;
}

function isLost(concepts: readonly Concept[], table: ConceptTable): boolean {
  for (const concept of concepts) if (table[concept].fate !== "dropped") return false;
  return true;
}

/** True for a value with which a field has no effect. */
export function asksForNothing(value: unknown, rule: FieldRule | undefined): boolean {
  if (value === null || value === undefined || rule?.usual === value) return true;
  return rule?.hint === true && isEmpty(value);
}

// A zero penalty or an empty map has no effect.
function isEmpty(value: unknown): boolean {
  if (value === 0 || value === false || value === "") return true;
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** The default output limit. Units: tokens. */
export const USUAL_OUTPUT = 4_096;
/**
 * The highest default limit for a model that reasons first, or for a client that expects long answers. Units: tokens.
 */
const LONG_OUTPUT = 32_768;

/** The properties of a request that a default limit depends on. */
type LimitWish = Pick<GenerationRequest, "choices" | "longAnswers">;

/**
 * The output limit to send: the client's, else a default; never above the alias's ceiling, or above the model profile's
 * if the alias has none. `requested` is the client's value; the result is the limit of each choice. Units: tokens.
 * Source: docs/protocols.md#s4-1, #s5-1, #d1, docs/contract.md#s2, #s3, #b8.
 */
export function outputLimit(
  requested: number | null | undefined,
  target: Target,
  losses: Losses,
  wish: LimitWish = { choices: 1, longAnswers: false },
): number {
  const ceiling = target.maxOutputTokens ?? target.profile.maxOutput;
  if (requested === null || requested === undefined) {
    const chosen = Math.min(ceiling, target.defaultMaxTokens ?? usualOutput(target, wish));
    losses.add(`added:max_tokens:${chosen}`);
    return chosen;
  }
  if (requested <= ceiling) return requested;
  losses.add("clamped:max_tokens");
  return ceiling;
}

/**
 * A model that reasons first gets a higher limit, bounded by the caller's balance and the model's context window; the
 * result is never below the usual limit. Source: docs/contract.md#b8.
 */
function usualOutput(target: Target, { choices, longAnswers }: LimitWish): number {
  const { profile, affordableOutput, contextLeft } = target;
  if (!longAnswers && !mayReason(profile)) return USUAL_OUTPUT;
  const affordable = Math.floor(affordableOutput / choices);
  return Math.max(USUAL_OUTPUT, Math.min(LONG_OUTPUT, affordable, contextLeft));
}

/**
 * Lowers a temperature above 1, which only the lenient setting accepts, or above the model's maximum.
 * Changes `body`. Source: docs/protocols.md#d2.
 */
export function clampTemperature(body: JsonObject, profile: Profile, losses: Losses): void {
  const max = Math.min(1, profile.tempMax);
  if (typeof body.temperature !== "number" || body.temperature <= max) return;
  body.temperature = max;
  losses.add("clamped:temperature");
}

/** The wanted effort, or the nearest lower one of the levels, or the lowest of all; null if there are no levels. */
export function nearestEffort(wanted: Effort, levels: readonly Effort[]): Effort | null {
  if (levels.length === 0) return null;
  const rank = (word: Effort) => effortWords.indexOf(word);
  const ordered = levels.toSorted((left, right) => rank(left) - rank(right));
  return ordered.findLast((level) => rank(level) <= rank(wanted)) ?? ordered[0] ?? null;
}

const illegal = /[^A-Za-z0-9_-]/g;

/**
 * Tool names of one request. A name that the upstream would refuse gets an alias, a pure function of the name;
 * `aliases` translates the answer back. Source: docs/protocols.md#s7.
 */
export class ToolNames {
  /** Upstream name to the client's name, for changed names only. */
  readonly aliases = new Map<string, string>();
  readonly #taken = new Map<string, string>();
  readonly #maxLength: number;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** The name to send for the client's `name`; always the same for one name. */
  send(name: string): string {
    if (this.#isLegal(name) && this.#isFree(name, name)) return this.#take(name, name);
    const short = this.#alias(name, 8);
    return this.#take(this.#isFree(short, name) ? short : this.#alias(name, 16), name);
  }

  #isLegal(name: string): boolean {
    return name.length > 0 && name.length <= this.#maxLength && !name.match(illegal);
  }

  #isFree(sent: string, name: string): boolean {
    const owner = this.#taken.get(sent);
    return owner === undefined || owner === name;
  }

  #alias(name: string, hexDigits: number): string {
    const room = Math.min(55, this.#maxLength - 1 - hexDigits);
    return `${name.replace(illegal, "_").slice(0, room)}_${sha256Hex(name).slice(0, hexDigits)}`;
  }

  #take(sent: string, name: string): string {
    this.#taken.set(sent, name);
    if (sent !== name) this.aliases.set(sent, name);
    return sent;
  }
}

const portable = /^[A-Za-z0-9_-]{1,40}$/;
// No client's id contains this character, so that a derived id never equals another id.
const unusable = "\0";

/**
 * A tool call id that every protocol accepts: a legal id unchanged, another one hashed after the protocol's prefix;
 * replacing characters could make two ids equal. Pure, so that a call, its result and every later turn have the same
 * id.
 * Source: docs/protocols.md#s7.
 */
export function portableId(id: string, prefix: string): string {
  return portable.test(id) ? id : prefix + sha256Base32(id, 24);
}

/** The id of a call for a client; without an id of the node it is made of response id and ordinal. */
export function toolCallId(prefix: string, id: string, responseId: string, slot: number): string {
  return portableId(id === "" ? `${responseId}:${slot}` : id, prefix);
}

/**
 * The ids of one request: each further call with the same id gets an id of its own, because some servers give all calls
 * the same number and others require unique ids. Source: docs/protocols.md#s4-3, #s7.
 */
export class ToolIds {
  readonly #uses = new Map<string, number>();
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** The id to send for the next call with the client's `id`. */
  next(id: string): string {
    const use = (this.#uses.get(id) ?? 0) + 1;
    this.#uses.set(id, use);
    const first = portableId(id === "" ? unusable : id, this.#prefix);
    return use === 1 ? first : portableId(`${id}${unusable}${use}`, this.#prefix);
  }
}
