import { hasOnlyFields, isObject } from "@/lib/kernel/json-object";
import { readChatUsage } from "@/lib/protocols/chat/usage";
import type { GenerationEvent } from "@/lib/protocols/generation/events";
import { servedBy } from "@/lib/protocols/generation/served-tier";
import { searchesOfUsage } from "./searches";

const plainBody: ReadonlySet<string> = new Set([
  "id",
  "object",
  "created",
  "model",
  "choices",
  "usage",
  "system_fingerprint",
  "service_tier",
]);

const plainChoice: ReadonlySet<string> = new Set(["index", "message", "logprobs", "finish_reason"]);

const plainMessage: ReadonlySet<string> = new Set(["role", "content", "refusal"]);

/**
 * The events of a whole answer that needs no repair: one choice with text, and valid counts. Null for every other form,
 * which `ChatDecoder` reads; its events would be the same.
 */
export function plainChatEvents(body: unknown, asked = 1): GenerationEvent[] | null {
  if (asked !== 1 || !isObject(body) || !hasOnlyFields(body, plainBody) || body.object === "error")
    return null;
  const { id, model, choices, usage } = body;
  if (typeof id !== "string" || id === "" || typeof model !== "string" || !isObject(usage)) return null;
  const choice: unknown = Array.isArray(choices) && choices.length === 1 ? choices[0] : null;
  if (!isObject(choice) || !hasOnlyFields(choice, plainChoice) || choice.index !== 0) return null;
  if (isObject(choice.logprobs)) return null;
  const { message, finish_reason: native } = choice;
  if (native !== "stop" && native !== "length") return null;
  if (!isObject(message) || !hasOnlyFields(message, plainMessage)) return null;
  const { role, content, refusal } = message;
  if (role !== "assistant" || typeof content !== "string" || content === "") return null;
  const read = refusal === null || refusal === undefined ? readChatUsage(usage) : null;
  if (read === null || read.warnings.length > 0 || (searchesOfUsage(usage) ?? 0) > 0) return null;
  return [
    { type: "start", id, model },
    { type: "text", text: content },
    { type: "usage", usage: { ...read.usage, ...servedBy(body.service_tier) } },
    { type: "finish", reason: native === "stop" ? "end" : "length", native },
    { type: "end" },
  ];
}
