import { GatewayError } from "@/lib/kernel/errors";

/** The error of one bad field; the message reads after the field's name, like `must be in the future`. Throws: nothing. */
export function badField(field: string, message: string): GatewayError {
  return new GatewayError("INVALID_REQUEST", `\`${field}\` ${message}.`, {
    param: field,
    fields: { [field]: [message] },
  });
}
