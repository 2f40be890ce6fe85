import type { UpstreamFailure } from "@/lib/protocols/generation/events";

const contextPhrase =
  /prompt is too long|maximum context length|context window|too many tokens|token count .{0,60}exceeds/i;

/**
 * The error code of a relayed refusal that chat clients evaluate; null when there is none. Source:
 * docs/protocols.md#s13-3, #s13-4.
 */
export function vendorCode(failure: UpstreamFailure): string | null {
  if (failure.code === "context_length_exceeded" || contextPhrase.test(failure.message)) {
    return "context_length_exceeded";
  }
  if (failure.type === "request_too_large") return "request_too_large";
  return failure.code === "content_filter" ? "content_filter" : null;
}
