import { countPromptTokens } from "@/lib/billing/prompt-tokens";
import { validateRequest } from "@/lib/convert/validate";
import { readVersion } from "@/lib/convert/version";
import { runtime } from "@/lib/runtime";
import { authenticate } from "./authenticate";
import type { Call } from "./call";
import { rateLimited } from "./rate-limited";
import { checkBodyHeaders, readRequest } from "./read-request";
import { jsonReply, type Reply } from "./reply";
import { resolveModel } from "./resolve-model";

/**
 * POST /v1/messages/count_tokens: system, tools and messages together; not billed, 60 a minute per key.
 * Throws: INVALID_API_KEY, RATE_LIMITED, INVALID_REQUEST, MODEL_NOT_FOUND, FORBIDDEN. Source: protocol 15.2.
 */
export async function countTokens(call: Call): Promise<Reply> {
  checkBodyHeaders(call);
  const key = await authenticate(call);
  const waitMs = runtime().flood.forCountTokens(key.keyId);
  if (waitMs > 0) throw rateLimited("60 token counts a minute are allowed.", waitMs);
  const request = await readRequest(call);
  resolveModel(request.model, key);
  const body = validateRequest(request.body, "messages", {
    compatibility: runtime().settings.compatibility,
    version: readVersion(call.headers),
    countTokens: true,
  });
  return jsonReply(200, { input_tokens: await countPromptTokens(body, runtime().tokens) });
}
