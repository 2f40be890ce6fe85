import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { signInBrowser } from "../support/browser";
import { type RawAnswer, rawBytes, rawCall } from "../support/raw-http";
import { asSchema, beyond, type Schema, valuesOf } from "../support/schema-values";
import { discardServer, startServer, type TestServer, type TestUser } from "../support/server";

/** One operation of the served document. */
interface Described {
  method: string;
  path: string;
  caller: "public" | "account" | "session" | "admin" | "key" | "metrics";
  parameters: Schema[];
  body: { schema: Schema; example: unknown } | null;
  responses: Schema;
}

/** One call that is made of an operation, and what for. */
interface Case {
  why: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string;
}

let server: TestServer;
let components: Schema;
let operations: Described[];
let user: TestUser;
let admin: string;
let cookie: string;

beforeAll(async () => {
  // Every call may come from an address of its own: those with bad keys are a flood for one.
  server = await startServer({ env: { TRUST_PROXY: "1" } });
  const document = (await server.api<Record<string, unknown>>("GET", "/openapi.json")).body;
  components = asSchema(asSchema(document.components).schemas);
  operations = Object.entries(asSchema(document.paths)).flatMap(([path, methods]) =>
    Object.entries(asSchema(methods)).map(([method, operation]) =>
      described(path, method, asSchema(operation)),
    ),
  );
  user = await server.user();
  admin = await server.adminToken();
  ({ cookie } = await signInBrowser(server.url, user.token));
});
afterAll(() => discardServer(server));

function described(path: string, method: string, operation: Schema): Described {
  const schemes = JSON.stringify(operation.security);
  const body = asSchema(asSchema(asSchema(asSchema(operation.requestBody).content)["application/json"]));
  return {
    method: method.toUpperCase(),
    path,
    caller: callerOf(path, schemes),
    parameters: Array.isArray(operation.parameters) ? operation.parameters.map(asSchema) : [],
    body: body.schema === undefined ? null : { schema: asSchema(body.schema), example: body.example },
    responses: asSchema(operation.responses),
  };
}

function callerOf(path: string, schemes: string): Described["caller"] {
  if (schemes.includes("keyBearer")) return "key";
  if (schemes.includes("metricsToken")) return "metrics";
  if (!schemes.includes("bearer")) return schemes.includes("session") ? "session" : "public";
  return path.startsWith("/api/admin/") ? "admin" : "account";
}

function credentialOf(caller: Described["caller"]): Record<string, string> {
  if (caller === "session") return { cookie, origin: server.url };
  const texts = { public: "", metrics: "", account: user.token, admin, key: user.key };
  return texts[caller] === "" ? {} : { authorization: `Bearer ${texts[caller]}` };
}

const UNKNOWN_IDS = [
  "019a0000-0000-7000-8000-000000000000",
  "00000000-0000-0000-0000-000000000000",
  "none",
  "0",
  "-1",
  "999999999",
  "99999999999999999999",
  "null",
  "%20",
  "%00",
  "é",
  "🙂",
  "a%2Fb",
  "%5c",
  "x".repeat(300),
].map((id) => (id.includes("%") ? id : encodeURIComponent(id)));

/** The path with an id in place of its parameters. */
function filled(path: string, id: string): string {
  return path.replace(/\{\w+\}/g, id);
}

/** A model or key that there is, where its body is looked at later than its id; else an id that there is not. */
function idFor(path: string): string {
  if (path.startsWith("/v1beta/")) return path.includes("mbed") ? "demo-embedding" : "demo-chat";
  return path === "/api/user/tokens/{id}" ? user.keyId : (UNKNOWN_IDS[0] ?? "");
}

/** Makes a call and returns what about its answer the document does not say. */
async function undocumented(operation: Described, one: Case, expected?: number): Promise<string[]> {
  const { method, path, caller, body } = operation;
  const sent = body === null ? null : (one.body ?? JSON.stringify(body.example));
  const answer = await rawCall(server.url, {
    method,
    path: one.path ?? filled(path, idFor(path)),
    headers: {
      ...credentialOf(caller),
      ...(sent === null
        ? {}
        : { "content-type": "application/json", "content-length": String(Buffer.byteLength(sent)) }),
      ...one.headers,
    },
    ...(sent === null ? {} : { pieces: [sent] }),
  });
  const what = `${method} ${path} (${one.why}): ${answer.status}`;
  if (expected !== undefined && answer.status !== expected) return [`${what} ${answer.body.slice(0, 150)}`];
  return problemsOf(operation, answer).map((problem) => `${what} ${problem}`);
}

function problemsOf({ responses }: Described, answer: RawAnswer): string[] {
  if (!(String(answer.status) in responses)) return ["is not in the document"];
  const content = asSchema(asSchema(responses[String(answer.status)]).content);
  const type = String(answer.headers["content-type"] ?? "").split(";", 1)[0] ?? "";
  if (answer.body === "") return Object.keys(content).length === 0 ? [] : ["has no body"];
  if (!(type in content)) return [`is of type ${type}`];
  if (type !== "application/json") return [];
  const schema = resolved(asSchema(asSchema(content[type]).schema)) as Parameters<typeof z.fromJSONSchema>[0];
  const parsed = z.fromJSONSchema(schema).safeParse(JSON.parse(answer.body));
  return parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`);
}

function resolved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolved);
  if (typeof value !== "object" || value === null) return value;
  const { $ref, ...members } = asSchema(value);
  if (typeof $ref === "string") return resolved(components[$ref.replace("#/components/schemas/", "")]);
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, resolved(member)]));
}

describe("the document states the status of", () => {
  test("an unknown id in every path that has one: 404", { timeout: 240_000 }, async () => {
    const withId = operations.filter(({ path }) => path.includes("{"));
    expect(withId.length).toBeGreaterThan(25);
    const found: string[] = [];
    for (const operation of withId) {
      for (const id of UNKNOWN_IDS) {
        user = await freshKeyFor(operation);
        found.push(...(await undocumented(operation, { why: id, path: filled(operation.path, id) }, 404)));
      }
    }
    expect(found).toEqual([]);
  });

  test("every value beyond a bound of a parameter: 400", async () => {
    const cases = operations.flatMap((operation) =>
      operation.parameters.flatMap((parameter) => {
        const schema = asSchema(parameter.schema);
        const values = [schema, ...choicesOf(schema)].flatMap(beyond).filter(({ value }) => value !== "");
        return parameter.in === "path" ? [] : values.map((value) => ({ operation, parameter, ...value }));
      }),
    );
    expect(cases.length).toBeGreaterThan(60);
    const found: string[] = [];
    for (const { operation, parameter, bound, value } of cases) {
      const name = String(parameter.name);
      // A header cannot hold what is beyond the pattern of its text.
      if (parameter.in === "header" && bound.startsWith("pattern")) continue;
      const one =
        parameter.in === "header" ? { headers: { [name]: String(value) } } : inQuery(operation, name, value);
      const expected = operation.path.includes("{") ? undefined : 400;
      found.push(...(await undocumented(operation, { ...one, why: `${name} ${bound}` }, expected)));
    }
    expect(found).toEqual([]);
  });

  test("any value that a parameter may have", { timeout: 240_000 }, async () => {
    const found: string[] = [];
    for (const operation of operations.filter(({ method }) => method === "GET")) {
      for (const parameter of operation.parameters.filter((one) => one.in === "query")) {
        const values = fc.sample(valuesOf(asSchema(parameter.schema)), { numRuns: 3, seed: 7 });
        for (const value of [...values, ...UNKNOWN_IDS.slice(0, 3)]) {
          const why = `${String(parameter.name)}=${String(value).slice(0, 30)}`;
          found.push(
            ...(await undocumented(operation, { ...inQuery(operation, String(parameter.name), value), why })),
          );
        }
      }
    }
    expect(found).toEqual([]);
  });

  test("a body that is none: 415, 400 and 413", async () => {
    const found: string[] = [];
    for (const operation of operations.filter(({ body }) => body !== null)) {
      const limit = operation.caller === "key" ? 11 : 2;
      const cases: [Case, number][] = [
        [{ why: "of another type", headers: { "content-type": "text/plain" } }, 415],
        [{ why: "in an unknown coding", headers: { "content-encoding": "compress" } }, 415],
        [{ why: "no JSON", body: "{" }, 400],
        [{ why: "empty", body: "" }, 400],
        [{ why: "a list", body: "[]" }, 400],
        [
          { why: "with an unknown type in it", body: JSON.stringify({ model: 1, name: {}, username: [] }) },
          400,
        ],
        [{ why: "too large", body: JSON.stringify({ name: "x".repeat(limit * 1024 * 1024) }) }, 413],
      ];
      // The calls to all operations together are a flood for one key.
      if (operation.caller === "key") user = await server.user();
      const isPartial = ["PATCH", "PUT"].includes(operation.method) && operation.path.includes("{id}");
      for (const [one, status] of cases)
        found.push(...(await undocumented(operation, one, isPartial && status === 400 ? undefined : status)));
    }
    expect(found).toEqual([]);
  });

  test("a caller who is not known, or not the right one: 401 and 403", async () => {
    const found: string[] = [];
    let calls = 0;
    for (const operation of operations.filter(({ caller }) => !["public", "metrics"].includes(caller))) {
      const wrong = operation.caller === "key" ? user.token : user.key;
      for (const authorization of ["", "Bearer x", `Bearer ${wrong}`]) {
        calls += 1;
        const from = { "x-forwarded-for": `198.51.${Math.floor(calls / 250)}.${calls % 250}` };
        const unknown = { why: "unknown", headers: { authorization, cookie: "", ...from } };
        found.push(...(await undocumented(operation, unknown, 401)));
      }
      const ordinary = { why: "no admin", headers: { authorization: `Bearer ${user.token}` } };
      if (operation.caller === "admin") found.push(...(await undocumented(operation, ordinary, 403)));
    }
    for (const operation of operations.filter(({ caller }) => caller === "metrics"))
      found.push(
        ...(await undocumented(operation, { why: "through a proxy", headers: { via: "1.1 x" } }, 401)),
      );
    expect(found).toEqual([]);
  });

  test("a browser's session used from another origin: 403", () => {
    const unsafe = operations.filter(
      ({ method, caller }) => method !== "GET" && /account|admin/.test(caller),
    );
    const missing = unsafe.filter(({ responses }) => !("403" in responses));
    expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  test("a database that is busy or gone: 503 and 500", () => {
    const fromMemory = /^\/api\/(health\/|bootstrap$)/;
    const recorded = operations.filter(({ caller, path }) => caller !== "metrics" && !fromMemory.test(path));
    const missing = recorded.filter(({ responses }) => !("500" in responses) || !("503" in responses));
    expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  test("two hosts: 400", async () => {
    const found: string[] = [];
    for (const operation of operations) {
      const { method, path, responses } = operation;
      const line = `${method} ${filled(path, "x")} HTTP/1.1\r\nhost: x\r\nhost: y\r\n\r\n`;
      const text = await rawBytes(server.url, line);
      if (!text.startsWith("HTTP/1.1 400 ") || !("400" in responses)) found.push(`${method} ${path}`);
    }
    expect(found).toEqual([]);
  });
});

test("methods that the document does not have are 405, name those that there are, and have its shape of errors", async () => {
  const found: string[] = [];
  for (const path of new Set(operations.map((operation) => operation.path))) {
    const known = operations.filter((operation) => operation.path === path);
    const methods = new Set(known.map(({ method }) => method));
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((one) => !methods.has(one))) {
      const answer = await rawCall(server.url, { method, path: filled(path, "x") });
      const allow = String(answer.headers.allow ?? "").split(", ");
      const isComplete = [...methods].every((one) => allow.includes(one)) && !allow.includes(method);
      const shape = known.flatMap((one) =>
        problemsOf({ ...one, responses: { 405: one.responses.default } }, answer),
      );
      if (answer.status !== 405 || !isComplete || shape.length > 0)
        found.push(`${method} ${path}: ${answer.status}, allows ${allow}, ${shape}`);
    }
  }
  expect(found).toEqual([]);
});

/** The call with one parameter in its query. */
function inQuery({ path }: Described, name: string, value: unknown): Case {
  const query = new URLSearchParams({ [name]: String(value) });
  return { why: name, path: `${filled(path, UNKNOWN_IDS[0] ?? "")}?${query}` };
}

function choicesOf(schema: Schema): Schema[] {
  return Array.isArray(schema.anyOf)
    ? schema.anyOf.map((one) => ({ type: schema.type, ...asSchema(one) }))
    : [];
}

/** Receipts may be asked for 60 times a minute by each key. */
async function freshKeyFor({ caller }: Described): Promise<TestUser> {
  return caller === "key" ? server.key(user) : user;
}
