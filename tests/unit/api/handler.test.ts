import { NextRequest } from "next/server";
import { describe, expect, test } from "vitest";
import { json, methods } from "@/lib/api/handler";
import { GatewayError } from "@/lib/kernel/errors";

const context = { params: Promise.resolve({}) };
const request = (method: string) => new NextRequest("http://gate.example/api/x", { method });
const route = methods({
  GET: async () => json(200, { hello: "world" }),
  PATCH: async () => {
    throw new GatewayError("RATE_LIMITED", "Slower.", { retryAfterSeconds: 3 });
  },
  DELETE: async () => {
    throw new Error("secret detail at db.internal");
  },
});

describe("a route", () => {
  test("gives every answer its id and keeps it out of caches", async () => {
    const response = await route.GET(request("GET"), context);
    expect(await response.json()).toEqual({ hello: "world" });
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("answers what it has no operation for with 405 and Allow, as JSON", async () => {
    const response = await route.POST(request("POST"), context);
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("GET, HEAD, PUT, PATCH, DELETE, OPTIONS");
    expect(await response.json()).toMatchObject({ error: { code: "METHOD_NOT_ALLOWED" } });
  });

  test("takes PUT for PATCH, and HEAD for GET without the body", async () => {
    const put = await route.PUT(request("PUT"), context);
    expect(put.status).toBe(429);
    expect(put.headers.get("retry-after")).toBe("3");
    const head = await route.HEAD(request("HEAD"), context);
    expect(head.status).toBe(200);
    expect(await head.text()).toBe("");
  });

  test("says nothing about what went wrong inside", async () => {
    const response = await route.DELETE(request("DELETE"), context);
    expect(response.status).toBe(500);
    const text = await response.text();
    expect(text).not.toContain("secret");
    const { error } = JSON.parse(text);
    expect(error).toEqual({
      code: "INTERNAL_ERROR",
      message: expect.any(String),
      requestId: response.headers.get("x-request-id"),
    });
  });

  test("sends money as text or not at all: a bigint is a malfunction", async () => {
    const leaking = methods({ GET: async () => json(200, { cost: 5n }) });
    expect((await leaking.GET(request("GET"), context)).status).toBe(500);
  });
});
