import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { UpstreamFailure } from "@/lib/protocols/generation/events";

/** Members of a request with the id of a record at the vendor: a file, a skill, a store, an earlier answer. */
const recordIds: ReadonlySet<string> = new Set([
  "connector_id",
  "container_id",
  "file_id",
  "file_ids",
  "previous_message_id",
  "previous_response_id",
  "skill_id",
  "vector_store_ids",
]);
/** Members that are such an id, or an object with such an id. */
const records: ReadonlySet<string> = new Set(["audio", "container", "conversation", "prompt", "voice"]);
/** Members with data of the model or of tools; the names inside them are not checked. */
const foreign: ReadonlySet<string> = new Set([
  "arguments",
  "input_schema",
  "json_schema",
  "metadata",
  "parameters",
  "schema",
]);

/**
 * True for a 404 that the caller's own request may have caused: the request names a record, and the error is not about
 * an unknown model. The node then has no fault. Source: docs/protocols.md#s13-3.
 */
export function isAboutNamedRecord(
  failure: UpstreamFailure,
  body: JsonObject,
  upstreamModel: string,
): boolean {
  if (failure.status !== 404 || failure.code === "model_not_found") return false;
  if (failure.ours === true || failure.message.includes(upstreamModel)) return false;
  return isText(body.container) || isText(body.conversation) || namesRecord(body, "");
}

function namesRecord(value: unknown, holder: string): boolean {
  if (Array.isArray(value)) return value.some((entry) => namesRecord(entry, holder));
  if (!isObject(value)) return false;
  if (isText(value.id) && (records.has(holder) || value.type === "item_reference")) return true;
  return Object.entries(value).some(([name, entry]) => {
    if (recordIds.has(name) && isText(entry)) return true;
    return !isForeign(name, entry) && namesRecord(entry, name);
  });
}

/** `input` belongs to a tool if it is an object, else it is the history of a request. */
function isForeign(name: string, value: unknown): boolean {
  return foreign.has(name) || (name === "input" && isObject(value));
}

function isText(value: unknown): boolean {
  return (typeof value === "string" && value !== "") || (Array.isArray(value) && value.some(isText));
}
