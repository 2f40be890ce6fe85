import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { classifyFailure } from "@/lib/protocols/failures/failure-class";
import { isAboutReasoning } from "@/lib/protocols/failures/foreign-reasoning";
import { vendorCode } from "@/lib/protocols/failures/vendor-code";
import { nodeAdapters } from "@/lib/protocols/registry";

const { readFailure } = nodeAdapters.gemini;

function failure(code: number, status: string, message: string, details: JsonObject[] = []) {
  return readFailure(code, JSON.stringify({ error: { code, message, status, details } }));
}

const type = (name: string) => ({ "@type": `type.googleapis.com/google.rpc.${name}` });

/** Source: docs/gemini.md#errors. */
describe("an error of Google", () => {
  test.each([
    [400, "INVALID_ARGUMENT", "contents is not specified", [], { fault: "client", failover: false }],
    [
      400,
      "INVALID_ARGUMENT",
      "API key not valid. Please pass a valid API key.",
      [{ ...type("ErrorInfo"), reason: "API_KEY_INVALID" }],
      { health: "credential", failover: true },
    ],
    [400, "INVALID_ARGUMENT", "API key expired. Please renew the API key.", [], { health: "credential" }],
    [401, "UNAUTHENTICATED", "Request had invalid authentication credentials.", [], { health: "credential" }],
    [403, "PERMISSION_DENIED", "The caller does not have permission", [], { health: "credential" }],
    [404, "NOT_FOUND", "models/x is not found for API version v1beta", [], { fault: "ours", failover: true }],
    [429, "RESOURCE_EXHAUSTED", "Resource has been exhausted", [], { health: "cooldown", failover: true }],
    [500, "INTERNAL", "An internal error has occurred", [], { health: "soft", failover: true }],
    [503, "UNAVAILABLE", "The model is overloaded.", [], { health: "cooldown", failover: true }],
    [504, "DEADLINE_EXCEEDED", "Deadline expired before operation could complete.", [], { failover: true }],
  ])("%i %s: %s", (code, status, message, details, wanted) => {
    const read = failure(code, status, message, details);
    expect(read).toMatchObject({ status: code, type: status, message });
    expect(classifyFailure("status", read, "gemini")).toMatchObject(wanted);
  });

  test("names its wait, which for a daily limit is the longest", () => {
    const retry = { ...type("RetryInfo"), retryDelay: "12.5s" };
    expect(failure(429, "RESOURCE_EXHAUSTED", "Quota exceeded", [retry]).retryAfter).toBe("12.5");
    const daily = { ...type("QuotaFailure"), violations: [{ quotaId: "GenerateRequestsPerDayPerProject" }] };
    expect(failure(429, "RESOURCE_EXHAUSTED", "Quota exceeded", [retry, daily]).retryAfter).toBe("86400");
    expect(failure(429, "RESOURCE_EXHAUSTED", "Quota exceeded").retryAfter).toBeUndefined();
  });

  test("may be in a list, and tells chat clients of a prompt that is too long", () => {
    const error = {
      code: 400,
      message: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048575).",
      status: "INVALID_ARGUMENT",
    };
    const read = readFailure(400, JSON.stringify([{ error }]));
    expect(read).toMatchObject({ status: 400, message: error.message });
    expect(vendorCode(read)).toBe("context_length_exceeded");
  });

  test("about a signature is one about reasoning", () => {
    const message = "Function call is missing a thought_signature in functionCall parts.";
    expect(isAboutReasoning(failure(400, "INVALID_ARGUMENT", message))).toBe(true);
  });
});
