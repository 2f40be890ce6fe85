import { describe, expect, test } from "vitest";
import { readFailure } from "@/lib/protocols/failures/failure-body";
import { classifyFailure } from "@/lib/protocols/failures/failure-class";
import { LiteralSecrets } from "@/lib/protocols/failures/literal-secrets";
import { sanitise } from "@/lib/protocols/failures/sanitise";
import { vendorCode } from "@/lib/protocols/failures/vendor-code";
import type { UpstreamFailure } from "@/lib/protocols/generation/events";
import { protocols } from "@/lib/protocols/registry";
import { chatSse, messagesSse, streamThrough } from "./pipeline";

const failure = (status: number | null, rest: Partial<UpstreamFailure> = {}): UpstreamFailure => ({
  status,
  type: null,
  code: null,
  message: "",
  param: null,
  ...rest,
});

describe("what an upstream said when it refused", () => {
  test("is read from the bodies of both protocols", () => {
    const chat =
      '{"error":{"message":"bad","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}';
    expect(readFailure(400, chat)).toEqual({
      status: 400,
      type: "invalid_request_error",
      code: "context_length_exceeded",
      message: "bad",
      param: "messages",
    });
    const messages =
      '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"r"}';
    expect(readFailure(529, messages)).toMatchObject({
      status: 529,
      type: "overloaded_error",
      code: null,
      message: "Overloaded",
      param: null,
    });
  });

  test("is read from the other shapes that servers send", () => {
    expect(readFailure(500, '{"error":"broken"}').message).toBe("broken");
    expect(readFailure(422, '{"object":"error","message":"bad field","code":422}').message).toBe("bad field");
    expect(readFailure(404, '{"detail":"Not Found"}').message).toBe("Not Found");
    expect(readFailure(429, '[{"error":{"code":429,"message":"slow down"}}]').message).toBe("slow down");
    expect(readFailure(400, '{"errors":[{"message":"first"},{"message":"second"}]}').message).toBe("first");
    expect(readFailure(400, '{"error":["first"]}').message).toBe("first");
    expect(readFailure(422, '{"detail":[{"loc":["body"],"msg":"missing"}]}').message).toBe("missing");
    expect(readFailure(503, '{"error":true,"message":"down"}').message).toBe("down");
  });

  test("never shows HTML or an empty body", () => {
    for (const body of ["<html>secret-host</html>", "", "{}", '{"error":null}']) {
      expect(readFailure(502, body)).toEqual(
        failure(502, { message: "The upstream answered with status 502", ours: true }),
      );
    }
    for (const body of ["null", "secret words", "[1]"])
      expect(readFailure(502, body).message).toBe("The upstream answered with status 502");
  });

  test("EC-127: an error on a 200 has the status its words stand for", () => {
    const chat = streamThrough(
      { upstream: "chat", client: "messages" },
      chatSse([{ error: { message: "slow", type: "rate_limit_error" } }]),
    );
    expect(chat.failure?.status).toBe(429);
    const coded = streamThrough(
      { upstream: "chat", client: "chat" },
      chatSse([{ error: { message: "down", code: 503 }, choices: [] }]),
    );
    expect(coded.failure?.status).toBe(503);
    const error = { type: "error", error: { type: "authentication_error", message: "bad key" } };
    const messages = streamThrough({ upstream: "messages", client: "messages" }, messagesSse([error]));
    expect(messages.failure?.status).toBe(401);
  });
});

describe("the frame of a broken stream", () => {
  const told = { code: "UPSTREAM_ERROR", message: "It broke", requestId: "req_1" } as const;

  test("is an error event for messages clients", () => {
    expect(protocols.messages.errors.frame(told)).toBe(
      'event: error\ndata: {"type":"error","error":{"type":"api_error","message":"It broke","details":{"error_code":"UPSTREAM_ERROR"}},"request_id":"req_1"}\n\n',
    );
  });

  test("is an error object for chat clients", () => {
    expect(protocols.chat.errors.frame(told)).toBe(
      'data: {"error":{"message":"It broke","type":"server_error","code":"UPSTREAM_ERROR","param":null}}\n\n',
    );
  });

  test("and keep-alives are comments, for messages clients events once the stream has begun", () => {
    expect(protocols.chat.ping(true)).toBe(": ping\n\n");
    expect(protocols.messages.ping(false)).toBe(": ping\n\n");
    expect(protocols.messages.ping(true)).toBe('event: ping\ndata: {"type":"ping"}\n\n');
  });
});

describe("what a failure means", () => {
  test.each([
    [400, "client", false, 400, "none"],
    [401, "ours", true, 502, "credential"],
    [402, "ours", true, 503, "billing"],
    [403, "ours", true, 502, "credential"],
    [404, "ours", true, 502, "soft"],
    [405, "ours", true, 502, "soft"],
    [408, "upstream", true, 502, "soft"],
    [409, "upstream", true, 502, "soft"],
    [413, "client", false, 413, "none"],
    [415, "ours", true, 502, "soft"],
    [418, "ours", true, 502, "soft"],
    [422, "client", false, 400, "none"],
    [425, "upstream", true, 502, "soft"],
    [429, "ours", true, 503, "cooldown"],
    [500, "upstream", true, 502, "soft"],
    [502, "upstream", true, 502, "soft"],
    [503, "upstream", true, 503, "cooldown"],
    [504, "upstream", true, 502, "soft"],
    [522, "upstream", true, 502, "soft"],
    [529, "upstream", true, 503, "cooldown"],
    [300, "upstream", true, 502, "soft"],
    [302, "upstream", true, 502, "soft"],
    [304, "upstream", true, 502, "soft"],
    [308, "upstream", true, 502, "soft"],
    [451, "ours", true, 502, "soft"],
  ] as const)("EC-134…137: status %i", (status, fault, failover, clientStatus, health) => {
    expect(classifyFailure("status", failure(status))).toMatchObject({
      fault,
      failover,
      clientStatus,
      health,
    });
  });

  test("no connection is 503, no answer in time and an unreadable answer are 502", () => {
    expect(classifyFailure("connect", null)).toMatchObject({
      clientStatus: 503,
      code: "NO_AVAILABLE_NODE",
      health: "hard",
      failover: true,
    });
    expect(classifyFailure("timeout", null)).toMatchObject({
      clientStatus: 502,
      health: "soft",
      failover: true,
    });
    expect(classifyFailure("answer", failure(null))).toMatchObject({
      clientStatus: 502,
      health: "soft",
      failover: true,
    });
    expect(classifyFailure("answer", failure(529))).toMatchObject({ clientStatus: 503 });
  });

  test("EC-136: a 400 about our account is ours", () => {
    for (const code of [
      "enforced_spend_limit_reached",
      "contract_spend_limit_reached",
      "ramp_limit_exceeded",
      "organization_on_hold",
    ]) {
      expect(classifyFailure("status", failure(400, { code }))).toMatchObject({
        fault: "ours",
        failover: true,
        clientStatus: 503,
        code: "NO_AVAILABLE_NODE",
        health: "billing",
      });
    }
    const poor = failure(400, { message: "Your credit balance is too low to access the API" });
    expect(classifyFailure("status", poor)).toMatchObject({ health: "billing" });
    expect(classifyFailure("status", failure(429, { code: "insufficient_quota" }))).toMatchObject({
      health: "billing",
      clientStatus: 503,
    });
  });

  test("a parameter that the upstream does not take is ours, but the client's 400", () => {
    expect(classifyFailure("status", failure(400, { code: "unsupported_parameter" }))).toMatchObject({
      fault: "ours",
      failover: false,
      clientStatus: 400,
    });
  });

  test("clients find the code they look for", () => {
    expect(vendorCode(failure(400, { message: "prompt is too long: 300000 tokens" }))).toBe(
      "context_length_exceeded",
    );
    expect(vendorCode(failure(400, { code: "content_filter" }))).toBe("content_filter");
    expect(vendorCode(failure(400, { message: "bad" }))).toBeNull();
  });
});

describe("a message for clients", () => {
  const secrets = new LiteralSecrets({ credentials: [], headerValues: [], hosts: ["api.vendor.example"] });
  const names = { alias: "my-alias", upstreamModel: "vendor/gpt-9-2026", secrets };

  test("shows neither keys, addresses, hosts nor ids, and the alias for the model", () => {
    const message =
      "Incorrect API key provided: sk-proj-abc123DEF456. Model vendor/gpt-9-2026 of org-AbCdEf123456 at https://api.vendor.example/v1?x=1 " +
      "(10.0.0.7:8080, api.vendor.com, localhost:3000), Bearer abc.def123, 123e4567-e89b-12d3-a456-426614174000";
    const clean = sanitise(message, names);
    expect(clean).not.toMatch(/sk-|org-|https?:|vendor|10\.0|localhost|abc\.def|123e4567/);
    expect(clean).toContain("Model my-alias of [id]");
    expect(clean).toMatch(/^Incorrect API key provided: \[key\]/);
  });

  test("about the request keeps the caller's own addresses, but for the node's and for keys", () => {
    const own = "https://cdn.example.com/550e8400-e29b-41d4-a716-446655440000/cat.png?w=2";
    const message = `Cannot fetch ${own} or http://localhost:3000/a from api.vendor.example:443/v1 with sk-abcdef123456`;
    expect(sanitise(message, { ...names, aboutRequest: true })).toBe(
      `Cannot fetch ${own} or http://localhost:3000/a from [host] with [key]`,
    );
  });

  test("says the alias for the model's whole name only", () => {
    const short = { ...names, upstreamModel: "o1" };
    expect(sanitise("o1 and foo1bar, models/o1-2025, o12", short)).toBe(
      "my-alias and foo1bar, models/my-alias-2025, o12",
    );
  });

  test("leaves ordinary words alone", () => {
    const message =
      "messages: key_value pairs of project_management must be in request_format; use temperature 0.7, see claude-3.5";
    expect(sanitise(message, names)).toBe(message);
  });

  test("of any form is cleaned in time in proportion to its length", () => {
    const begin = performance.now();
    for (const piece of ["a.", "key-", "org-", "sk-", "1.", "a-", "http://"])
      sanitise(piece.repeat(20_000), names);
    expect(performance.now() - begin).toBeLessThan(1_500);
  });

  test("is at most 2 KiB and never cuts a character", () => {
    const clean = sanitise("北".repeat(5_000), names);
    expect(new TextEncoder().encode(clean).length).toBeLessThanOrEqual(2048);
    expect(clean).toMatch(/^北+…$/);
    expect(sanitise("x".repeat(1_000_000), names).length).toBeLessThanOrEqual(2048);
  });
});
