import { isObject, type JsonObject } from "@/lib/kernel/json";

/** A field of each message, or of the messages of one role. */
const OF_MESSAGES = /^messages\[(\w*)\]\.(\w+)$/;

/**
 * Takes out what a provider refuses: fields of the body, and fields of messages (`messages[].x`, `messages[user].x`).
 * Returns those that said something. The client's own messages stay as they are. Source: docs/protocols.md#s3-1.
 */
export function dropRefusedFields(body: JsonObject, refused: readonly string[]): string[] {
  const dropped: string[] = [];
  for (const path of refused) {
    const [, role, field] = OF_MESSAGES.exec(path) ?? [];
    const said = field === undefined ? dropField(body, path) : dropFromMessages(body, field, role ?? "");
    if (said) dropped.push(path);
  }
  return dropped;
}

function dropField(object: JsonObject, field: string): boolean {
  const value = object[field];
  delete object[field];
  return value != null;
}

function dropFromMessages(body: JsonObject, field: string, role: string): boolean {
  const { messages } = body;
  if (!Array.isArray(messages)) return false;
  const refused = (message: unknown): message is JsonObject =>
    isObject(message) && field in message && (role === "" || message.role === role);
  if (!messages.some(refused)) return false;
  let said = false;
  body.messages = messages.map((message: unknown) => {
    if (!refused(message)) return message;
    const copy = { ...message };
    if (dropField(copy, field)) said = true;
    return copy;
  });
  return said;
}
