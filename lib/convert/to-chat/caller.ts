import type { Conversion } from "@/lib/convert/conversion";
import { anonymous } from "@/lib/kernel/hash";
import { isObject, type JsonObject } from "@/lib/kernel/json";
import type { MessagesRequest } from "@/lib/protocols/messages/schema";

/**
 * Who asks and in which session, hashed, in the fields that the chat node has for it. Source: docs/protocols.md#s5-1.
 */
export function callerFields(request: MessagesRequest, conversion: Conversion): JsonObject {
  const { context, profile } = conversion;
  const userId = request.metadata?.user_id;
  const fields: JsonObject = {};
  if (userId != null && userId !== "" && profile.userField !== null) {
    fields[profile.userField] = anonymous(context.provenanceKey, userId);
  }
  const session = context.headers?.["x-claude-code-session-id"] ?? sessionOf(userId);
  if (session !== undefined && profile.promptCacheKey) {
    fields.prompt_cache_key = anonymous(context.provenanceKey, session);
  }
  return fields;
}

function sessionOf(userId: string | null | undefined): string | undefined {
  if (userId == null) return undefined;
  const inJson = userId.startsWith("{") ? jsonSession(userId) : undefined;
  return inJson ?? /_session_([0-9a-f-]{8,})/i.exec(userId)?.[1];
}

function jsonSession(text: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) && typeof parsed.session_id === "string" ? parsed.session_id : undefined;
  } catch {
    return undefined;
  }
}
