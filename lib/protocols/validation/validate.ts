import type { ZodType, z } from "zod";
import { invalid } from "@/lib/kernel/errors";
import { hasOnlyFields, isObject, type JsonObject } from "@/lib/kernel/json-object";
import { MAX_VALUES } from "@/lib/kernel/read-json";
import type { ClientAdapter } from "@/lib/protocols/adapters/client-adapter";
import type { CheckOptions } from "@/lib/protocols/adapters/client-request";

/** The options of validation. */
export interface ValidateOptions extends CheckOptions {
  /** A request to count tokens, which needs no output limit. */
  countTokens?: boolean;
  /** The most values of the body; absent: 200,000. */
  maxValues?: number;
}

// A body must not choose the upstream or its credential.
const routingFields = [
  "api_base",
  "base_url",
  "api_key",
  "api_version",
  "extra_headers",
  "extra_body",
  "extra_query",
  "default_headers",
  "custom_llm_provider",
  "azure_endpoint",
  "azure_ad_token",
  "vertex_credentials",
  "aws_access_key_id",
  "aws_secret_access_key",
  "aws_session_token",
];

/**
 * Checks everything in a request that does not depend on the node. Returns the body unchanged, so that requests of the
 * same protocol keep every byte.
 * Throws: INVALID_REQUEST naming the field. Source: docs/protocols.md#s4-1, #s5-1, #d1, #d2, docs/contract.md#s2,
 * docs/reliability.md#s3-10.
 */
export function validateRequest(body: unknown, client: ClientAdapter, options: ValidateOptions): JsonObject {
  if (!isObject(body)) throw invalid("body", "The body must be a JSON object.");
  if (!client.isPlain(body)) {
    refuseRoutingFields(body);
    scanBody(body, options.maxValues ?? MAX_VALUES);
    checkShape(body, options.countTokens === true ? client.countSchema : client.schema);
  }
  client.check(body, options);
  return body;
}

const plainTurn: ReadonlySet<string> = new Set(["role", "content"]);
const MAX_TURNS = 2_000;

/** True for a list of turns with only a role and a text each. */
export function arePlainTurns(turns: unknown, roles: ReadonlySet<unknown>): boolean {
  if (!Array.isArray(turns) || turns.length === 0 || turns.length > MAX_TURNS) return false;
  for (const turn of turns) {
    if (!isObject(turn) || !hasOnlyFields(turn, plainTurn)) return false;
    if (!roles.has(turn.role) || !isPlainText(turn.content)) return false;
  }
  return true;
}

/** True for a text that every database and every upstream accepts. */
export function isPlainText(value: unknown): boolean {
  return typeof value === "string" && isSound(value);
}

/** True for undefined, or a whole number of at least 1. */
export function isPlainLimit(value: unknown): boolean {
  return value === undefined || (Number.isSafeInteger(value) && Number(value) >= 1);
}

/** True for undefined, or a number between 0 and `most`. */
export function isPlainShare(value: unknown, most: number): boolean {
  return value === undefined || (typeof value === "number" && value >= 0 && value <= most);
}

/** True for undefined, or a boolean. */
export function isPlainFlag(value: unknown): boolean {
  return value === undefined || typeof value === "boolean";
}

function refuseRoutingFields(body: JsonObject): void {
  for (const field of routingFields) {
    if (body[field] !== undefined) {
      throw invalid(field, `${field} is not accepted: the gateway chooses the upstream. Remove it.`);
    }
  }
}

function checkShape(body: JsonObject, schema: ZodType): void {
  const result = schema.safeParse(body);
  if (result.success) return;
  const issue = result.error.issues[0];
  const { param, message } =
    issue === undefined ? { param: "body", message: "is not valid" } : explainIssue(issue);
  throw invalid(param, `${param} ${message}.`);
}

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** A path in the notation of callers: `messages[0].content[2].type`. */
function paramOf(path: Path): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    return text === "" ? String(step) : `${text}.${String(step)}`;
  }, "");
}

/** The field of a zod issue, and a description of a valid value. Shape: `param` is empty for the body itself. */
function explainIssue(issue: Issue): { param: string; message: string } {
  const found = deepest(issue, []);
  return { param: paramOf(found.path), message: expectation(found.issue) };
}

interface Located {
  issue: Issue;
  path: Path;
}

// The caller most likely meant the branch of a union with the deepest problem, or with a wrong size only.
function deepest(issue: Issue, prefix: Path): Located {
  const path = [...prefix, ...issue.path];
  if (issue.code !== "invalid_union") return { issue, path };
  const size = issue.errors
    .map((branch) => branch[0])
    .find((first) => first !== undefined && isAboutSize(first));
  let best: Located = { issue: size ?? issue, path };
  for (const branch of issue.errors) {
    const first = branch[0];
    if (first === undefined || first.path.length === 0) continue;
    const inner = deepest(first, path);
    if (inner.path.length > best.path.length) best = inner;
  }
  return best;
}

/** True for a value of the right type with too many or too few entries; the issue contains the limit. */
function isAboutSize({ code, path }: Issue): boolean {
  return path.length === 0 && (code === "too_big" || code === "too_small");
}

function expectation(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return custom(issue) ?? `must be ${typeName(issue.expected)}`;
    case "too_small":
      return issue.origin === "string" || issue.origin === "array"
        ? "must not be empty"
        : `must be at least ${issue.minimum}`;
    case "too_big":
      return `must ${bound(issue.origin)} at most ${issue.maximum}${unit(issue.origin)}`;
    case "invalid_value":
      return `must be one of ${issue.values.map(String).join(", ")}`;
    default:
      return issue.message;
  }
}

// Zod's own texts begin with "Invalid" or "Expected"; ours begin with a verb.
function custom(issue: Issue): string | null {
  return /^(?:must|is) /.test(issue.message) ? issue.message : null;
}

function bound(origin: string): string {
  return origin === "array" || origin === "string" ? "have" : "be";
}

function unit(origin: string): string {
  if (origin === "array") return " entries";
  return origin === "string" ? " characters" : "";
}

function typeName(expected: string): string {
  const names: Record<string, string> = {
    array: "an array",
    object: "an object",
    int: "a whole number",
    boolean: "true or false",
  };
  return names[expected] ?? `a ${expected}`;
}

const maxDepth = 64;

/**
 * Refuses bodies that are too deep or too large, and texts that no database and no upstream accepts.
 * Throws: INVALID_REQUEST naming the place. Source: docs/reliability.md#s3-10.
 */
function scanBody(body: unknown, maxNodes: number): void {
  const state = { nodes: 0, maxNodes, path: [] as PropertyKey[] };
  visit(body, state);
}

interface ScanState {
  nodes: number;
  readonly maxNodes: number;
  path: PropertyKey[];
}

function visit(value: unknown, state: ScanState): void {
  state.nodes += 1;
  if (state.nodes > state.maxNodes) throw invalid("body", `The body has more than ${state.maxNodes} values.`);
  if (typeof value === "string") checkText(value, state);
  else if (typeof value === "object" && value !== null) descend(value, state);
}

function descend(value: object, state: ScanState): void {
  if (state.path.length >= maxDepth) {
    throw invalid(paramOf(state.path.slice(0, 8)), `The body is nested deeper than ${maxDepth} levels.`);
  }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) step(index, value[index], state);
    return;
  }
  for (const [key, field] of Object.entries(value)) {
    checkText(key, state);
    step(key, field, state);
  }
}

function step(key: PropertyKey, value: unknown, state: ScanState): void {
  state.path.push(key);
  visit(value, state);
  state.path.pop();
}

function checkText(text: string, state: ScanState): void {
  if (isSound(text)) return;
  const param = paramOf(state.path) || "body";
  throw invalid(param, `${param} must be valid Unicode without NUL characters.`);
}

function isSound(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}
