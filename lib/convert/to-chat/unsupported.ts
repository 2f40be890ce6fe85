import type { Conversion } from "@/lib/convert/conversion";
import { messagesFields } from "@/lib/convert/field-table";
import { invalid } from "@/lib/kernel/errors";
import type { MessagesRequest } from "@/lib/protocols/messages/schema";

/**
 * Refuses messages fields that only a messages server can honour. Throws: INVALID_REQUEST.
 * Source: docs/protocols.md#s5-1, #g5.
 */
export function refuseUnsupported(request: MessagesRequest): void {
  for (const [field, value] of Object.entries(request)) {
    if (messagesFields[field]?.fate === "refused" && !isNothing(value)) {
      throw invalid(
        field,
        `${field} is state kept by a server and cannot be used with this model; remove it.`,
      );
    }
  }
}

/** Notes every field that does not reach the upstream. Source: docs/protocols.md#s5-1, #g10. */
export function warnOfDrops(request: MessagesRequest, conversion: Conversion): void {
  for (const [field, value] of Object.entries(request)) {
    if (isNothing(value)) continue;
    const rule = messagesFields[field];
    const usualSpeed = field === "speed" && value === "standard";
    if ((rule === undefined || rule.fate === "dropped") && !usualSpeed) conversion.warnings.dropped(field);
  }
  if (request.output_config?.task_budget != null) conversion.warnings.dropped("output_config.task_budget");
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}
