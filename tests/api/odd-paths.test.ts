import { describe, expect, test } from "vitest";
import { chatBody, gatewayFor } from "../support/gateway-fixtures";
import { rawBytes, rawCall } from "../support/raw-http";

const gateway = gatewayFor({ models: [{ alias: "good", routes: [["chat", "sim-echo"]] }] });

const METHODS = ["GET", "POST", "PUT", "DELETE", "OPTIONS"];

/** Paths that a program meant for the account API or the gateway; the pages' framework would redirect or render them. */
const doubled = [
  "/api//user/self",
  "//api/user/self",
  "/api/user//self",
  "/api/user/self//",
  "/api//",
  "/api\\user\\self",
  "/\\api/user/self",
  "/api/user\\self",
  "/api/%5cuser/self",
  "/api%5cuser%5cself",
  "/api/user%2f%2fself",
  "/api%2f%2fuser/self",
  "/api%2fuser%2fself",
  "/%2fapi/user/self",
  "/api/%2e%2e/api//user/self",
  "/v1//models",
  "/v1//chat/completions",
  "/v1/chat//completions",
  "/v1\\models",
  "/v1/%5cmodels",
  "/v1%5cmodels",
  "/v1%2f%2fmodels",
  "//v1/models",
  "/\\v1/models",
  "//chat/completions",
];

/** Paths that mean another address than they say, once the pages' framework has resolved them. */
const indirect = [
  "/./api//user/self",
  "/.//api/user/self",
  "/x/..//api/user/self",
  "/x/..\\api\\user/self",
  "/x/%2e%2e/api/user/self",
  "/.%2e/api/user/self",
  "/api/../v1/models",
  "/api/./user/self",
  "/x/../v1//models",
  "/x/../metrics",
  "/login/../api",
  "/.",
  "/%61pi/user/self",
  "/ap%69//user/self",
];

function headOf(text: string): string {
  return text.split("\r\n\r\n", 1)[0] ?? "";
}

/** The error of a JSON answer, whether it came in pieces or not. */
function errorOf(text: string): { code: string; message: string } {
  return JSON.parse(/\{.*\}/s.exec(text)?.[0] ?? "{}").error;
}

/** Source: docs/reliability.md#r-19. */
describe("a path with a doubled slash, a backslash, a dot segment or encoded letters", () => {
  test.each([...doubled, ...indirect])("(%s) is a 404 in JSON, never a redirect", async (path) => {
    const user = await gateway.key();
    for (const method of METHODS) {
      const credential = path.includes("api") ? user.token : user.key;
      const text = await rawBytes(
        gateway.server.url,
        `${method} ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${credential}\r\nconnection: close\r\n\r\n`,
      );
      const head = headOf(text);
      // A preflight of the gateway is answered whatever the path.
      if (method === "OPTIONS" && head.startsWith("HTTP/1.1 204")) continue;
      expect([method, head.split("\r\n")[0]]).toEqual([method, "HTTP/1.1 404 Not Found"]);
      expect(head).toMatch(/content-type: application\/json/i);
      expect(head).not.toMatch(/^location:/im);
      expect(errorOf(text)).toMatchObject({ code: "NOT_FOUND" });
    }
  });

  test("and one with a fragment is a 400 in JSON", async () => {
    for (const path of ["/api#//user/self", "/v1/models#x", "/x#/../api"]) {
      const text = await rawBytes(
        gateway.server.url,
        `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
      );
      expect([path, headOf(text)]).toEqual([
        path,
        expect.stringMatching(/^HTTP\/1\.1 400 .*application\/json/is),
      ]);
    }
  });

  test("under /v1 is told what is probably wrong", async () => {
    const { key } = await gateway.key();
    const answer = await gateway.server.gateway("/v1//chat/completions", key, chatBody("good"));
    expect(await answer.text()).toMatch(/base URL/);
  });

  test("takes nothing from paths that are well-formed", async () => {
    const user = await gateway.key();
    for (const path of ["/api/user/self", "/api/user/self/", "/api/user/logs?model=//evil.example\\x"])
      expect([path, (await gateway.server.api("GET", path, user.token)).status]).toEqual([path, 200]);
    expect((await gateway.server.gateway("/v1/models/good?x=//", user.key)).status).toBe(200);
  });
});

describe("the name of the host", () => {
  const paths = ["/", "/models", "/v1/models", "/api/health/live", "/metrics", "/openapi.json", "/nothing"];
  const call = (path: string, hosts: string[], version = "1.1") =>
    rawBytes(
      gateway.server.url,
      `GET ${path} HTTP/${version}\r\n${hosts.map((host) => `${host}\r\n`).join("")}connection: close\r\n\r\n`,
    );

  test.each(paths)("given twice to %s is a 400 in JSON, on a connection that ends", async (path) => {
    for (const second of ["host: other.example", "HOST: x", "Host:"]) {
      const text = await call(path, ["host: x", second]);
      expect(headOf(text)).toMatch(/^HTTP\/1\.1 400 .*connection: close/is);
      expect(errorOf(text)).toMatchObject({ code: "INVALID_REQUEST" });
    }
  });

  test.each(paths)("that is missing from %s is a 400 in JSON; HTTP/1.0 needs none", async (path) => {
    const text = await call(path, []);
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(errorOf(text).message).toContain("Host");
    expect(await call(path, [], "1.0")).not.toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe("/metrics without METRICS_TOKEN", () => {
  const names = [
    "forwarded",
    "via",
    "x-real-ip",
    "true-client-ip",
    "cf-connecting-ip",
    "cf-ray",
    "cf-visitor",
    ...["for", "host", "proto", "port", "server", "prefix", "by", "ssl", "scheme"].map(
      (of) => `x-forwarded-${of}`,
    ),
    "x-forwarded",
    "X-Forwarded-Anything",
    "cdn-loop",
    "x-client-ip",
    "fastly-client-ip",
    "fly-client-ip",
    "x-cluster-client-ip",
    "x-original-forwarded-for",
    "x-envoy-external-address",
    "x_forwarded_for",
    "x-azure-clientip",
    "do-connecting-ip",
    "x-amzn-trace-id",
    "forwarded-for",
    "client-ip",
    "x-http-forwarded-for",
    "x-remote-ip",
    "remote-addr",
    "x-real-port",
    "x-originating-ip",
  ];

  test.each(names)("is closed to a call from loopback that carries %s", async (name) => {
    for (const value of ["127.0.0.1", ""]) {
      const answer = await rawCall(gateway.server.url, {
        method: "GET",
        path: "/metrics",
        headers: { [name]: value },
      });
      expect([value, answer.status]).toEqual([value, 401]);
      expect(JSON.parse(answer.body).error.code).toBe("UNAUTHORIZED");
    }
  });

  test.each([
    "evil.example",
    "127.0.0.1.evil.example",
    "localhost.evil.example:80",
    "10.0.0.1",
    "",
    "a@localhost:x",
  ])(
    "is closed to a call from loopback to the host %j, as of a page whose name was rebound",
    async (host) => {
      const answer = await rawBytes(
        gateway.server.url,
        `GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 40[01] /);
      expect(answer).not.toContain("tollgate_");
    },
  );

  test.each(["localhost", "LOCALHOST:9090", "app.localhost", "127.1.2.3:1", "[::1]:3000"])(
    "is open to a direct call from loopback to the host %s",
    async (host) => {
      const answer = await rawCall(gateway.server.url, {
        method: "GET",
        path: "/metrics",
        headers: { host },
      });
      expect(answer.status).toBe(200);
    },
  );

  test("is open to a direct call from loopback, whatever else that says", async () => {
    const headers = {
      "user-agent": "Prometheus",
      "x-request-id": "1",
      "accept-encoding": "gzip",
      te: "trailers",
    };
    const answer = await rawCall(gateway.server.url, { method: "GET", path: "/metrics", headers });
    expect([answer.status, answer.body.includes("tollgate_requests_in_flight")]).toEqual([200, true]);
  });
});

describe("/metrics with METRICS_TOKEN", () => {
  const guarded = gatewayFor({ env: { METRICS_TOKEN: "scrape-me" }, models: [] });

  test("asks for it, through a proxy as directly", async () => {
    const ways: Record<string, string>[] = [{}, { "x-forwarded-for": "10.0.0.1", via: "1.1 proxy" }];
    for (const through of ways) {
      const ask = (authorization: string) =>
        rawCall(guarded.server.url, {
          method: "GET",
          path: "/metrics",
          headers: { ...through, ...(authorization === "" ? {} : { authorization }) },
        });
      expect((await ask("Bearer scrape-me")).status).toBe(200);
      for (const wrong of ["", "Bearer scrape-m", "Bearer scrape-me2"])
        expect((await ask(wrong)).status).toBe(401);
    }
  });
});
