import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { accountServer, signUp } from "../support/account-server";
import { rawCall } from "../support/raw-http";

const server = accountServer();
const pages = ["/console", "/console/keys", "/console/logs", "/console/settings", "/admin", "/admin/users"];
const nested = "middleware:middleware:middleware:middleware:middleware";

/** Ways by which pages of this framework have been reached past a check in front of them. */
const tricks: Record<string, { headers?: Record<string, string>; path?: (path: string) => string }> = {
  "the header of inner requests": { headers: { "x-middleware-subrequest": nested } },
  "that header for a source folder": {
    headers: { "x-middleware-subrequest": nested.replaceAll("middleware", "src/middleware") },
  },
  "a request for the page's data": { headers: { RSC: "1" } },
  "a prefetch": { headers: { RSC: "1", "next-router-prefetch": "1" } },
  "a prefetch of one segment": {
    headers: { RSC: "1", "next-router-prefetch": "1", "next-router-segment-prefetch": "/_tree" },
  },
  "a prefetch by purpose": { headers: { purpose: "prefetch", "x-middleware-prefetch": "1" } },
  "a data query": { headers: { RSC: "1" }, path: (path) => `${path}?_rsc=abc12` },
  "the name of the data file": { path: (path) => `${path}.rsc` },
  "the name of a segment's file": { path: (path) => `${path}.segments/_tree.segment.rsc` },
  "the old data address": { path: (path) => `/_next/data/build${path}.json` },
  "a header that rewrites": { headers: { "x-rewrite-url": "/console", "x-original-url": "/console" } },
  "a header that names the matched path": { headers: { "x-matched-path": "/login", "x-invoke-path": "/" } },
};

/** Source: docs/reliability.md#r-105. */
describe.each(pages)("%s", (page) => {
  test("shows a visitor nothing but the way to the login, whatever the request is dressed as", async () => {
    const plain = await rawCall(server().url, { method: "GET", path: page });
    expect(plain.status).toBe(307);
    expect(plain.headers.location).toBe(`/login?next=${encodeURIComponent(page)}`);
    for (const [name, { headers = {}, path: address = (same: string) => same }] of Object.entries(tricks)) {
      const answer = await rawCall(server().url, { method: "GET", path: address(page), headers });
      expect([name, [307, 404].includes(answer.status)]).toEqual([name, true]);
      // The framework first sends a request for data to the address of its data.
      const wanted = [plain.headers.location, `${page}?_rsc`];
      if (answer.status === 307)
        expect(wanted).toContain(String(answer.headers.location).replace(/_rsc=.*/, "_rsc"));
    }
  });
});

test("the page of all components does not exist where nobody asked for it", async () => {
  const answer = await rawCall(server().url, { method: "GET", path: "/console/kitchen" });
  expect(answer.status).toBe(404);
});

/** Source: docs/reliability.md#r-105. */
test("account routes refuse the same disguises", async () => {
  for (const path of ["/api/user/self", "/api/admin/users", "/api/user/tokens"]) {
    for (const [name, trick] of Object.entries(tricks)) {
      const answer = await rawCall(server().url, {
        method: "GET",
        path: trick.path?.(path) ?? path,
        headers: trick.headers ?? {},
      });
      const refused =
        [401, 404].includes(answer.status) || String(answer.headers.location).startsWith(`${path}?_rsc`);
      expect([name, refused]).toEqual([name, true]);
      expect(answer.body).not.toContain('"data"');
      expect(answer.body).not.toContain('"username"');
    }
  }
});

/** Source: docs/reliability.md#r-106. */
test("an ordinary account finds no other spelling of an admin route", async () => {
  const { token } = await signUp(server());
  const spellings = [
    "//api/admin/users",
    "/api//admin/users",
    "/api/./admin/users",
    "/api/user/../admin/users",
    "/api/user/%2e%2e/admin/users",
    "/api/user/..%2fadmin/users",
    "/api/user/%252e%252e/admin/users",
    "/api/%61dmin/users",
    "/API/ADMIN/USERS",
    "/api/Admin/users",
    "/api/admin/users/",
    "/api/admin/users//",
    "/api/admin/users;.css",
    "/api/admin/users.json",
    "/api/admin\\users",
    "/_next/data/build/api/admin/users.json",
    "/_next/../api/admin/users",
    "/v1/../api/admin/users",
    "/en/api/admin/users",
  ];
  for (const path of spellings) {
    for (const method of ["GET", "POST"]) {
      const answer = await rawCall(server().url, {
        method,
        path,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        pieces: method === "POST" ? ["{}"] : [],
      });
      expect([path, method, [308, 400, 403, 404, 405].includes(answer.status)]).toEqual([path, method, true]);
      if (answer.status === 308) expect(answer.headers.location).toMatch(/^\/api\/(admin\/users|user)/);
      expect(answer.body).not.toContain('"username"');
    }
  }
});

/** Source: docs/reliability.md#r-145. */
describe("calls of functions by the pages' own wire form", () => {
  test("have nothing to call", () => {
    const manifest: Record<string, object> = JSON.parse(
      readFileSync(path.resolve(".next/server/server-reference-manifest.json"), "utf8"),
    );
    expect([manifest.node, manifest.edge]).toEqual([{}, {}]);
  });

  test.each(["/", "/login", "/console", "/admin/users", "/api/user/self", "/v1/models"])(
    "do nothing at %s",
    async (path) => {
      for (const type of ["text/plain;charset=UTF-8", "multipart/form-data; boundary=x"]) {
        const answer = await rawCall(server().url, {
          path,
          headers: { "next-action": "7f".repeat(20), "content-type": type },
          pieces: [
            '--x\r\ncontent-disposition: form-data; name="0"\r\n\r\n["$1:__proto__:then"]\r\n--x--\r\n',
          ],
        });
        expect([path, type, answer.status]).toEqual([path, type, 405]);
        expect(JSON.parse(answer.body).error.code).toBe("METHOD_NOT_ALLOWED");
      }
      expect((await fetch(`${server().url}/api/health/live`)).status).toBe(200);
    },
  );
});
