import { describe, expect, test } from "vitest";
import type { Operation } from "@/lib/api/operation";
import { operations as apiOperations } from "@/lib/api/routes";
import { type ApiError, accountServer, signUp } from "../support/account-server";

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

/** An account with the role `reader`; the new role ends its sessions. */
async function reader(): Promise<string> {
  const { id, username, password } = await signUp(server());
  const admin = await server().adminToken();
  const changed = await server().api("PATCH", `/api/admin/users/${id}`, admin, { role: "reader" });
  expect(changed.status).toBe(200);
  const signedIn = await server().api<{ token: string; user: { role: string } }>(
    "POST",
    "/api/user/login",
    undefined,
    { username, password },
  );
  expect(signedIn.body.user.role).toBe("reader");
  return signedIn.body.token;
}

/** The operations of admins that readers may call. Source: docs/contract.md#roles. */
const READERS = [
  "GET /api/admin/projects",
  "GET /api/admin/projects/{id}",
  "GET /api/admin/projects/{id}/members",
  "GET /api/admin/statements",
  "GET /api/admin/statements/{month}",
  "GET /api/admin/statements/{month}/export",
  "GET /api/admin/statements/{month}/focus",
  "GET /api/admin/prices",
  "GET /api/admin/plans",
  "GET /api/admin/plans/{id}",
  "GET /api/admin/budgets",
  "GET /api/admin/budgets/export",
  "GET /api/admin/budget-preview",
  "GET /api/admin/budgets/{id}",
  "GET /api/admin/budgets/{id}/windows",
  "GET /api/admin/budgets/{id}/members",
  "GET /api/admin/users",
  "GET /api/admin/users/export",
  "GET /api/admin/users/{id}",
  "GET /api/admin/plans/refusals",
  "GET /api/admin/stats",
  "GET /api/admin/margin",
  "GET /api/admin/provider-bill",
  "GET /api/admin/logs",
  "GET /api/admin/logs/volume",
  "GET /api/admin/logs/values",
  "GET /api/admin/logs/export",
  "GET /api/admin/logs/{requestId}",
];

describe("the role reader", () => {
  const opened = apiOperations.filter((operation: Operation) => operation.reader === true);

  test("opens the operations of admins that say so, all of which only read", () => {
    expect(opened.map(({ method, path }) => `${method.toUpperCase()} ${path}`)).toEqual(READERS);
    expect(opened.filter(({ method, caller }) => method !== "get" || caller !== "admin")).toEqual([]);
  });

  test("is told of no budget that it may change it", async () => {
    const admin = await server().adminToken();
    const made = await server().api<{ id: string }>("POST", "/api/admin/budgets", admin, {
      name: "Everybody",
      scope: "platform",
      unit: "requests",
      period: "day",
      limit: 1_000_000,
    });
    expect(made.status).toBe(201);
    const path = `/api/admin/budgets/${made.body.id}`;
    expect((await server().api("GET", path, admin)).body).toMatchObject({ mayChange: true });
    expect((await server().api("GET", path, await reader())).body).toMatchObject({ mayChange: false });
    expect((await server().api("DELETE", path, admin)).status).toBe(204);
  });

  test("opens no other operation of admins, with no method", async () => {
    const token = await reader();
    const headers = { authorization: `Bearer ${token}` };
    for (const operation of apiOperations) {
      const { method, path, caller } = operation;
      if (caller !== "admin") continue;
      const url = path.replace(/\{\w+\}/g, unknownId);
      const { status } = await send(method.toUpperCase(), url, headers);
      const opens = READERS.includes(`${method.toUpperCase()} ${path}`);
      expect([path, method, opens ? status !== 403 && status < 500 : status]).toEqual([
        path,
        method,
        opens || 403,
      ]);
    }
    for (const path of new Set(apiOperations.map((operation) => operation.path))) {
      if (!path.startsWith("/api/admin")) continue;
      const url = path.replace(/\{\w+\}/g, unknownId);
      for (const method of ["POST", "PUT", "PATCH", "DELETE"])
        expect([path, method, (await send(method, url, headers)).status]).toEqual([
          path,
          method,
          expect.toSatisfy((status: number) => status === 403 || status === 405),
        ]);
    }
  });

  test("keeps its own account", async () => {
    const token = await reader();
    expect((await server().api("GET", "/api/user/self", token)).body).toMatchObject({ role: "reader" });
    expect((await server().api("GET", "/api/user/statements", token)).status).toBe(200);
    expect((await server().api("POST", "/api/user/tokens", token, { name: "mine" })).status).toBe(201);
  });

  test("does not take the last admin's place", async () => {
    const admin = await server().adminToken();
    const self = await server().api<{ id: string }>("GET", "/api/user/self", admin);
    const changed = await server().api("PATCH", `/api/admin/users/${self.body.id}`, admin, {
      role: "reader",
    });
    expect(changed.status).toBe(409);
  });
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
