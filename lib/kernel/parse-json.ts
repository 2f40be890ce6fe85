import { parseExact } from "./exact-json";

/** The value of a JSON text; undefined for any other text. */
export function parseJson(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}
