import { GatewayError } from "@/lib/kernel/errors";

/**
 * An INVALID_REQUEST error for one field; `message` continues the field's name, e.g. `must be in the future`. Throws:
 * nothing.
 */
export function badField(field: string, message: string): GatewayError {
  return new GatewayError("INVALID_REQUEST", `\`${field}\` ${message}.`, {
    param: field,
    fields: { [field]: [message] },
  });
}
