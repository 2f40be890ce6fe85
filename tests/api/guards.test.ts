import { describe, expect, test } from "vitest";
import { operations as apiOperations } from "@/lib/api/routes";
import { type ApiError, accountServer } from "../support/account-server";

const server = accountServer();
const unknownId = "7b0f8f9e-1111-4222-8333-444455556666";

/** Every operation that is not public. */
const operations = apiOperations
  .filter(({ caller }) => caller !== "public")
  .map(({ method, path }) => [method.toUpperCase(), path.replace(/\{\w+\}/g, unknownId)] as const);

/** Source: docs/reliability.md#r-104. */
test("the inventory is complete", () => {
  expect(operations.length).toBeGreaterThan(45);
  const open = apiOperations.filter(({ caller }) => caller === "public").map(({ path }) => path);
  expect(open).toEqual([
    "/api/user/register",
    "/api/user/login",
    "/api/bootstrap",
    "/api/status",
    "/api/health/live",
    "/api/health/ready",
  ]);
});

let caller: Promise<{ key: string; token: string }> | null = null;

/** One ordinary account with a key for all operations; hashing a password takes longer than all its requests. */
function ordinary(): Promise<{ key: string; token: string }> {
  caller ??= server().user();
  return caller;
}

function send(method: string, url: string, headers: Record<string, string>): Promise<Response> {
  return fetch(server().url + url, {
    method,
    headers: { "content-type": "application/json", ...headers },
    ...(method === "GET" ? {} : { body: "{}" }),
  });
}

/** Source: docs/reliability.md#r-104, #r-105. */
describe.each(operations)("%s %s", (method, url) => {
  test("answers 401 without a session, to an API key, and to tricks that skip middleware", async () => {
    const { key } = await ordinary();
    const attempts: Record<string, string>[] = [
      {},
      { authorization: `Bearer ${key}` },
      { "x-api-key": key },
      { authorization: "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0." },
      { authorization: "Basic YWRtaW46YWRtaW4=" },
      { cookie: "tollgate-session=x; __Host-tollgate-session=y" },
      {
        "x-middleware-subrequest": "middleware:middleware:middleware:middleware:middleware",
        RSC: "1",
        "next-router-prefetch": "1",
      },
    ];
    for (const headers of attempts) {
      const response = await send(method, url, headers);
      expect([response.status, headers]).toEqual([401, headers]);
      expect(((await response.json()) as ApiError).error.code).toBe("UNAUTHORIZED");
    }
  });
});

const adminOperations = operations.filter(([, url]) => url.startsWith("/api/admin"));

/** Source: docs/reliability.md#r-106. */
test.each(adminOperations)("%s %s is forbidden to an ordinary account", async (method, url) => {
  const { token } = await ordinary();
  const response = await send(method, url, { authorization: `Bearer ${token}` });
  expect(response.status).toBe(403);
  expect(((await response.json()) as ApiError).error.code).toBe("FORBIDDEN");
});

describe("paths and methods that are none", () => {
  test.each(["/api", "/api/", "/api/nope", "/api/user", "/api/admin/nope/x", "/api/USER/self"])(
    "%s is 404 as JSON",
    async (url) => {
      for (const method of ["GET", "POST", "DELETE"]) {
        const response = await fetch(server().url + url, { method, redirect: "manual" });
        expect([response.status, url, method]).toEqual([404, url, method]);
        expect(((await response.json()) as ApiError).error.code).toBe("NOT_FOUND");
      }
    },
  );

  test("the sign-in library's own HTML pages are not there", async () => {
    for (const page of ["signin", "signout", "error", "verify-request"]) {
      const response = await fetch(`${server().url}/api/auth/${page}`, { redirect: "manual" });
      expect([response.status, page]).toEqual([404, page]);
      expect(response.headers.get("content-type")).toContain("application/json");
    }
  });

  test("a known path answers other methods with 405 and Allow", async () => {
    const response = await fetch(`${server().url}/api/user/login`, { method: "PATCH" });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("POST, OPTIONS");
    expect(((await response.json()) as ApiError).error.code).toBe("METHOD_NOT_ALLOWED");
  });
});

describe("bad bodies", () => {
  test.each([
    ["{", "application/json", 400],
    ["", "application/json", 400],
    ["[]", "application/json", 400],
    ["null", "application/json", 400],
    ["{}", "text/plain", 415],
    ["username=a&password=b", "application/x-www-form-urlencoded", 415],
    [`{"username":"${"x".repeat(2_000_000)}"}`, "application/json", 413],
    ["[".repeat(100_000), "application/json", 400],
  ])("%.20s as %s is %i", async (body, type, expected) => {
    const response = await fetch(`${server().url}/api/user/login`, {
      method: "POST",
      headers: { "content-type": type },
      body,
    });
    expect(response.status).toBe(expected);
    expect(((await response.json()) as ApiError).error.requestId).toBe(response.headers.get("x-request-id"));
  });
});
