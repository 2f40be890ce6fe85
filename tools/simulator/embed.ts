import { createHash } from "node:crypto";
import { behaviourOf, isPlain } from "./behaviour";
import { tokensOf } from "./compose";
import { Refusal } from "./conversation";
import { textOf } from "./json";
import { errorScript, parseBody, type Script, wholeScript } from "./simulate";

const DIMENSIONS = 256;
const MAX_DIMENSIONS = 4_096;

/**
 * The answer of `POST /v1/embeddings`: the same input always gets the same vector, and texts that share words get
 * similar ones.
 */
export function simulateEmbeddings(bodyText: string): Script {
  try {
    const body = parseBody(bodyText);
    const model = textOf(body.model);
    const behaviour = behaviourOf(model);
    const inputs = inputsOf(body.input).map(wordsOf);
    const dimensions = dimensionsOf(body.dimensions);
    const isEncoded = body.encoding_format === "base64";
    const data = inputs.map(({ words }, index) => {
      const vector = vectorOf(words, dimensions);
      return { object: "embedding", index, embedding: isEncoded ? encoded(vector) : [...vector] };
    });
    const counted = behaviour.usage?.input ?? inputs.reduce((sum, { tokens }) => sum + tokens, 0);
    const usage = behaviour.noUsage ? null : { input: counted, cached: 0, output: 0, reasoning: 0 };
    const told = usage === null ? {} : { usage: { prompt_tokens: counted, total_tokens: counted } };
    const script = wholeScript("chat", 200, JSON.stringify({ object: "list", model, data, ...told }));
    return { ...script, model, behaviour, usage, plain: isPlain(behaviour) };
  } catch (error) {
    if (error instanceof Refusal) return errorScript("chat", error.status, error.message, error.param);
    throw error;
  }
}

/** Shape: one text, or one list of token ids, an entry. */
function inputsOf(input: unknown): unknown[] {
  if (typeof input === "string") return [input];
  if (!Array.isArray(input) || input.length === 0)
    throw new Refusal(400, "'$.input' is invalid. Please check the API reference.", "input");
  return typeof input[0] === "number" ? [input] : input;
}

function wordsOf(input: unknown): { words: string[]; tokens: number } {
  if (Array.isArray(input)) return { words: input.map((id) => `#${id}`), tokens: input.length };
  const text = textOf(input);
  return { words: text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [text], tokens: tokensOf(text) };
}

function dimensionsOf(value: unknown): number {
  if (value === undefined || value === null) return DIMENSIONS;
  const dimensions = Number(value);
  if (Number.isInteger(dimensions) && dimensions >= 1 && dimensions <= MAX_DIMENSIONS) return dimensions;
  throw new Refusal(400, `Invalid value for 'dimensions' = ${dimensions}.`, "dimensions");
}

/** The sum of one vector a word, with length 1. */
function vectorOf(words: readonly string[], dimensions: number): Float32Array {
  const sum = new Float32Array(dimensions);
  for (const word of words) addWord(sum, word);
  const length = Math.hypot(...sum) || 1;
  return sum.map((value) => value / length);
}

function addWord(sum: Float32Array, word: string): void {
  let state = createHash("sha256").update(word).digest().readUInt32LE(0) || 1;
  for (let at = 0; at < sum.length; at += 1) {
    state = Math.imul(state, 48_271) >>> 0 || 1;
    sum[at] = (sum[at] ?? 0) + state / 0xffffffff - 0.5;
  }
}

/** Little-endian 32-bit floats. */
function encoded(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * 4);
  return bytes.toString("base64");
}
