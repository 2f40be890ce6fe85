import type { Random } from "../random";
import type { JsonObject, Protocol, RequestInput, Setting } from "../shapes";

/** Headers of clients, some of which reach the node. */
const headers: readonly Record<string, string>[] = [
  { "openai-beta": "assistants=v2" },
  { "anthropic-beta": "interleaved-thinking-2025-05-14,context-1m" },
  {
    "anthropic-beta": "x",
    "x-app": "cli",
    "x-claude-code-session-id": "session-9",
    "x-stainless-helper": "y",
  },
];
const baseUrls = [
  "https://api.anthropic.com",
  "https://eu.anthropic.com:443/v1",
  "https://example.com/anthropic.com",
];
const versions = ["2026-10-21", "2025-01-01", "2027-01-01"];

/** What a request comes with besides its body; mostly the usual. */
export function requestContext(random: Random, client: Protocol): Partial<RequestInput> {
  const context: JsonObject = {
    ...random.maybe(0.25, () => ({ headers: random.pick(headers) })),
    ...random.maybe(0.1, () => ({ baseUrl: random.pick(baseUrls) })),
    ...random.maybe(0.15, () => ({ maxOutputTokens: random.pick([500, 1_024, 4_096, 64_000]) })),
    ...random.maybe(0.15, () => ({ defaultMaxTokens: random.pick([256, 16_000]) })),
    ...random.maybe(0.15, () => ({ affordableOutput: random.pick([0, 6_000, 20_000]) })),
    ...random.maybe(0.1, () => ({ contextLeft: random.pick([-50, 3_000, 9_000]) })),
  };
  if (client === "messages" && random.chance(0.1)) context.version = random.pick(versions);
  if (client === "messages" && random.chance(0.05)) context.countTokens = true;
  return context;
}

/** Mostly the two settings that people use. */
export function settingFor(random: Random): Setting {
  const place = random.next();
  if (place < 0.45) return "standard";
  return place < 0.9 ? "lenient" : "strict";
}
