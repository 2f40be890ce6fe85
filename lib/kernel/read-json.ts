import { withoutByteOrderMark } from "./byte-order-mark";
import { GatewayError, invalid } from "./errors";
import { type JsonBounds, type JsonShape, parseExact, type Span, scanJson } from "./exact-json";
import { nextTurn } from "./next-turn";

const MAX_DEPTH = 64;

/** Values that the JSON of a request may hold. Source: docs/reliability.md#s3-10. */
export const MAX_VALUES = 200_000;

/** The JSON of a request's body. */
export interface ReadJson {
  /** As received, without a byte order mark. */
  bytes: Buffer;
  body: unknown;
  /** How many members the outermost object has, counting repeated names. */
  members: number;
  /** Where the bytes of the outermost member `model` stand, if it is a text. */
  model: Span | null;
}

/** Removes no byte order mark, so that places in the text are places in the bytes. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

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
export function readJson(raw: Buffer, maxValues?: number): ReadJson {
  const bytes = withoutByteOrderMark(raw);
  const text = decoded(bytes);
  const shape = scanJson(text, requestBounds(maxValues));
  return received(bytes, text, shape, parsed(text, shape));
}

/** As `readJson`, but other work runs between the steps, each of which takes long for a large body. */
export async function readLargeJson(raw: Buffer, maxValues?: number): Promise<ReadJson> {
  const bytes = withoutByteOrderMark(raw);
  await nextTurn();
  const text = decoded(bytes);
  await nextTurn();
  const shape = scanJson(text, requestBounds(maxValues));
  await nextTurn();
  const body = parsed(text, shape);
  await nextTurn();
  return received(bytes, text, shape, body);
}

function received(bytes: Buffer, text: string, { members, model }: JsonShape, body: unknown): ReadJson {
  return { bytes, body, members, model: model && bytesOf(bytes, text, model) };
}

/** A part of a text as a part of its bytes. */
function bytesOf(bytes: Buffer, text: string, { start, end }: Span): Span {
  if (bytes.length === text.length) return { start, end };
  const length = Buffer.byteLength(text.slice(start, end));
  // The shorter side is counted: the model stands at the start or at the end of most bodies.
  const before =
    start < text.length / 2
      ? Buffer.byteLength(text.slice(0, start))
      : bytes.length - length - Buffer.byteLength(text.slice(end));
  return { start: before, end: before + length };
}

function parsed(text: string, { literals }: JsonShape): unknown {
  return readable(() => parseExact(text, literals));
}

function decoded(bytes: Buffer): string {
  if (bytes.length === 0) throw invalid("body", "The body is empty; a JSON object is wanted.");
  return readable(() => utf8.decode(bytes));
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
