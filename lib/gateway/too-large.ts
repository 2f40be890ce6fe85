import { GatewayError } from "@/lib/kernel/errors";

/** The refusal of a body over the limit. Units: bytes. */
export function tooLarge(maxBytes: number): GatewayError {
  return new GatewayError("PAYLOAD_TOO_LARGE", `The request body is larger than ${maxBytes} bytes.`);
}
