import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { z } from "zod";
import * as records from "@/lib/api/schemas/admin-records";
import { listOf } from "@/lib/api/schemas/lists";
import { type DemoProvider, startDemoProvider } from "@/lib/demo/provider";
import { type ApiError, accountServer, type Body } from "../support/account-server";

const UPSTREAM_KEY = "sk-upstream-canary-0123456789abcdef";
const server = accountServer({ env: { ALLOW_PRIVATE_UPSTREAMS: "1" } });
let upstream: DemoProvider;
beforeAll(async () => {
  upstream = await startDemoProvider({ port: 0 });
});
afterAll(() => upstream.close());

const admin = async <T = Body>(method: string, path: string, body?: unknown) =>
  server().api<T>(method, `/api/admin/${path}`, await server().adminToken(), body);
const fresh = (word: string) => `${word}-${randomBytes(4).toString("hex")}`;
const made = async (path: string, body: unknown) => {
  const answer = await admin<Record<string, string>>("POST", path, body);
  expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
  return answer.body;
};
const makeNode = (fields: Body = {}) =>
  made("nodes", {
    name: fresh("node"),
    protocol: "chat",
    baseUrl: `${upstream.url}/v1`,
    apiKey: UPSTREAM_KEY,
    ...fields,
  });
const makeModel = (node: string | undefined, fields: Body = {}) =>
  made("models", {
    alias: fresh("model"),
    prices: { input: 100, output: 300 },
    routes: [{ node, model: "sim-usage-1000-1000" }],
    ...fields,
  });
const call = (key: string, model: string | undefined) =>
  server().gateway("/v1/chat/completions", key, {
    model,
    max_tokens: 2000,
    messages: [{ role: "user", content: "Hello" }],
  });

describe("a node", () => {
  test("keeps its key to itself, in every answer and in the audit", async () => {
    const node = await makeNode();
    expect(node).toMatchObject({ hasApiKey: true, apiKeyHint: "cdef", enabled: true, managedByFile: false });
    const changed = await admin("PATCH", `nodes/${node.id}`, { apiKey: `${UPSTREAM_KEY}-2222` });
    expect(changed.body).toMatchObject({ apiKeyHint: "2222", name: node.name });
    for (const path of ["nodes", `nodes/${node.id}`, "audit?pageSize=100"]) {
      expect(JSON.stringify((await admin("GET", path)).body)).not.toContain("canary");
    }
    const audit = await admin("GET", `audit?targetId=${node.id}`);
    expect(audit.body).toMatchObject({
      data: [{ action: "node.update-credential", actorName: "admin" }, { action: "node.create" }],
    });
    const removed = await admin("PATCH", `nodes/${node.id}`, { apiKey: null });
    expect(removed.body).toMatchObject({ hasApiKey: false, apiKeyHint: null });
  });

  /** Source: reliability 4.9 (136). */
  test("refuses bad fields, taken names and credentials in headers", async () => {
    const { name } = await makeNode();
    const refused = async (fields: Body) => {
      const body = { name: fresh("node"), protocol: "chat", baseUrl: "https://x.example", ...fields };
      return (await admin("POST", "nodes", body)).status;
    };
    expect(await refused({ name })).toBe(409);
    expect(await refused({ protocol: "other" })).toBe(400);
    expect(await refused({ baseUrl: "file:///etc/passwd" })).toBe(400);
    expect(await refused({ baseUrl: "https://user:pass@x.example" })).toBe(400);
    expect(await refused({ headers: { Authorization: "Bearer x" } })).toBe(400);
    expect(await refused({ credential: "x" })).toBe(400);
    // What could not stand in the header that carries it.
    for (const apiKey of ["", "sk\r\nx-evil: 1", "ключ", " sk-padded", "sk-with space"])
      expect([apiKey, await refused({ apiKey })]).toEqual([apiKey, 400]);
    for (const name of ["expect", "Transfer-Encoding", "Content-Length", "TE"])
      expect([name, await refused({ headers: { [name]: "5" } })]).toEqual([name, 400]);
  });

  test("is tested without showing its key, and reset", async () => {
    const node = await makeNode();
    const good = await admin("POST", `nodes/${node.id}/test`, { model: "sim-ok" });
    expect(good.body).toMatchObject({ ok: true, status: 200, error: null });
    const bad = await admin("POST", `nodes/${node.id}/test`, { model: "sim-500" });
    expect(bad.body).toMatchObject({ ok: false, status: 500 });
    const dead = await makeNode({ baseUrl: "http://127.0.0.1:1/v1" });
    const none = await admin("POST", `nodes/${dead.id}/test`, { model: "x" });
    expect(none.body).toMatchObject({ ok: false, status: null });
    const reset = await admin("POST", `nodes/${node.id}/reset`);
    expect(reset.body).toMatchObject({ id: node.id, health: { state: "healthy" } });
  });

  test("of the demo shows the words of its answer as they are, with nothing struck out as its key", async () => {
    const { body } = await admin("GET", "nodes");
    const simulated = listOf(records.nodeView)
      .parse(body)
      .data.filter((node) => node.simulated);
    expect(simulated.map(({ protocol }) => protocol).sort()).toEqual(["chat", "messages"]);
    for (const { id } of simulated) {
      const { body: result } = await admin("POST", `nodes/${id}/test`, { model: "sim-chat" });
      expect(result).toMatchObject({
        ok: true,
        sample: expect.stringMatching(/^This is a simulated answer by the demo provider of Tollgate/),
      });
    }
  });

  test("in use is not removed; an unused one is", async () => {
    const node = await makeNode();
    const model = await makeModel(node.name);
    expect((await admin("DELETE", `nodes/${node.id}`)).status).toBe(409);
    expect((await admin("DELETE", `models/${model.id}`)).status).toBe(204);
    expect((await admin("DELETE", `nodes/${node.id}`)).status).toBe(204);
    expect((await admin("GET", `nodes/${node.id}`)).status).toBe(404);
  });
});

describe("a model", () => {
  test("can be called the moment it is made, and not once it is switched off", async () => {
    const { key } = await server().user({ planId: 3 });
    const node = await makeNode();
    const model = await makeModel(node.name);
    expect(model).toMatchObject({ live: true, prices: { input: 100, cacheRead: 100, version: 1 } });
    expect((await call(key, model.alias)).status).toBe(200);
    await admin("PATCH", `models/${model.id}`, { enabled: false });
    expect((await call(key, model.alias)).status).toBe(404);
  });

  test("is unavailable, not unknown, while its only node is disabled", async () => {
    const { key } = await server().user({ planId: 3 });
    const node = await makeNode();
    const { alias } = await makeModel(node.name);
    for (const [enabled, status] of [
      [false, 503],
      [true, 200],
    ] as const) {
      await admin("PATCH", `nodes/${node.id}`, { enabled });
      expect((await call(key, alias)).status).toBe(status);
      expect((await server().gateway(`/v1/models/${alias}`, key)).status).toBe(status);
    }
  });

  test("costs by the newest price, and older requests keep theirs", async () => {
    const { key, token } = await server().user({ planId: 3 });
    const node = await makeNode();
    const { alias } = await makeModel(node.name);
    const before = await call(key, alias);
    expect(before.headers.get("x-tollgate-cost")).toBe("0.4");
    const price = await admin("POST", "prices", { model: alias, input: 12.345, output: 0 });
    expect([price.status, price.body]).toEqual([201, expect.objectContaining({ version: 2, input: 12.345 })]);
    expect((await call(key, alias)).headers.get("x-tollgate-cost")).toBe("0.012345");
    const detail = await server().api("GET", `/api/user/logs/${before.headers.get("x-request-id")}`, token);
    expect(detail.body).toMatchObject({ receipt: { priceVersion: 1, total: "0.4", sum: "0.4" } });
    const versions = await admin("GET", `prices?model=${alias}`);
    expect(versions.body).toMatchObject({ data: [{ version: 2 }, { version: 1 }] });
  });

  /** Source: reliability 4.1 (10). */
  test("whose price is doubled while 50 streams run bills those at the old price and later calls at the new", async () => {
    const plan = await made("plans", {
      name: fresh("Wide"),
      qps: null,
      rpm: null,
      tpm: null,
      selfService: true,
    });
    const { key, token } = await server().user({ planId: plan.id, quota: 100_000 });
    const node = await makeNode();
    const { alias } = await makeModel(node.name, {
      routes: [{ node: node.name, model: "sim-chunks-30+every-100ms+usage-1000-1000" }],
    });
    const streams = await Promise.all(
      Array.from({ length: 50 }, () =>
        server().gateway("/v1/chat/completions", key, {
          model: alias,
          stream: true,
          max_tokens: 1_000,
          messages: [{ role: "user", content: "Hello" }],
        }),
      ),
    );
    const doubled = await admin("POST", "prices", { model: alias, input: 200, output: 600 });
    expect(doubled.status).toBe(201);
    const later = await call(key, alias);
    expect(later.headers.get("x-tollgate-cost")).toBe("0.8");
    const costs = streams.map(async (answer) => {
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain("[DONE]");
      const requestId = answer.headers.get("x-request-id");
      return (await server().api("GET", `/api/user/logs/${requestId}`, token)).body;
    });
    for (const entry of await Promise.all(costs))
      expect(entry).toMatchObject({ cost: "0.4", receipt: { priceVersion: 1 } });
    const newer = await server().api("GET", `/api/user/logs/${later.headers.get("x-request-id")}`, token);
    expect(newer.body).toMatchObject({ cost: "0.8", receipt: { priceVersion: 2 } });
  });

  test("takes no name that leads elsewhere, no unknown node and no odd price", async () => {
    const node = await makeNode();
    const further = fresh("further");
    const { alias } = await makeModel(node.name, { alsoKnownAs: [further] });
    const status = async (fields: Body) => {
      const body = {
        alias: fresh("model"),
        prices: { input: 1, output: 1 },
        routes: [{ node: node.name, model: "m" }],
        ...fields,
      };
      return (await admin("POST", "models", body)).status;
    };
    expect(await status({ alias })).toBe(409);
    expect(await status({ alias: further })).toBe(409);
    expect(await status({ alsoKnownAs: [alias] })).toBe(409);
    expect(await status({ routes: [{ node: "nobody", model: "m" }] })).toBe(400);
    expect(await status({ prices: { input: 1.2345, output: 1 } })).toBe(400);
    expect(await status({ prices: { input: -1, output: 1 } })).toBe(400);
    expect(await status({ alias: "with space" })).toBe(400);
    expect(await status({ price: 5 })).toBe(400);
  });
});

describe("a plan", () => {
  test("changes the limits of its keys at once", async () => {
    const plan = await made("plans", { name: "Trial", qps: 1, rpm: 1, tpm: 100_000, selfService: true });
    const { key, keyId, token } = await server().user({ planId: plan.id });
    expect((await call(key, "demo-chat")).status).toBe(200);
    expect((await call(key, "demo-chat")).status).toBe(429);
    const changed = await admin("PATCH", `plans/${plan.id}`, { qps: null, rpm: null });
    expect(changed.body).toMatchObject({ name: "Trial", qps: null, tpm: 100_000 });
    expect((await call(key, "demo-chat")).status).toBe(200);
    const limits = await server().api("GET", `/api/user/tokens/${keyId}/limits`, token);
    expect(limits.body).toMatchObject({ rpm: { limit: null } });
    expect((await admin("DELETE", `plans/${plan.id}`)).status).toBe(409);
  });

  test("that nobody has can be removed; unknown and malformed ids are not found", async () => {
    const plan = await made("plans", { name: "Unused", qps: null, rpm: null, tpm: null });
    expect((await admin("DELETE", `plans/${plan.id}`)).status).toBe(204);
    for (const id of [plan.id, "x", "-1", "99999999999"]) {
      expect((await admin("GET", `plans/${id}`)).status).toBe(404);
    }
  });
});

describe("a rehearsal", () => {
  test("shows where requests would go, and sends nothing", async () => {
    const first = await makeNode();
    const second = await makeNode();
    const { alias } = await makeModel(first.name, {
      routes: [
        { node: first.name, model: "a", priority: 0 },
        { node: second.name, model: "b", priority: 1 },
      ],
    });
    const normal = await admin("POST", "rehearsal", { model: alias });
    expect(normal.body).toMatchObject({ order: [{ node: first.name }, { node: second.name }] });
    const failing = await admin("POST", "rehearsal", {
      model: alias,
      assume: { [first.name ?? ""]: "cooling" },
    });
    expect(failing.body).toMatchObject({
      answer: { status: 200, node: second.name },
      order: [{ n: 1, node: second.name, result: "answers" }],
      skipped: [{ node: first.name }],
      shares: [{ node: second.name, share: 1 }],
    });
  });
});

test("counters and records agree", async () => {
  const { body } = await admin("GET", "reconcile");
  expect(body).toMatchObject({ ok: true, mismatches: [], heldMicroCents: "0", openHolds: 0 });
  expect(body.usedMicroCents).toBe(body.ledgerMicroCents);
});

test("ids that are unknown or malformed are not found", async () => {
  for (const path of ["nodes", "models", "users"]) {
    for (const id of ["7b0f8f9e-1111-4222-8333-444455556666", "1", "x'--"]) {
      const { status, body } = await admin<ApiError>("GET", `${path}/${encodeURIComponent(id)}`);
      expect([status, body.error.code]).toEqual([404, "NOT_FOUND"]);
    }
  }
});

test("every answer has its documented shape", async () => {
  const node = await makeNode();
  const model = await makeModel(node.name);
  const shapes: [path: string, schema: z.ZodType][] = [
    ["nodes", listOf(records.nodeView)],
    [`nodes/${node.id}`, records.nodeView],
    ["models", listOf(records.adminModelRecord)],
    [`models/${model.id}`, records.adminModelRecord],
    ["prices", listOf(records.priceRecord)],
    ["plans", listOf(records.adminPlanView)],
    ["users", listOf(records.adminUserRecord)],
    ["logs", listOf(records.adminLogEntry)],
    ["stats", records.adminStats],
    ["audit", listOf(records.auditEntry)],
    ["reconcile", records.reconcileResponse],
  ];
  for (const [path, schema] of shapes) {
    const { error } = schema.safeParse((await admin("GET", path)).body);
    expect([path, error?.issues ?? []]).toEqual([path, []]);
  }
});
