import { describe, expect, test } from "vitest";
import { outcomes } from "@/lib/api/schemas/user-records";
import type { Body } from "../support/account-server";
import { catalogRig, fresh } from "../support/catalog-rig";
import { logEntry, requestIdOf } from "../support/gateway-fixtures";

const { server, admin, made, makeNode, makeModel, call } = catalogRig();

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

  /** Source: docs/contract.md#key-models. */
  test("that is renamed is called by its new name with the keys that have it in their lists", async () => {
    const node = await makeNode();
    const { alias, id } = await makeModel(node.name);
    const { key } = await server().user({ planId: 3, models: [alias] });
    expect((await call(key, alias)).status).toBe(200);
    const renamed = fresh("renamed");
    expect((await admin("PATCH", `models/${id}`, { alias: renamed })).status).toBe(200);
    expect((await call(key, renamed)).status).toBe(200);
    expect((await call(key, alias)).status).toBe(404);
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

  /** Source: docs/embeddings.md#nodes. */
  test("that makes embeddings is served at its own endpoint, and by nodes that have them only", async () => {
    const { key } = await server().user({ planId: 3 });
    const node = await makeNode();
    const other = await makeNode({ protocol: "messages" });
    const routes = [{ node: node.name, model: "sim-embedding" }];
    const model = await makeModel(node.name, { kind: "embedding", prices: { input: 5, output: 0 }, routes });
    expect(model).toMatchObject({ kind: "embedding", live: true });
    expect((await call(key, model.alias)).status).toBe(400);
    const answer = await server().gateway("/v1/embeddings", key, { model: model.alias, input: "a" });
    expect(answer.status).toBe(200);
    const wrong = await admin("PATCH", `models/${model.id}`, {
      routes: [...routes, { node: other.name, model: "m", priority: 1 }],
    });
    expect(wrong).toMatchObject({
      status: 400,
      body: {
        error: {
          fields: { "routes.1.node": [expect.stringMatching(/speaks messages, which has no embeddings/)] },
        },
      },
    });
    const talks = await makeModel(other.name);
    const turned = await admin("PATCH", `models/${talks.id}`, { kind: "embedding" });
    expect(turned).toMatchObject({
      status: 400,
      body: { error: { fields: { kind: [expect.any(String)] } } },
    });
    expect((await admin("GET", `models/${talks.id}`)).body).toMatchObject({ kind: "generation" });
    expect((await admin("PATCH", `models/${model.id}`, { kind: "other" })).status).toBe(400);
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
    const createdBy = "admin";
    expect(versions.body).toMatchObject({
      data: [
        { version: 2, createdBy },
        { version: 1, createdBy },
      ],
    });
  });

  test("has a planned price, which can be withdrawn until it is in force", async () => {
    const node = await makeNode();
    const { id, alias } = await makeModel(node.name);
    const validFrom = "2099-01-01T00:00:00.000Z";
    const planned = { model: alias, input: 7, output: 8, validFrom };
    expect((await admin("POST", "prices", planned)).body).toMatchObject({ version: 2 });
    expect((await admin("GET", `models/${id}`)).body).toMatchObject({
      prices: { version: 1 },
      newestPriceVersion: 2,
      plannedPrices: { version: 2, input: 7, output: 8, validFrom },
    });
    const withdraw = async (version: string) =>
      (await admin("DELETE", `models/${id}/prices/${version}`)).status;
    expect([await withdraw("1"), await withdraw("3"), await withdraw("two")]).toEqual([409, 404, 404]);
    expect([await withdraw("2"), await withdraw("2")]).toEqual([204, 404]);
    expect((await admin("GET", `models/${id}`)).body).toMatchObject({
      prices: { version: 1 },
      newestPriceVersion: 1,
      plannedPrices: null,
    });
    const audit = await admin("GET", `audit?action=price.delete&targetId=${alias}`);
    expect(audit.body).toMatchObject({ data: [{ before: { version: 2, input: 7 }, after: null }] });
  });

  test("has its price versions by when they come into force, the last first", async () => {
    const node = await makeNode();
    const { alias } = await makeModel(node.name);
    const plan = (validFrom: string) =>
      admin("POST", "prices", { model: alias, input: 7, output: 8, validFrom });
    await plan("2099-12-31T00:00:00.000Z");
    await plan("2099-12-15T00:00:00.000Z");
    expect((await admin("GET", `prices?model=${alias}`)).body).toMatchObject({
      data: [{ version: 2 }, { version: 3 }, { version: 1 }],
    });
  });

  /** Source: docs/reliability.md#r-10. */
  test("whose price is doubled while 50 streams run bills those at the old price and later calls at the new", async () => {
    const plan = await made("plans", {
      name: fresh("Wide"),
      qps: null,
      rpm: null,
      tpm: null,
      selfService: true,
    });
    const user = await server().user({ planId: plan.id, quota: 100_000 });
    const { key } = user;
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
    const ended = streams.map(async (answer) => {
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain("[DONE]");
      return requestIdOf(answer);
    });
    // One after the other: together they are more than the database takes at once.
    for (const requestId of await Promise.all(ended))
      expect(await logEntry(server(), user, requestId)).toMatchObject({
        cost: "0.4",
        receipt: { priceVersion: 1 },
      });
    expect(await logEntry(server(), user, requestIdOf(later))).toMatchObject({
      cost: "0.8",
      receipt: { priceVersion: 2 },
    });
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
      const answer = await admin<{ error?: { fields: object } }>("POST", "models", body);
      return answer.status === 409 ? answer.body.error?.fields : answer.status;
    };
    expect(await status({ alias })).toEqual({ alias: [`is a name of ${alias} already`] });
    expect(await status({ alias: further })).toEqual({ alias: [`is a name of ${alias} already`] });
    expect(await status({ alsoKnownAs: [alias] })).toEqual({
      alsoKnownAs: [`has a name of ${alias} already`],
    });
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
    await expect
      .poll(async () => (await admin("GET", "plans/refusals")).body)
      .toMatchObject({ data: [{ planId: plan.id, refusedUserCount: 1 }] });
    const changed = await admin("PATCH", `plans/${plan.id}`, { qps: null, rpm: null });
    expect(changed.body).toMatchObject({ name: "Trial", qps: null, tpm: 100_000 });
    expect((await call(key, "demo-chat")).status).toBe(200);
    const limits = await server().api("GET", `/api/user/tokens/${keyId}/limits`, token);
    expect(limits.body).toMatchObject({ rpm: { limit: null } });
    expect((await admin("DELETE", `plans/${plan.id}`)).status).toBe(409);
  });

  test("has a name of its own; the form is told at its field, for new plans and renamed ones", async () => {
    const limits = { qps: null, rpm: null, tpm: null };
    const plan = await made("plans", { name: "Only once", ...limits });
    const taken = {
      status: 409,
      body: { error: { code: "CONFLICT", fields: { name: ["is the name of another plan"] } } },
    };
    expect(await admin("POST", "plans", { name: "only ONCE", ...limits })).toMatchObject(taken);
    const other = await made("plans", { name: "Another", ...limits });
    expect(await admin("PATCH", `plans/${other.id}`, { name: "Only once" })).toMatchObject(taken);
    const renamed = await admin("PATCH", `plans/${plan.id}`, { name: "Only Once" });
    expect(renamed.body).toMatchObject({ name: "Only Once" });
    const both = await Promise.all(
      [1, 2].map(() => admin("POST", "plans", { name: "At the same time", ...limits })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  test("that nobody has can be removed; unknown and malformed ids are not found", async () => {
    const plan = await made("plans", { name: "Unused", qps: null, rpm: null, tpm: null });
    expect((await admin("DELETE", `plans/${plan.id}`)).status).toBe(204);
    for (const id of [plan.id, "x", "-1", "99999999999"]) {
      expect((await admin("GET", `plans/${id}`)).status).toBe(404);
    }
  });
});

describe("a change of several models", () => {
  test("switches those that it can, each with its entry in the audit, and tells of the others", async () => {
    const { key } = await server().user({ planId: 3 });
    const node = await makeNode();
    const [one, two] = [await makeModel(node.name), await makeModel(node.name)];
    const ids = [one.id, "nobody", two.id];
    const answer = await admin("PATCH", "models", { ids, enabled: false });
    const { results } = outcomes.parse(answer.body);
    expect(results.map(({ id, error }) => [id, error?.code])).toEqual([
      [one.id, undefined],
      ["nobody", "NOT_FOUND"],
      [two.id, undefined],
    ]);
    for (const { alias } of [one, two]) expect((await call(key, alias)).status).toBe(404);
    expect((await admin("GET", `audit?targetId=${two.id}`)).body).toMatchObject({
      data: [{ action: "model.update", before: { enabled: true }, after: { enabled: false } }, {}],
    });
    await admin("PATCH", "models", { ids, enabled: true });
    expect((await call(key, one.alias)).status).toBe(200);
  });

  test("multiplies every price in force, rounded to the nearest, and leaves a planned price as it is", async () => {
    const node = await makeNode();
    const perCall = { webSearch: 3, fileSearch: null, codeInterpreter: null, imageGeneration: null };
    const prices = { input: 100, output: 0.005, cacheRead: 10, perCall };
    const model = await makeModel(node.name, { prices });
    const validFrom = new Date(Date.now() + 3_600_000).toISOString();
    await admin("POST", "prices", { model: model.alias, input: 7, output: 7, validFrom });
    const bare = await admin<Body>("POST", "models", { alias: fresh("bare"), routes: [] });
    const answer = await admin("PATCH", "models", { ids: [model.id, bare.body.id], priceFactor: 1.1 });
    expect(outcomes.parse(answer.body).results.map(({ error }) => error?.code)).toEqual([
      undefined,
      "INVALID_REQUEST",
    ]);
    expect((await admin("GET", `models/${model.id}`)).body).toMatchObject({
      prices: {
        version: 3,
        input: 110,
        output: 0.006,
        cacheRead: 11,
        cacheWrite: 110,
        perCall: { ...perCall, webSearch: 3 },
      },
      plannedPrices: { version: 2, input: 7 },
    });
    expect((await admin("GET", `audit?targetType=price&targetId=${model.alias}`)).body).toMatchObject({
      data: [{ action: "price.create", before: { version: 1 }, after: { version: 3, input: 110 } }, {}],
    });
  });

  test("plans the new prices for a moment to come, and is refused for one that is past", async () => {
    const node = await makeNode();
    const model = await makeModel(node.name, { prices: { input: 100, output: 200 } });
    const plan = (validFrom: string) =>
      admin("PATCH", "models", { ids: [model.id], priceFactor: 1.5, validFrom });
    expect((await plan("2020-01-01T00:00:00Z")).body).toMatchObject({
      error: { code: "INVALID_REQUEST", fields: { validFrom: expect.any(Array) } },
    });
    const alone = { ids: [model.id], enabled: false, validFrom: "2035-01-01T00:00:00Z" };
    expect((await admin("PATCH", "models", alone)).status).toBe(400);
    await plan("2035-01-01T00:00:00Z");
    expect((await admin("GET", `models/${model.id}`)).body).toMatchObject({
      enabled: true,
      prices: { version: 1, input: 100 },
      plannedPrices: { version: 2, input: 150, output: 300, validFrom: "2035-01-01T00:00:00.000Z" },
    });
  });

  test("is refused when it says nothing, says two things, or names no factor that prices can take", async () => {
    const node = await makeNode();
    const { id } = await makeModel(node.name, { prices: { input: 900_000_000, output: 1 } });
    for (const wrong of [
      {},
      { enabled: true, priceFactor: 2 },
      { priceFactor: 0 },
      { priceFactor: 1.00001 },
      { priceFactor: 101 },
    ])
      expect((await admin("PATCH", "models", { ids: [id], ...wrong })).status).toBe(400);
    const tooHigh = await admin("PATCH", "models", { ids: [id], priceFactor: 100 });
    expect(outcomes.parse(tooHigh.body).results[0]?.error).toMatchObject({ code: "INVALID_REQUEST" });
  });
});
