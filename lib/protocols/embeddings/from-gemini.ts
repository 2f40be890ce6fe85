import { invalid } from "@/lib/kernel/errors";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { OwnForm } from "@/lib/protocols/adapters/client-request";

/** The most contents of one request, as at Google. */
const MAX_CONTENTS = 100;

/** Fields that ask for something that other vendors' embeddings do not have. */
const lost = ["taskType", "title", "autoTruncate"];

/**
 * The body of `embedContent` or `batchEmbedContents` in the form of this endpoint: a text for one content, a list for
 * several. Throws: INVALID_REQUEST naming the client's field. Source: docs/embeddings.md#gemini.
 */
export function fromGemini(body: JsonObject): OwnForm {
  const { requests } = body;
  if (requests === undefined) {
    const input = textOf(body.content, "content");
    return ownForm(body, input, [dimensionsOf(body, "")], lostOf(body));
  }
  if (!Array.isArray(requests) || requests.length === 0 || requests.length > MAX_CONTENTS)
    throw invalid("requests", `requests must be a list of 1 to ${MAX_CONTENTS} entries.`);
  const entries = requests.map((entry: unknown, index) => {
    if (!isObject(entry)) throw invalid(`requests[${index}]`, `requests[${index}] must be an object.`);
    return entry;
  });
  const texts = entries.map((entry, index) => textOf(entry.content, `requests[${index}].content`));
  const dimensions = entries.map((entry, index) => dimensionsOf(entry, `requests[${index}].`));
  return ownForm(body, texts, dimensions, entries.flatMap(lostOf));
}

function ownForm(
  { model }: JsonObject,
  input: string | string[],
  dimensions: readonly (number | undefined)[],
  fields: readonly string[],
): OwnForm {
  const [first] = dimensions;
  const other = dimensions.findIndex((one) => one !== first);
  if (other >= 0) {
    const param = `requests[${other}].outputDimensionality`;
    throw invalid(param, `${param} must be the same in all requests.`);
  }
  const body: JsonObject = { model, input, encoding_format: "float" };
  if (first !== undefined) body.dimensions = first;
  return { body, losses: [...new Set(fields)].map((field) => `dropped:${field}`) };
}

function textOf(content: unknown, at: string): string {
  const parts = isObject(content) ? content.parts : undefined;
  if (!Array.isArray(parts) || parts.length === 0)
    throw invalid(`${at}.parts`, `${at}.parts must hold at least one text.`);
  const texts = parts.map((part: unknown, index) => {
    if (isObject(part) && typeof part.text === "string") return part.text;
    throw invalid(`${at}.parts[${index}]`, `${at}.parts[${index}] must be text.`);
  });
  const text = texts.join("\n");
  if (text === "") throw invalid(`${at}.parts`, `${at}.parts must not be empty.`);
  return text;
}

function dimensionsOf({ outputDimensionality, embedContentConfig: config }: JsonObject, at: string) {
  const wanted = outputDimensionality ?? (isObject(config) ? config.outputDimensionality : undefined);
  if (wanted == null) return undefined;
  if (Number.isSafeInteger(wanted) && Number(wanted) >= 1) return Number(wanted);
  const param = `${at}outputDimensionality`;
  throw invalid(param, `${param} must be a whole number of at least 1.`);
}

function lostOf(entry: JsonObject): string[] {
  return lost.filter((field) => entry[field] != null);
}
