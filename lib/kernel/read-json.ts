import { GatewayError, invalid } from "./errors";
import { type JsonBounds, parseExact, scanJson } from "./exact-json";

const MAX_DEPTH = 64;

/** Values that the JSON of a request may hold. Source: docs/reliability.md#s3-10. */
export const MAX_VALUES = 200_000;

/** The JSON of a request's body. */
export interface JsonText {
  text: string;
  body: unknown;
  /** How many members the outermost object has, counting repeated names. */
  members: number;
}

/** Marked as pure, so that bundles for the browser leave it out. */
const utf8 = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true });

function requestBounds(maxValues = MAX_VALUES): JsonBounds {
  return { maxDepth: MAX_DEPTH, maxValues };
}

/**
 * Refuses a JSON text with too many levels or values before it is parsed.
 * Throws: INVALID_REQUEST beyond 64 levels or 200,000 values. Source: docs/reliability.md#s3-10.
 */
export function checkJsonShape(text: string): void {
  scanJson(text, requestBounds());
}

/**
 * Reads the JSON of a request's body; numbers in the client's own values stay as written (`parseExact`).
 * Throws: INVALID_REQUEST. Source: docs/reliability.md#s3-10.
 */
export function readJson(raw: Uint8Array, maxValues?: number): JsonText {
  const text = decoded(raw);
  const { members, literals } = scanJson(text, requestBounds(maxValues));
  return { text, body: readable(() => parseExact(text, literals)), members };
}

/** As `readJson`, but other work runs between the steps, each of which takes long for a body of megabytes. */
export async function readLargeJson(raw: Uint8Array, maxValues?: number): Promise<JsonText> {
  await nextTurn();
  const text = decoded(raw);
  await nextTurn();
  const { members, literals } = scanJson(text, requestBounds(maxValues));
  await nextTurn();
  const body = readable(() => parseExact(text, literals));
  await nextTurn();
  return { text, body, members };
}

/** Resolves in the next turn of the event loop. No import of Node's: pages use other parts of this file in the browser. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function decoded(raw: Uint8Array): string {
  if (raw.length === 0) throw invalid("body", "The body is empty; a JSON object is wanted.");
  return readable(() => utf8.decode(raw));
}

function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new GatewayError("INVALID_REQUEST", `The body is not valid JSON: ${reason(cause)}`, {
      param: "body",
      cause,
    });
  }
}

function reason(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  return message.replace(/["'].*["'] is not valid JSON/s, "the text is not valid JSON").slice(0, 200);
}

/** The value of a JSON text; undefined for any other text. */
export function parseJson(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}
