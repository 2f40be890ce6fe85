import type { Conversion } from "@/lib/convert/conversion";
import { chatFields } from "@/lib/convert/field-table";
import { invalid } from "@/lib/kernel/errors";
import { isObject } from "@/lib/kernel/json";
import type { ChatRequest } from "@/lib/protocols/chat/schema";
import { refusedHere } from "@/lib/protocols/generation/compatibility";

/**
 * Refuses chat fields that change the answer and cannot be expressed. Throws: INVALID_REQUEST.
 * Source: docs/protocols.md#s4-1, #s4-2, #g5.
 */
export function refuseUnsupported(request: ChatRequest, conversion: Conversion): void {
  refuseChoices(request, conversion);
  if (request.max_output_tokens != null) {
    throw invalid("max_output_tokens", "max_output_tokens is not a field here; use max_completion_tokens.");
  }
  if (request.audio != null) throw invalid("audio", "audio: this model answers in text only.");
  const modalities = Array.isArray(request.modalities) ? request.modalities : [];
  if (modalities.some((modality) => modality !== "text"))
    throw invalid("modalities", 'modalities must be ["text"]: this model answers in text only.');
  if (blocksByModeration(request.moderation)) {
    throw invalid(
      "moderation",
      "moderation: this model cannot enforce a blocking policy; remove it or use another model.",
    );
  }
}

function refuseChoices({ n }: ChatRequest, { context, warnings }: Conversion): void {
  if (n == null || n === 1) return;
  if (context.compatibility !== "lenient")
    throw refusedHere("n", "n must be 1: this model gives one choice.", "one is asked for");
  warnings.dropped("n");
}

function blocksByModeration(value: unknown): boolean {
  if (value === "block") return true;
  if (Array.isArray(value)) return value.some(blocksByModeration);
  return isObject(value) && Object.values(value).some(blocksByModeration);
}

/** Notes every field that does not reach the upstream. Source: docs/protocols.md#s4-1, #s4-2, #g10. */
export function warnOfDrops(request: ChatRequest, conversion: Conversion): void {
  for (const [field, value] of Object.entries(request)) {
    if (value === null || value === undefined) continue;
    const rule = chatFields[field];
    if (rule === undefined) conversion.warnings.dropped(field);
    else if (rule.fate === "dropped" && !isEmptyHint(value)) conversion.warnings.dropped(field);
  }
}

// A zero penalty or an empty map asks for nothing.
function isEmptyHint(value: unknown): boolean {
  if (value === 0 || value === false || value === "") return true;
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
