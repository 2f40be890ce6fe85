import { invalid } from "@/lib/kernel/errors";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { NamedBytes } from "@/lib/kernel/model-name";
import { type ReadJson, readJson, readLargeJson } from "@/lib/kernel/read-json";
import type { PathCall } from "@/lib/protocols/adapters/client-request";

/** A body that is JSON and names a model; its fields are not validated yet. */
export interface RawRequest {
  /**
   * The body as received; null when it must not be sent like that: it was changed, or a name occurs twice, of which
   * parsers use either.
   */
  source: NamedBytes | null;
  body: JsonObject;
  model: string;
}

/**
 * Parses the result of `readBody`. `named`: the fields that the path sets. Throws: INVALID_REQUEST. Source:
 * docs/reliability.md#s3-10.
 */
export function parseRequest(raw: Buffer, maxValues?: number, named?: PathCall["fields"]): RawRequest {
  return requestOf(readJson(raw, maxValues), named);
}

/** Larger bodies are parsed in several turns of the event loop. Units: bytes. Source: docs/performance.md#s5. */
export const LARGE_BODY_BYTES = 256 * 1024;

/** As `parseRequest`, for a large body. */
export async function parseLargeRequest(
  raw: Buffer,
  maxValues?: number,
  named?: PathCall["fields"],
): Promise<RawRequest> {
  return requestOf(await readLargeJson(raw, maxValues), named);
}

function requestOf({ bytes, body, members, model }: ReadJson, named?: PathCall["fields"]): RawRequest {
  if (!isObject(body)) throw invalid("body", "The body must be a JSON object.");
  if (named !== undefined) return { source: null, body: { ...body, ...named }, model: named.model };
  if (typeof body.model !== "string" || body.model === "") {
    throw invalid("model", "`model` is required: the alias of a model, as listed by GET /v1/models.");
  }
  const isSendable = model !== null && members === Object.keys(body).length;
  return { source: isSendable ? { bytes, model } : null, body, model: body.model };
}
