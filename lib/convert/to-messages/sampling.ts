import { clampTemperature } from "@/lib/convert/chat-temperature";
import type { Conversion } from "@/lib/convert/conversion";
import type { ThinkingPlan } from "@/lib/convert/to-messages/thinking";
import type { JsonObject } from "@/lib/kernel/json";
import type { ChatRequest } from "@/lib/protocols/chat/schema";

const neutral: Record<string, number> = { temperature: 1, top_p: 1 };

/** temperature, top_p and top_k as far as the model takes them now. Source: docs/protocols.md#s4-1, #s4-2, #d2. */
export function convertSampling(
  request: ChatRequest,
  plan: ThinkingPlan,
  conversion: Conversion,
): JsonObject {
  const { profile, warnings } = conversion;
  const wanted: JsonObject = {};
  for (const field of ["temperature", "top_p", "top_k"])
    if (request[field] != null) wanted[field] = request[field];
  clampTemperature(wanted, conversion);
  // Several servers read -1 as "no limit", which is what leaving it out means here.
  if (typeof wanted.top_k === "number" && wanted.top_k < 1) delete wanted.top_k;
  if (profile.sampling !== "full" || plan.mode !== "off") {
    for (const field of Object.keys(wanted)) if (wanted[field] !== neutral[field]) warnings.dropped(field);
    return {};
  }
  if (wanted.temperature !== undefined && wanted.top_p !== undefined && !profile.tempAndTopP) {
    if (wanted.top_p !== 1) warnings.dropped("top_p");
    delete wanted.top_p;
  }
  return wanted;
}
