import * as anthropic from "@anthropic-ai/sdk";
import { APICallError } from "ai";
import * as anthropic0 from "anthropic-sdk-0";
import * as openai from "openai";
import * as openai6 from "openai-6";
import { describe, expect, test } from "vitest";
import { gatewayFor, type NodeSpec } from "../support/gateway-fixtures";
import { type DriverName, driverNames, drivers } from "./drivers";

// A node that fails often is not asked any more; each SDK spoils nodes of its own.
const ownNodes = driverNames.map((name) => [name, `own-${name.replace(/\W+/g, "-")}`] as const);

const gateway = gatewayFor({
  nodes: ownNodes.map(([, node]): NodeSpec => ({ name: node })),
  plans: [
    {
      id: 1,
      name: "Unlimited",
      qps: null,
      rpm: null,
      tpm: null,
      keyQuotaCents: 1_000_000,
      selfService: true,
    },
    { id: 2, name: "Once", qps: 1, rpm: 1, tpm: null, keyQuotaCents: 1_000_000, selfService: true },
  ],
  models: [
    { alias: "good", routes: [["chat", "sim-a"]] },
    { alias: "unreachable", routes: [["refusing", "sim-a"]] },
    { alias: "refused", routes: [["chat", "sim-400"]] },
    ...ownNodes.map(([, node]) => ({ alias: node, routes: [[node, "sim-500"] as [string, string]] })),
  ],
});

type ErrorClass = abstract new (...args: never[]) => Error;

interface Case {
  status: number;
  /** The key, and the model it asks for. */
  given(name: DriverName): Promise<{ key: string; model: string; maxTokens?: number }>;
  openai: ErrorClass;
  anthropic: ErrorClass;
}

const cases: Record<string, Case> = {
  INVALID_REQUEST: {
    status: 400,
    given: async () => ({ key: (await gateway.key()).key, model: "refused" }),
    openai: openai.BadRequestError,
    anthropic: anthropic.BadRequestError,
  },
  INVALID_API_KEY: {
    status: 401,
    given: async () => ({ key: "tgw-unknown", model: "good" }),
    openai: openai.AuthenticationError,
    anthropic: anthropic.AuthenticationError,
  },
  QUOTA_EXCEEDED: {
    status: 402,
    given: async () => ({ key: (await gateway.key({ quota: 0 })).key, model: "good" }),
    openai: openai.APIError,
    anthropic: anthropic.PaymentRequiredError,
  },
  FORBIDDEN: {
    status: 403,
    given: async () => ({ key: (await gateway.key({ models: ["refused"] })).key, model: "good" }),
    openai: openai.PermissionDeniedError,
    anthropic: anthropic.PermissionDeniedError,
  },
  MODEL_NOT_FOUND: {
    status: 404,
    given: async () => ({ key: (await gateway.key()).key, model: "no-such-model" }),
    openai: openai.NotFoundError,
    anthropic: anthropic.NotFoundError,
  },
  RATE_LIMITED: {
    status: 429,
    given: async () => {
      const { server } = gateway;
      const { key } = await gateway.key({ planId: 2 });
      await server.gateway("/v1/chat/completions", key, {
        model: "good",
        max_tokens: 1,
        messages: [{ role: "user", content: "the one that is allowed" }],
      });
      return { key, model: "good" };
    },
    openai: openai.RateLimitError,
    anthropic: anthropic.RateLimitError,
  },
  UPSTREAM_ERROR: {
    status: 502,
    given: async (name) => ({
      key: (await gateway.key()).key,
      model: new Map(ownNodes).get(name) ?? "",
    }),
    openai: openai.InternalServerError,
    anthropic: anthropic.InternalServerError,
  },
  NO_AVAILABLE_NODE: {
    status: 503,
    given: async () => ({ key: (await gateway.key()).key, model: "unreachable" }),
    openai: openai.InternalServerError,
    anthropic: anthropic.ServiceUnavailableError,
  },
};

describe.each(driverNames)("%s", (name) => {
  for (const [code, expected] of Object.entries(cases)) {
    test.each([false, true])(`raises its class for ${code}, with its code (streamed: %s)`, async (stream) => {
      const { server } = gateway;
      const given = await expected.given(name);
      const turns = [{ role: "user" as const, text: "Hello" }];
      const error = await drivers[name]({ url: server.url, stream, turns, ...given }).then(
        () => null,
        (thrown: unknown) => thrown,
      );
      const { status, word } = readError(name, error, expected);
      expect(status).toBe(expected.status);
      expect(word).toBe(code);
    });
  }
});

/** The status and our code as a program reads them from the SDK's error; asserts its class. */
function readError(name: DriverName, error: unknown, expected: Case): { status: unknown; word: unknown } {
  if (name === "openai") {
    expect(error).toBeInstanceOf(expected.openai);
    return error instanceof openai.APIError ? { status: error.status, word: error.code } : nothing();
  }
  if (name === "openai 6") {
    if (!(error instanceof openai6.APIError)) return nothing();
    expect(error.constructor.name).toBe(expected.openai.name);
    return { status: error.status, word: error.code };
  }
  if (name === "anthropic 0") return readFormerAnthropic(error, expected);
  if (name === "anthropic") {
    expect(error).toBeInstanceOf(expected.anthropic);
    if (!(error instanceof anthropic.APIError)) return nothing();
    return { status: error.status, word: error.errorCode };
  }
  expect(APICallError.isInstance(error)).toBe(true);
  if (!APICallError.isInstance(error)) return nothing();
  expect(error.isRetryable).toBe(expected.status === 429 || expected.status >= 500);
  const body: { error: { code: string } } = JSON.parse(error.responseBody ?? "{}");
  return { status: error.statusCode, word: body.error.code };
}

/** It has fewer classes, and no member for our code. */
function readFormerAnthropic(error: unknown, expected: Case): { status: unknown; word: unknown } {
  if (!(error instanceof anthropic0.APIError)) return nothing();
  if (expected.anthropic.name in anthropic0) expect(error.constructor.name).toBe(expected.anthropic.name);
  const body = error.error as { error: { details: { error_code: string } } };
  return { status: error.status, word: body.error.details.error_code };
}

function nothing(): never {
  throw new Error("the SDK raised something else");
}
