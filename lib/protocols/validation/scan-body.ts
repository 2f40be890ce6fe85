import { invalid } from "@/lib/kernel/errors";
import { paramOf } from "@/lib/protocols/validation/explain-issue";

const maxDepth = 64;
const maxNodes = 200_000;

/**
 * Refuses bodies that are too deep or too large, and texts that no database and no upstream takes.
 * Throws: INVALID_REQUEST naming the place. Source: docs/reliability.md#s3-10.
 */
export function scanBody(body: unknown): void {
  const state = { nodes: 0, path: [] as PropertyKey[] };
  visit(body, state);
}

interface ScanState {
  nodes: number;
  path: PropertyKey[];
}

function visit(value: unknown, state: ScanState): void {
  state.nodes += 1;
  if (state.nodes > maxNodes) throw invalid("body", `The body has more than ${maxNodes} values.`);
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
  if (!text.includes("\0") && text.isWellFormed()) return;
  const param = paramOf(state.path) || "body";
  throw invalid(param, `${param} must be valid Unicode without NUL characters.`);
}
