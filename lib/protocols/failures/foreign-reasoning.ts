import type { UpstreamFailure } from "@/lib/protocols/generation/events";

/** The words of vendors for reasoning that they cannot read because another account, model or vendor has sealed it. */
const words: readonly RegExp[] = [
  // OpenAI, Azure
  /encrypted content .{0,120}could not be (?:verified|decrypted)|not issued to this caller/i,
  // xAI
  /could not (?:decrypt the provided encrypted_content|decode the compaction blob)/i,
  // Anthropic, also through Bedrock and Vertex
  /invalid `?(?:signature|data)`? in `?(?:redacted_)?thinking`? block/i,
  /thinking\.signature(?:\.\w+)?: (?:field required|input should be a valid string)/i,
  // Google
  /(?:corrupted|invalid) thought signature|thought signature is not valid|thought_signature/i,
];

/** True for a refusal of reasoning that another account or vendor has sealed. Source: docs/responses.md#s3-3. */
export function isAboutReasoning({ status, code, message }: UpstreamFailure): boolean {
  if (status !== 400) return false;
  return code === "invalid_encrypted_content" || words.some((word) => word.test(message));
}
