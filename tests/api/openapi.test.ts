import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { operations as apiOperations } from "@/lib/api/routes";
import { googlePaths } from "@/lib/gateway/google-path";
import { discardServer, startServer, type TestServer, type TestUser } from "../support/server";
import { sourceFiles } from "../support/source-files";

interface Operation {
  operationId: string;
  security: unknown[];
  requestBody?: { content: Record<string, { schema: unknown; example: unknown }> };
  responses: Record<string, { content?: Record<string, { schema: unknown; example?: unknown }> }>;
}

interface Document {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown> };
}

const withId = z.object({ id: z.string() });

let server: TestServer;
let document: Document;
let user: TestUser;
let admin: string;

beforeAll(async () => {
  server = await startServer({});
  document = (await server.api<Document>("GET", "/openapi.json")).body;
  user = await server.user();
  admin = await server.adminToken();
});

afterAll(() => discardServer(server));

describe("the document", () => {
  test("is OpenAPI 3.1 and names the address of the server", () => {
    expect(document.openapi).toBe("3.1.0");
    const [address] = document.servers;
    expect(new URL(address?.url ?? "").hostname).toBe(new URL(server.url).hostname);
  });

  test("is not sent again to a client that has it", async () => {
    const url = `${server.url}/openapi.json`;
    const first = await fetch(url);
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^W\/"[0-9a-f]+"$/);
    expect((await fetch(url, { method: "HEAD" })).headers.get("etag")).toBe(etag);
    const again = await fetch(url, { headers: { "if-none-match": etag } });
    expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
    expect((await fetch(url, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
  });

  test("describes exactly the operations that are served", () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual([...served(), "GET /metrics"].sort());
  });

  test("names every operation once", () => {
    const ids = operations().map(([, , { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("refers only to components that it has", () => {
    const references = [...JSON.stringify(document.paths).matchAll(/"#\/components\/schemas\/(\w+)"/g)];
    expect(references.length).toBeGreaterThan(100);
    const missing = references.filter(([, name = ""]) => !(name in document.components.schemas));
    expect(missing).toEqual([]);
  });

  test("holds examples that its own schemas accept", () => {
    const wrong = operations().flatMap(([method, path, { requestBody, responses }]) => {
      const bodies = [requestBody, ...Object.values(responses)].flatMap((part) =>
        Object.values(part?.content ?? {}),
      );
      return bodies
        .filter(({ example }) => example !== undefined)
        .flatMap(({ schema, example }) => problems(schema, example))
        .map((problem) => `${method} ${path}: ${problem}`);
    });
    expect(wrong).toEqual([]);
  });

  test("says who may call what: the accounts' part needs a login, the model API a key", () => {
    const open = operations().filter(([, , { security }]) => security.length === 0);
    expect(open.map(([method, path]) => `${method} ${path}`)).toEqual([
      "post /api/user/register",
      "post /api/user/login",
      "get /api/bootstrap",
      "get /api/status",
      "get /api/health/live",
      "get /api/health/ready",
    ]);
  });
});

describe("real answers have the shape that the document promises", () => {
  test("for accounts", async () => {
    await check("GET", "/api/user/self", user.token);
    await check("PATCH", "/api/user/self", user.token, { name: "A" });
    await check("PUT", "/api/user/self", user.token, { name: "B" });
    await check("GET", "/api/user/tokens", user.token);
    await check("POST", "/api/user/tokens", user.token, { name: "second" });
    await check("GET", "/api/user/tokens/{id}", user.token, undefined, { id: user.keyId });
    await check("PATCH", "/api/user/tokens/{id}", user.token, { quota: 300 }, { id: user.keyId });
    await check("GET", "/api/user/tokens/{id}/limits", user.token, undefined, { id: user.keyId });
    await check("GET", "/api/user/models", user.token);
    await check("GET", "/api/user/plans", user.token);
    await check("GET", "/api/user/ledger", user.token);
    const login = { username: user.username, password: "secret-password" };
    await check("POST", "/api/user/login", undefined, login);
  });

  test("for the model API, and for the logs and statistics it leaves", async () => {
    const messages = [{ role: "user", content: "Hello" }];
    const body = { max_tokens: 16, messages };
    const made = await check("POST", "/v1/chat/completions", user.key, { model: "demo-chat", ...body });
    await check("POST", "/v1/messages", user.key, { model: "demo-messages", ...body });
    await check("POST", "/v1/messages/count_tokens", user.key, { model: "demo-messages", messages });
    await check("GET", "/v1/models", user.key);
    await check("GET", "/v1/models/{id}", user.key, undefined, { id: "demo-chat" });
    await check("GET", "/v1/usage", user.key);
    const requestId = made.headers.get("x-request-id") ?? "";
    await expect
      .poll(async () => (await server.gateway(`/v1/usage/${requestId}`, user.key)).status, {
        timeout: 10_000,
      })
      .toBe(200);
    await check("GET", "/v1/usage/{requestId}", user.key, undefined, { requestId });
    await check("GET", "/api/user/logs", user.token);
    await check("GET", "/api/user/logs/{requestId}", user.token, undefined, { requestId });
    await check("GET", "/api/user/stats", user.token);
    const views = [{ name: "Slow", list: "own", filters: { last: "24h", minLatencyMs: 10_000 } }];
    await check("PATCH", "/api/user/views", user.token, { views });
    await check("GET", "/api/user/views", user.token);
    await check("GET", "/api/user/models/uptime", user.token);
    await check("GET", "/api/admin/logs", admin);
    await check("GET", "/api/admin/logs/{requestId}", admin, undefined, { requestId });
    await check("GET", "/api/admin/stats", admin);
    await check("GET", "/api/admin/provider-bill", admin);
    await check("GET", "/api/admin/reconcile", admin);
  });

  test("for the gateway's configuration", async () => {
    const nodes = (await check("GET", "/api/admin/nodes", admin)).body;
    const [node] = z.object({ data: z.array(z.object({ id: z.string() })) }).parse(nodes).data;
    const id = node?.id ?? "";
    await check("GET", "/api/admin/nodes/{id}", admin, undefined, { id });
    await check("POST", "/api/admin/nodes/{id}/test", admin, { model: "echo" }, { id });
    await check("POST", "/api/admin/nodes/{id}/reset", admin, undefined, { id });
    const own = {
      name: "extra",
      protocol: "chat",
      baseUrl: "https://upstream.example/v1",
      apiKey: "sk-test-1234",
    };
    const made = withId.parse((await check("POST", "/api/admin/nodes", admin, own)).body);
    await check("PATCH", "/api/admin/nodes/{id}", admin, { enabled: false }, made);
    const model = {
      alias: "extra",
      prices: { input: 100, output: 200 },
      routes: [{ node: "extra", model: "x" }],
    };
    const added = withId.parse((await check("POST", "/api/admin/models", admin, model)).body);
    await check("GET", "/api/admin/models", admin);
    await check("GET", "/api/admin/models/{id}", admin, undefined, added);
    await check("PATCH", "/api/admin/models/{id}", admin, { displayName: "Extra" }, added);
    await check("PATCH", "/api/admin/models", admin, { ids: [added.id], priceFactor: 2 });
    await check("POST", "/api/admin/prices", admin, { model: "extra", input: 1.5, output: 3 });
    await check("GET", "/api/admin/prices", admin);
    await check("DELETE", "/api/admin/models/{id}", admin, undefined, added);
    await check("DELETE", "/api/admin/nodes/{id}", admin, undefined, made);
    await check("POST", "/api/admin/rehearsal", admin, { model: "demo-chat", assume: {} });
    await check("POST", "/api/admin/rehearsal/models", admin, { assume: { "demo-chat-node": "down" } });
  });

  test("for plans, people and settings", async () => {
    const plan = { name: "Team", qps: 1, rpm: null, tpm: null, keyQuotaCents: 100, selfService: false };
    const made = z
      .object({ id: z.number() })
      .parse((await check("POST", "/api/admin/plans", admin, plan)).body);
    const id = String(made.id);
    await check("GET", "/api/admin/plans", admin);
    await check("GET", "/api/admin/plans/refusals", admin);
    await check("GET", "/api/admin/plans/{id}", admin, undefined, { id });
    await check("PATCH", "/api/admin/plans/{id}", admin, { rpm: 10 }, { id });
    await check("DELETE", "/api/admin/plans/{id}", admin, undefined, { id });
    const person = { username: "contracted", password: "secret-password" };
    const account = withId.parse((await check("POST", "/api/admin/users", admin, person)).body);
    await check("GET", "/api/admin/users", admin);
    await check("GET", "/api/admin/users/{id}", admin, undefined, account);
    await check("PATCH", "/api/admin/users/{id}", admin, { limitOverrides: { rpm: 5 } }, account);
    await check("POST", "/api/admin/users/{id}/grants", admin, { amount: 5, reason: "test" }, account);
    await check("GET", "/api/admin/users/{id}/grants", admin, undefined, account);
    await check("POST", "/api/admin/users/{id}/password", admin, {}, account);
    await check("DELETE", "/api/admin/users/{id}", admin, undefined, account);
    await check("GET", "/api/admin/settings", admin);
    await check("PATCH", "/api/admin/settings", admin, {
      inviteRewardCents: 0,
      statusPage: true,
      registration: "invited",
      newAccountQuotaCents: null,
      newAccountPlanId: null,
      contact: "ops@example.com",
      name: "Acme AI",
      alertUrl: "https://hooks.example.com/services/T0",
    });
    await check("PATCH", "/api/admin/settings", admin, { alertUrl: null });
    await check("POST", "/api/admin/settings/alert-test", admin, undefined, {}, 400);
    await check("PATCH", "/api/admin/settings", admin, { registration: "open" });
    const invited = withId.parse(
      (await check("POST", "/api/admin/invitations", admin, { note: "Team" })).body,
    );
    await check("GET", "/api/admin/invitations", admin);
    await check("DELETE", "/api/admin/invitations/{id}", admin, undefined, { id: invited.id });
    await check("GET", "/api/status");
    const notice = { title: "Maintenance", from: "2026-01-01", until: "2999-01-01", public: true };
    const told = withId.parse((await check("POST", "/api/admin/announcements", admin, notice)).body);
    await check("GET", "/api/admin/announcements", admin);
    await check("PATCH", "/api/admin/announcements/{id}", admin, { tone: "warning" }, { id: told.id });
    await check("GET", "/api/user/announcements", user.token);
    await check("GET", "/api/bootstrap");
    await check("DELETE", "/api/admin/announcements/{id}", admin, undefined, { id: told.id });
    await check("GET", "/api/admin/audit", admin);
    await check("GET", "/api/user/statements", user.token);
    const { body: months } = await check("GET", "/api/admin/statements", admin);
    const { month } =
      z.object({ data: z.array(z.object({ month: z.string() })) }).parse(months).data[0] ?? {};
    await check("GET", "/api/user/statements/{month}", user.token, undefined, { month: month ?? "" });
    await check("GET", "/api/admin/statements/{month}", admin, undefined, { month: month ?? "" });
    await check("GET", "/api/admin/statements/{month}", admin, undefined, { month: "1999-12" }, 404);
  });

  test("for health checks and refusals", async () => {
    await check("GET", "/api/health/live");
    await check("GET", "/api/health/ready");
    await check("GET", "/api/user/self", undefined, undefined, {}, 401);
    await check("POST", "/api/user/tokens", user.token, { name: "" }, {}, 400);
    await check("GET", "/api/admin/nodes", user.token, undefined, {}, 403);
    await check("GET", "/api/admin/nodes/{id}", admin, undefined, { id: "none" }, 404);
    await check("POST", "/v1/messages", user.key, { model: "nothing", max_tokens: 1, messages: [] }, {}, 404);
    await check("POST", "/v1/chat/completions", "tgw-none", {}, {}, 401);
  });
});

/** Calls an operation and holds its answer against what the document says for that status. */
async function check(
  method: string,
  path: string,
  token?: string,
  body?: unknown,
  params: Record<string, string> = {},
  status?: number,
) {
  const operation = document.paths[path]?.[method.toLowerCase()];
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const answer = await server.api<unknown>(method, url, token, body);
  const what = `${method} ${path} ${answer.status} ${JSON.stringify(answer.body)?.slice(0, 300)}`;
  const successful = Object.keys(operation?.responses ?? {}).find((code) => code.startsWith("2"));
  expect(String(answer.status), what).toBe(String(status ?? successful));
  const described = operation?.responses[String(answer.status)];
  expect(described, what).toBeDefined();
  const schema = described?.content?.["application/json"]?.schema;
  if (schema === undefined) expect(answer.body, what).toBeNull();
  else expect(problems(schema, answer.body), what).toEqual([]);
  return answer;
}

/** What is wrong with a value, judged by the JSON Schema in the document. */
function problems(schema: unknown, value: unknown): string[] {
  const resolved = resolve(schema);
  const parsed = z.fromJSONSchema(resolved as Parameters<typeof z.fromJSONSchema>[0]).safeParse(value);
  return parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`);
}

/** The schema with the components it refers to in place. */
function resolve(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(resolve);
  if (typeof schema !== "object" || schema === null) return schema;
  const members = new Map<string, unknown>(Object.entries(schema));
  const reference = members.get("$ref");
  if (typeof reference === "string") {
    return resolve(document.components.schemas[reference.replace("#/components/schemas/", "")]);
  }
  return Object.fromEntries([...members].map(([name, member]) => [name, resolve(member)]));
}

function operations(): [method: string, path: string, operation: Operation][] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, string, Operation] => [
      method,
      path,
      operation,
    ]),
  );
}

/** `METHOD /path` of the operations under `/api`, and of every route file of the model API; PUT comes with PATCH. */
function served(): string[] {
  const account = apiOperations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  const puts = account
    .filter((name) => name.startsWith("PATCH "))
    .map((name) => name.replace("PATCH", "PUT"));
  const files = sourceFiles(/^app\/v1\/.*route\.ts$/).filter(({ path }) => !path.includes("[...path]"));
  const model = files.flatMap(({ path, text }) => {
    const route = path.replace(/^app|\/route\.ts$/g, "").replace(/\[(?:\.\.\.)?(\w+)\]/g, "{$1}");
    return [...text.matchAll(/^export const (GET|POST|DELETE)\b/gm)].map(
      ([, method]) => `${method} ${route}`,
    );
  });
  const google = googlePaths.map((path) => `${path.includes(":") ? "POST" : "GET"} ${path}`);
  return [...account, ...puts, ...model, "GET /v1beta/models/{model}", ...google];
}
