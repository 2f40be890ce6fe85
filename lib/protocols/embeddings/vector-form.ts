import { isObject, type JsonObject } from "@/lib/kernel/json-object";

const FLOAT_BYTES = 4;
const asNumbers = /("embedding"\s*:\s*)(\[[-+.,\deE\s]*\])/g;
const asBase64 = /("embedding"\s*:\s*)"([A-Za-z0-9+/]*={0,2})"/g;

/**
 * Converts the vectors of an answer to the client's form if the node used the other one: the official SDK asks for
 * base64 by default and cannot read numbers. `asked`: the client's `encoding_format`; without one the vectors are not
 * changed. Source: docs/embeddings.md#answer.
 */
export function inForm(asked: unknown, { data }: JsonObject, json: string): string {
  const first: unknown = Array.isArray(data) ? data[0] : null;
  const isText = isObject(first) && typeof first.embedding === "string";
  if (asked === "base64" && !isText)
    return json.replace(asNumbers, (_, name: string, list: string) => `${name}"${packed(list)}"`);
  if (asked === "float" && isText)
    return json.replace(asBase64, (_, name: string, text: string) => `${name}${unpacked(text)}`);
  return json;
}

/** Little-endian 32-bit floats in base64. */
function packed(list: string): string {
  const numbers: number[] = JSON.parse(list);
  const bytes = Buffer.allocUnsafe(numbers.length * FLOAT_BYTES);
  numbers.forEach((number, index) => {
    bytes.writeFloatLE(number, index * FLOAT_BYTES);
  });
  return bytes.toString("base64");
}

function unpacked(text: string): string {
  const bytes = Buffer.from(text, "base64");
  const count = Math.floor(bytes.length / FLOAT_BYTES);
  return JSON.stringify(Array.from({ length: count }, (_, index) => bytes.readFloatLE(index * FLOAT_BYTES)));
}
