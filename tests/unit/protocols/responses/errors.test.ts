import { describe, expect, test } from "vitest";
import { Admission } from "@/lib/admission/admission";
import { errorReply } from "@/lib/gateway/error-reply";
import { type ErrorCode, type ErrorDetails, GatewayError } from "@/lib/kernel/errors";
import { responsesErrors } from "@/lib/protocols/responses/client/errors";

function refusal(code: ErrorCode, details: ErrorDetails = {}, message = "Why.") {
  return responsesErrors.refusal?.(new GatewayError(code, message, details));
}

describe("R-36: refusals by which Codex waits or stops", () => {
  test("an exhausted quota is a final 429", () => {
    expect(refusal("QUOTA_EXCEEDED")).toEqual({
      status: 429,
      code: "insufficient_quota",
      message: "Why.",
      final: true,
    });
    expect(responsesErrors.types.QUOTA_EXCEEDED).toBe("insufficient_quota");
  });

  test("a quota that only running requests stand in the way of is a limit that passes", () => {
    expect(refusal("QUOTA_EXCEEDED", { retryAfterSeconds: 2 }, "Held.")).toEqual({
      status: 429,
      type: "rate_limit_error",
      code: "rate_limit_exceeded",
      message: "Held. Please try again in 2s.",
    });
  });

  test.each<[ErrorCode, number, string]>([
    ["RATE_LIMITED", 429, "rate_limit_exceeded"],
    ["MODEL_NOT_FOUND", 404, "model_not_found"],
    ["NO_AVAILABLE_NODE", 503, "server_is_overloaded"],
    ["INTERNAL_ERROR", 500, "server_error"],
    ["UPSTREAM_ERROR", 502, "server_error"],
    ["INVALID_API_KEY", 401, "invalid_api_key"],
  ])("%s is %d %s", (code, status, word) => {
    expect(refusal(code)).toEqual({ status, code: word, message: "Why." });
  });

  test("the vendor's own code wins", () => {
    expect(refusal("INVALID_REQUEST", { vendorCode: "context_length_exceeded" })).toMatchObject({
      status: 400,
      code: "context_length_exceeded",
    });
  });

  test("the message of a rate limit says when to try again, in the words that Codex reads", () => {
    const admission = new Admission({
      drain: { inFlight: 0, aborted: false },
      loop: { overloaded: false },
      ledger: { atCapacity: false },
      flood: { forAddress: () => 0, forKey: () => 0, forFreeCall: () => 11_500 },
      metrics: { refused() {} },
      random: () => 0,
      maxBodyBytes: 1,
    } as unknown as ConstructorParameters<typeof Admission>[0]); // only what the refusal of free calls reads
    const error = admission.ofFreeCall("k", "count", "Too many counts.");
    expect(error?.message).toBe("Too many counts. Please try again in 12s.");
    expect(error?.details).toMatchObject({ retryAfterSeconds: 12 });
  });
});

describe("a reply to a client of another protocol", () => {
  test("stays as it is: 402, with the code of the gateway", () => {
    const reply = errorReply(new GatewayError("QUOTA_EXCEEDED", "Why."), "chat", "r");
    expect(reply.status).toBe(402);
    expect(JSON.parse(String(reply.body)).error).toMatchObject({ code: "QUOTA_EXCEEDED", message: "Why." });
  });
});

describe("R-36: the codes inside a stream", () => {
  test.each<[string, ErrorCode, ErrorDetails]>([
    ["server_error", "UPSTREAM_ERROR", {}],
    ["server_error", "NO_AVAILABLE_NODE", {}],
    ["server_error", "INTERNAL_ERROR", {}],
    ["insufficient_quota", "QUOTA_EXCEEDED", {}],
    ["rate_limit_exceeded", "RATE_LIMITED", {}],
    ["invalid_prompt", "INVALID_REQUEST", {}],
    ["invalid_prompt", "UPSTREAM_ERROR", { reason: "content_policy" }],
    ["context_length_exceeded", "INVALID_REQUEST", { vendorCode: "context_length_exceeded" }],
  ])("%s for %s %o", (word, code, { reason, vendorCode }) => {
    const failure = { code, message: "Why.", requestId: "r" };
    const wire = responsesErrors.frame({
      ...failure,
      ...(reason === undefined ? {} : { reason }),
      ...(vendorCode === undefined ? {} : { vendorCode }),
    });
    expect(wire).toContain(`"error":{"code":"${word}","message":"Why."}`);
    expect(wire).toMatch(/^event: response\.failed\n.*\n\ndata: \[DONE\]\n\n$/);
  });
});

test("R-D12: how much of the quota is used is told in the headers of Codex's meter", () => {
  expect(responsesErrors.quotaHeaders?.(12.5, [])).toEqual({
    "x-codex-primary-used-percent": "12.5",
    "x-codex-primary-window-minutes": "525600",
  });
  const day = { usedPercent: 90.5, minutes: 1_440, resetsAtSeconds: 1_780_000_000 };
  const primary = {
    "x-codex-primary-used-percent": "90.5",
    "x-codex-primary-window-minutes": "1440",
    "x-codex-primary-reset-at": "1780000000",
  };
  expect(responsesErrors.quotaHeaders?.(12.5, [day])).toEqual(primary);
  expect(responsesErrors.quotaHeaders?.(12.5, [day, { ...day, usedPercent: 3, minutes: 43_200 }])).toEqual({
    ...primary,
    "x-codex-secondary-used-percent": "3",
    "x-codex-secondary-window-minutes": "43200",
    "x-codex-secondary-reset-at": "1780000000",
  });
});

test("limits are told as the vendor tells them", () => {
  const use = { limit: 20, used: 3, resetMs: 1_000 };
  expect(responsesErrors.limitHeaders({ rpm: use, tpm: { ...use, limit: null } }, 0)).toEqual({
    "x-ratelimit-limit-requests": "20",
    "x-ratelimit-remaining-requests": "17",
    "x-ratelimit-reset-requests": "1s",
  });
});
