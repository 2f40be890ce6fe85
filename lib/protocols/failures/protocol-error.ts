import { GatewayError } from "@/lib/kernel/errors";
import type { UpstreamFailure } from "@/lib/protocols/generation/events";

/** An upstream that broke the rules of its own protocol; always UPSTREAM_ERROR for the caller. */
export class ProtocolError extends GatewayError {
  readonly failure: UpstreamFailure;

  constructor(message: string) {
    super("UPSTREAM_ERROR", message);
    this.name = "ProtocolError";
    this.failure = brokenAnswer(message);
  }
}

/** The failure of an answer that came with a good status but cannot be read. */
export function brokenAnswer(message: string): UpstreamFailure {
  return { status: null, type: "protocol_error", code: null, message, param: null, ours: true };
}
