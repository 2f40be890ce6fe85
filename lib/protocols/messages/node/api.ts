import { isObject } from "@/lib/kernel/json-object";
import type { NodeApi, TokenCount } from "@/lib/protocols/adapters/node-api";
import { count } from "@/lib/protocols/generation/counts";

/** Fields that the token counter refuses. Source: docs/protocols.md#s15-2. */
const uncounted: ReadonlySet<string> = new Set([
  "max_tokens",
  "stream",
  "temperature",
  "top_p",
  "top_k",
  "stop_sequences",
  "metadata",
  "service_tier",
]);

const FIRST_MODELS = "/v1/models?limit=1000";

/** How Messages nodes count tokens. Source: docs/protocols.md#s15-2. */
export const messagesCount: TokenCount = {
  path: () => "/v1/messages/count_tokens",
  body: (generation) =>
    Object.fromEntries(Object.entries(generation).filter(([name]) => !uncounted.has(name))),
  read: ({ input_tokens }) => count(input_tokens),
};

/** The endpoints of Messages nodes. The base URL is the root, without the version. Source: docs/contract.md#s3. */
export const messagesApi: NodeApi = {
  generation: () => "/v1/messages",
  tokenCount: messagesCount,
  models: { path: FIRST_MODELS, next: nextModels },
  credential: "x-api-key",
  headers: { "anthropic-version": "2023-06-01" },
  portableReasoning: /claude/i,
  reasoningIsSummary: true,
};

function nextModels(page: unknown): string | null {
  if (!isObject(page) || page.has_more !== true || typeof page.last_id !== "string") return null;
  const last = page.last_id.toWellFormed(); // a URL cannot contain half a surrogate pair
  return `${FIRST_MODELS}&after_id=${encodeURIComponent(last)}`;
}
