import { hasOnlyFields, isObject } from "@/lib/kernel/json-object";
import { count } from "@/lib/protocols/generation/counts";
import type { GenerationEvent, PartialUsage } from "@/lib/protocols/generation/events";
import { mergeMessagesUsage } from "@/lib/protocols/messages/usage";
import { hostedTotals } from "./hosted-calls";

const plainBody: ReadonlySet<string> = new Set([
  "id",
  "type",
  "role",
  "model",
  "content",
  "stop_reason",
  "stop_sequence",
  "usage",
]);

const plainBlock: ReadonlySet<string> = new Set(["type", "text"]);

/**
 * The events of a whole answer with text only and valid counts. Null for every other form, which `MessagesDecoder`
 * reads; its events would be the same.
 */
export function plainMessagesEvents(body: unknown): GenerationEvent[] | null {
  if (!isObject(body) || !hasOnlyFields(body, plainBody) || body.type !== "message") return null;
  const { id, model, content, stop_reason: native, usage: raw } = body;
  if (typeof id !== "string" || id === "" || typeof model !== "string" || !isObject(raw)) return null;
  if (!Array.isArray(content) || (native !== "end_turn" && native !== "max_tokens")) return null;
  if (body.stop_sequence !== null || count(raw.output_tokens) === undefined) return null;
  const usage: PartialUsage = {};
  if (mergeMessagesUsage(usage, raw).length > 0) return null;
  if (hostedTotals(raw).some(([, total]) => total > 0)) return null;
  const events: GenerationEvent[] = [
    { type: "start", id, model },
    { type: "usage", usage, early: true },
  ];
  for (const block of content) {
    if (!isObject(block) || !hasOnlyFields(block, plainBlock) || block.type !== "text") return null;
    if (typeof block.text !== "string" || block.text === "") return null;
    events.push({ type: "text", text: block.text });
  }
  const reason = native === "end_turn" ? "end" : "length";
  events.push({ type: "usage", usage }, { type: "finish", reason, native }, { type: "end" });
  return events;
}
