import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nodeStats } from "@/lib/api/schemas/node-stats";
import { draftTestResult, nodeModels, nodeTestResult } from "@/lib/api/schemas/node-tests";
import { type ApiError, accountServer } from "../support/account-server";
import { catalogRig, fresh, UPSTREAM_KEY } from "../support/catalog-rig";
import { type ScriptedUpstream, sendJson, startScriptedUpstream } from "../support/scripted-upstream";

const { server, admin, makeNode, makeModel, call } = catalogRig();

/** Lists its models for the key of the rig's nodes only. */
let upstream: ScriptedUpstream;
beforeAll(async () => {
  upstream = await startScriptedUpstream((response, { headers }) => {
    if (headers.authorization === `Bearer ${UPSTREAM_KEY}`)
      sendJson(response, 200, { data: [{ id: "m-1" }] });
    else sendJson(response, 401, { error: { message: `Not ${headers.authorization}` } });
  });
});
afterAll(() => upstream.close());

const probe = async (body: unknown) => {
  const { status, body: told } = await admin("POST", "nodes/test", body);
  expect([status, told]).toEqual([200, expect.anything()]);
  return draftTestResult.strict().parse(told);
};

describe("a node that is not saved", () => {
  const fields = () => ({ protocol: "chat", baseUrl: `${upstream.url}/v1`, apiKey: UPSTREAM_KEY });

  test("is tested as typed: nothing is stored, and its key comes back nowhere", async () => {
    const before = (await admin<{ data: unknown[] }>("GET", "nodes")).body.data.length;
    const good = await probe(fields());
    expect(good).toMatchObject({ reachable: true, authenticated: true, models: [{ id: "m-1" }], test: null });
    const bad = await probe({ ...fields(), apiKey: "sk-wrong-canary-99", model: "m-1" });
    expect(bad).toMatchObject({
      reachable: true,
      authenticated: false,
      test: { ok: false, problem: "credential" },
    });
    expect(JSON.stringify([good, bad])).not.toContain("canary");
    expect((await admin<{ data: unknown[] }>("GET", "nodes")).body.data).toHaveLength(before);
    expect(JSON.stringify((await admin("GET", "audit?pageSize=100")).body)).not.toContain("canary");
  });

  test("needs an address and a protocol, and keeps the rules of saved ones", async () => {
    const refused = async (body: unknown) => {
      const { status, body: told } = await admin<ApiError>("POST", "nodes/test", body);
      return [status, ...Object.keys(told.error.fields ?? {})];
    };
    expect(await refused({})).toEqual([400, "protocol"]);
    expect(await refused({ protocol: "chat" })).toEqual([400, "baseUrl"]);
    expect(await refused({ ...fields(), baseUrl: "ftp://x" })).toEqual([400, "baseUrl"]);
    expect(await refused({ ...fields(), headers: { Authorization: "x" } })).toEqual([
      400,
      "headers.Authorization",
    ]);
    expect(await refused({ ...fields(), provider: "groq", protocol: "messages" })).toEqual([400, "protocol"]);
    expect(await refused({ ...fields(), name: "x" })).toEqual([400, "name"]);
    for (const nodeId of ["x", "7b0f8f9e-1111-4222-8333-444455556666"])
      expect([nodeId, await refused({ nodeId })]).toEqual([nodeId, [404]]);
  });
});

describe("a stored node's changes", () => {
  test("are tested with the stored key where none is typed; its move to another address is audited", async () => {
    const node = await makeNode();
    const audit = async () => (await admin("GET", `audit?targetId=${node.id}&action=node.test`)).body.data;
    expect(await probe({ nodeId: node.id })).toMatchObject({ reachable: true, problem: null });
    expect(await audit()).toEqual([]);
    const baseUrl = `${upstream.url}/v1`;
    const moved = await probe({ nodeId: node.id, baseUrl });
    expect(moved).toMatchObject({ authenticated: true, models: [{ id: "m-1" }] });
    expect(JSON.stringify(moved)).not.toContain("canary");
    expect(await audit()).toMatchObject([
      { actorName: "admin", before: { baseUrl: node.baseUrl, proxy: null }, after: { baseUrl, proxy: null } },
    ]);
    // Without the stored key there is nothing to keep a record of.
    expect(await probe({ nodeId: node.id, baseUrl, apiKey: null })).toMatchObject({ authenticated: false });
    expect(await probe({ nodeId: node.id, baseUrl, apiKey: "sk-typed" })).toMatchObject({
      authenticated: false,
    });
    expect(await audit()).toHaveLength(1);
    expect((await admin("GET", `nodes/${node.id}`)).body).toMatchObject({ baseUrl: node.baseUrl });
  });
});

describe("a stored node", () => {
  test("is asked for what its models make of the upstream model, or for what is wanted", async () => {
    const node = await makeNode();
    const routes = (model: string) => [{ node: node.name, model }];
    await makeModel(node.name, { routes: routes("sim-chat") });
    // Neither name says what it is for.
    await makeModel(node.name, { kind: "embedding", routes: routes("vectors") });
    const asked = async (body: object) => {
      const answer = await admin("POST", `nodes/${node.id}/test`, body);
      expect(answer.status).toBe(200);
      return nodeTestResult.strict().parse(answer.body);
    };
    const embedded = await asked({ model: "vectors" });
    expect(embedded).toMatchObject({ ok: true, kind: "embedding", sample: null });
    expect(embedded.dimensions).toBeGreaterThan(1);
    expect(await asked({ model: "sim-chat" })).toMatchObject({
      ok: true,
      kind: "generation",
      dimensions: null,
    });
    expect(await asked({ model: "sim-embedding" })).toMatchObject({ ok: true, kind: "embedding" });
    expect(await asked({ model: "sim-chat", kind: "embedding" })).toMatchObject({ kind: "embedding" });
    expect(await probe({ nodeId: node.id, model: "vectors" })).toMatchObject({ test: { kind: "embedding" } });
    const messages = await makeNode({ protocol: "messages" });
    const refused = await admin<ApiError>("POST", `nodes/${messages.id}/test`, {
      model: "m",
      kind: "embedding",
    });
    expect([refused.status, Object.keys(refused.body.error.fields ?? {})]).toEqual([400, ["kind"]]);
  });
});

describe("a stored node's list of models", () => {
  test("is read from the node, with what it cost in time", async () => {
    const node = await makeNode();
    const { status, body } = await admin("GET", `nodes/${node.id}/models`);
    expect(status).toBe(200);
    const list = nodeModels.strict().parse(body);
    expect(list).toMatchObject({ problem: null, status: 200, truncated: false });
    expect(list.models.map(({ id }) => id)).toEqual([
      "sim-chat",
      "sim-embedding",
      "sim-gemini",
      "sim-messages",
      "sim-responses",
    ]);
  });

  test("that is not there is a problem in words of the API, not an error of it", async () => {
    const node = await makeNode({ baseUrl: `${upstream.url}/v1`, apiKey: "sk-wrong" });
    const { status, body } = await admin("GET", `nodes/${node.id}/models`);
    expect([status, body]).toMatchObject([200, { problem: "credential", models: [] }]);
    expect((await admin("GET", "nodes/7b0f8f9e-1111-4222-8333-444455556666/models")).status).toBe(404);
  });
});

describe("several models", () => {
  const entry = (node: string | undefined, alias = fresh("many")) => ({
    alias,
    contextWindow: 8_192,
    routes: [{ node, model: "sim-usage-1000-1000" }],
  });

  test("are made together, each with its entry of the audit; those with a price can be called", async () => {
    const { key } = await server().user({ planId: 3 });
    const node = await makeNode();
    const priced = { ...entry(node.name), prices: { input: 100, output: 300 } };
    const free = entry(node.name);
    const made = await admin<{ data: { id: string }[] }>("POST", "models/batch", { models: [priced, free] });
    expect(made.status).toBe(201);
    expect(made.body.data).toMatchObject([
      { alias: priced.alias, live: true, contextWindow: 8_192, routes: [{ node: node.name }] },
      { alias: free.alias, live: false, prices: null },
    ]);
    expect((await call(key, priced.alias)).status).toBe(200);
    expect((await call(key, free.alias)).status).toBe(404);
    for (const { id } of made.body.data) {
      const audit = await admin("GET", `audit?targetId=${id}`);
      expect(audit.body).toMatchObject({ data: [{ action: "model.create" }], total: 1 });
    }
  });

  test("are made all or not at all, and the one that is wrong is named", async () => {
    const node = await makeNode();
    const taken = await makeModel(node.name);
    const first = entry(node.name);
    const refused = async (...models: unknown[]) => {
      const { status, body } = await admin<ApiError>("POST", "models/batch", { models });
      return [status, ...Object.keys(body.error.fields ?? {})];
    };
    expect(await refused(first, entry(node.name, taken.alias))).toEqual([409, "models.1.alias"]);
    expect(await refused(first, first)).toEqual([409, "models.1.alias"]);
    expect(await refused(first, entry("no-such-node"))).toEqual([400, "models.1.routes.0.node"]);
    expect(await refused(first, { alias: "!" })).toEqual([400, "models.1.alias"]);
    expect(await refused()).toEqual([400, "models"]);
    const { body } = await admin<{ data: { alias: string }[] }>("GET", "models");
    expect(body.data.map(({ alias }) => alias)).not.toContain(first.alias);
  });
});

test("a node's speed and success are counted per bucket, and for the whole period", async () => {
  const { key } = await server().user({ planId: 3 });
  const node = await makeNode();
  const good = await makeModel(node.name);
  const bad = await makeModel(node.name, { routes: [{ node: node.name, model: "sim-500" }] });
  for (const { alias } of [good, good, good, bad]) await call(key, alias);
  for (const period of ["24h", "7d", "30d"]) {
    const { body } = await admin("GET", `nodes/${node.id}/stats?period=${period}&tz=Asia/Kathmandu`);
    const { totals, buckets, ...rest } = nodeStats.strict().parse(body);
    expect(rest).toMatchObject({
      period,
      timezone: "Asia/Kathmandu",
      bucket: period === "24h" ? "hour" : "day",
    });
    expect(totals.attemptCount).toBeGreaterThanOrEqual(4);
    expect(totals.attemptCount - totals.failureCount).toBe(3);
    expect(totals.firstEventP50Ms).toBeLessThanOrEqual(totals.p95Ms ?? 0);
    expect(totals.p50Ms).toBeLessThanOrEqual(totals.p95Ms ?? 0);
    expect(buckets.reduce((sum, bucket) => sum + bucket.attemptCount, 0)).toBe(totals.attemptCount);
    expect(buckets[0]).toMatchObject({ attemptCount: 0, p50Ms: null, firstEventP95Ms: null });
  }
  expect((await admin("GET", `nodes/${node.id}/stats?period=1y`)).status).toBe(400);
});

describe("where private addresses are not allowed", () => {
  const FILE = {
    nodes: [{ name: "declared", protocol: "chat", baseUrl: "http://127.0.0.1:1/v1", apiKey: UPSTREAM_KEY }],
  };
  const guarded = accountServer({ config: JSON.stringify(FILE) });
  const api = async <T>(method: string, path: string, body?: unknown) =>
    guarded().api<T>(method, `/api/admin/${path}`, await guarded().adminToken(), body);

  test.each([
    "http://api.example.com",
    "https://127.1/v1",
    "https://[::ffff:10.0.0.1]/",
    "https://localhost/v1",
  ])("a test does not dial %s", async (baseUrl) => {
    const { status, body } = await api<ApiError>("POST", "nodes/test", { protocol: "chat", baseUrl });
    expect([status, Object.keys(body.error.fields ?? {})]).toEqual([400, ["baseUrl"]]);
  });

  test("nor does a proxy lead there", async () => {
    const fields = { protocol: "chat", baseUrl: "https://api.example.com/v1", proxy: "http://10.0.0.1:8080" };
    const { status, body } = await api<ApiError>("POST", "nodes/test", fields);
    expect([status, Object.keys(body.error.fields ?? {})]).toEqual([400, ["proxy"]]);
  });

  test("the key of a node of the configuration file goes nowhere else", async () => {
    const { body } = await api<{ data: { id: string }[] }>("GET", "nodes");
    const nodeId = body.data[0]?.id;
    const refused = await api<ApiError>("POST", "nodes/test", {
      nodeId,
      baseUrl: "https://api.example.com/v1",
    });
    expect([refused.status, refused.body.error.code]).toEqual([409, "CONFLICT"]);
    const list = await api<{ problem: string }>("GET", `nodes/${nodeId}/models`);
    expect([list.status, list.body.problem]).toEqual([200, "closed"]);
  });
});
