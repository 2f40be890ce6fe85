import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { UpstreamFailure } from "@/lib/protocols/generation/events";

/** Members by which a request names a record that a vendor looks up: a file, a skill, a store, an earlier answer. */
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
/** Members that are such an id, or an object with one. */
const records: ReadonlySet<string> = new Set(["audio", "container", "conversation", "prompt", "voice"]);
/** Members that hold words of the model or of tools, whatever they are called inside. */
const foreign: ReadonlySet<string> = new Set([
  "arguments",
  "input_schema",
  "json_schema",
  "metadata",
  "parameters",
  "schema",
]);

/**
 * True for a 404 that the caller's own request may have caused: it names a record, and the node does not say that the
 * model is unknown. Nothing of the node is wrong then. Source: docs/protocols.md#s13-3.
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

/** `input` is a tool's where it is an object, else the history of a request. */
function isForeign(name: string, value: unknown): boolean {
  return foreign.has(name) || (name === "input" && isObject(value));
}

function isText(value: unknown): boolean {
  return (typeof value === "string" && value !== "") || (Array.isArray(value) && value.some(isText));
}
