import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { type ApiError, accountServer, signUp } from "../support/account-server";

const server = accountServer();
const root = path.resolve(import.meta.dirname, "../../app/api");
const unknownId = "7b0f8f9e-1111-4222-8333-444455556666";

const open = ["/api/user/register", "/api/user/login", "/api/health/", "/api/auth/", "/api/[...path]"];
const files = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((file) => path.basename(file) === "route.ts")
  .map((file) => ({ file, route: path.posix.join("/api", path.dirname(file)) }))
  .filter(({ route }) => route !== "/api" && !open.some((prefix) => route.startsWith(prefix)));

/** Every guarded operation that the route files declare. */
const operations = files.flatMap(({ file, route }) => {
  const text = readFileSync(path.join(root, file), "utf8");
  const url = route.replace(/\[\w+\]/g, unknownId);
  return [...text.matchAll(/^ {2}(GET|POST|PATCH|DELETE): async/gm)].map(
    ([, method = ""]) => [method, url] as const,
  );
});

test("the inventory is complete", () => {
  expect(operations.length).toBeGreaterThan(45);
  expect(
    files.every(({ file }) =>
      /require(User|Admin)\(call\)/.test(readFileSync(path.join(root, file), "utf8")),
    ),
  ).toBe(true);
});

describe.each(operations)("%s %s", (method, url) => {
  const send = (headers: Record<string, string>) =>
    fetch(server().url + url, {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(method === "GET" ? {} : { body: "{}" }),
    });

  test("answers 401 without a session, to an API key, and to tricks that skip middleware", async () => {
    const { key } = await server().user();
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
      const response = await send(headers);
      expect([response.status, headers]).toEqual([401, headers]);
      expect(((await response.json()) as ApiError).error.code).toBe("UNAUTHORIZED");
    }
  });

  test.runIf(url.startsWith("/api/admin"))("is forbidden to an ordinary account", async () => {
    const { token } = await signUp(server());
    const response = await send({ authorization: `Bearer ${token}` });
    expect(response.status).toBe(403);
    expect(((await response.json()) as ApiError).error.code).toBe("FORBIDDEN");
  });
});

describe("paths and methods that are none", () => {
  test.each([
    "/api",
    "/api/",
    "/api/nope",
    "/api/user",
    "/api/admin/nope/x",
    "/api/USER/self",
    "/api/auth/signin",
  ])("%s is 404 as JSON", async (url) => {
    for (const method of ["GET", "POST", "DELETE"]) {
      const response = await fetch(server().url + url, { method, redirect: "manual" });
      expect([response.status, url, method]).toEqual([404, url, method]);
      expect(((await response.json()) as ApiError).error.code).toBe("NOT_FOUND");
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
