import { describe, expect, it } from "vitest";
import { retryAfterSeconds } from "@/lib/admission/admission";
import { chatErrors } from "@/lib/protocols/chat/client/errors-and-limits";
import { messagesAdapter } from "@/lib/protocols/messages/adapter";
import { durationText } from "@/lib/protocols/wire/vendor-limits";

const state = {
  qps: { limit: 2, used: 1, resetMs: 1_000 },
  rpm: { limit: 20, used: 3, resetMs: 59_500 },
  tpm: { limit: 40_000, used: 64_000, resetMs: 360_000 },
};

describe("rate-limit headers", () => {
  it.each([
    [0, "0s"],
    [0.2, "1ms"],
    [120, "120ms"],
    [1_000, "1s"],
    [8_640, "8.64s"],
    [60_000, "1m0s"],
    [90_500, "1m30.5s"],
    [360_000, "6m0s"],
    [3_600_000, "1h0m0s"],
  ])("writes %d ms as the chat vendor does: %s", (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });

  it("speaks of RPM as requests and of TPM as tokens on chat", () => {
    expect(chatErrors.limitHeaders(state, 0)).toEqual({
      "x-ratelimit-limit-requests": "20",
      "x-ratelimit-remaining-requests": "17",
      "x-ratelimit-reset-requests": "59.5s",
      "x-ratelimit-limit-tokens": "40000",
      "x-ratelimit-remaining-tokens": "0",
      "x-ratelimit-reset-tokens": "6m0s",
    });
  });

  it("speaks of RPM as requests and of TPM as tokens on messages, with RFC 3339 resets", () => {
    expect(messagesAdapter.errors.limitHeaders(state, Date.UTC(2026, 0, 1))).toEqual({
      "anthropic-ratelimit-requests-limit": "20",
      "anthropic-ratelimit-requests-remaining": "17",
      "anthropic-ratelimit-requests-reset": "2026-01-01T00:01:00Z",
      "anthropic-ratelimit-tokens-limit": "40000",
      "anthropic-ratelimit-tokens-remaining": "0",
      "anthropic-ratelimit-tokens-reset": "2026-01-01T00:06:00Z",
    });
  });

  it("says nothing about a limit that is none", () => {
    const none = { limit: null, used: 9, resetMs: 5 };
    expect(chatErrors.limitHeaders({ rpm: none, tpm: none }, 0)).toEqual({});
    expect(messagesAdapter.errors.limitHeaders({ rpm: none, tpm: none }, 0)).toEqual({});
  });

  it("rounds Retry-After up to whole seconds, at least 1", () => {
    expect([0, 1, 1_000, 1_001].map(retryAfterSeconds)).toEqual([1, 1, 1, 2]);
  });
});
