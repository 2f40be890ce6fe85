import { isObject, type JsonObject } from "@/lib/kernel/json";
import type { UpstreamFailure } from "@/lib/protocols/generation/events";

/**
 * Members that name a record which a vendor looks up for the caller: a file, a container, a skill, a conversation, a
 * prompt, a store, an earlier answer. Ids that only pair a call with its result are none.
 */
const names: ReadonlySet<string> = new Set([
  "container",
  "container_id",
  "conversation",
  "connector_id",
  "file_id",
  "file_ids",
  "previous_message_id",
  "previous_response_id",
  "prompt",
  "prompt_id",
  "session_id",
  "skill_id",
  "user_profile_id",
  "vector_store_ids",
  "voice",
  "workspace_id",
]);
/** Members with an id of their own whose record the vendor keeps: `{type: "item_reference", id}`, `audio: {id}`. */
const holders: ReadonlySet<string> = new Set(["audio", "conversation", "container", "prompt", "voice"]);

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
  return namesRecord(body, "");
}

function namesRecord(value: unknown, holder: string): boolean {
  if (Array.isArray(value)) return value.some((entry) => namesRecord(entry, holder));
  if (!isObject(value)) return false;
  const hasId = typeof value.id === "string" && value.id !== "";
  if (hasId && (holders.has(holder) || value.type === "item_reference")) return true;
  return Object.entries(value).some(
    ([name, entry]) => (names.has(name) && isName(entry)) || namesRecord(entry, name),
  );
}

function isName(value: unknown): boolean {
  return (typeof value === "string" && value !== "") || (Array.isArray(value) && value.some(isName));
}
