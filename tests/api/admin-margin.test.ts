import { describe, expect, test } from "vitest";
import { adminLogDetail } from "@/lib/api/schemas/admin-logs";
import { marginReport } from "@/lib/api/schemas/margin";
import type { Body } from "../support/account-server";
import { catalogRig } from "../support/catalog-rig";

const { server, admin, makeNode, makeModel, call } = catalogRig();
const model = "sim-usage-1000-1000";

/** The margin of one alias, which only this test calls. */
async function marginOf(alias: string | undefined) {
  const report = marginReport.parse((await admin("GET", "margin?period=24h")).body);
  return report.models.find((row) => row.model === alias);
}

describe("the cost of a route", () => {
  test("of each request is that of its time, exact, and only admins are told", async () => {
    const user = await server().user({ planId: 3 });
    const node = await makeNode();
    const cost = { input: 31.415, output: 92.653 };
    const { id, alias } = await makeModel(node.name, { routes: [{ node: node.name, model, cost }] });
    const first = await call(user.key, alias);
    expect(first.status).toBe(200);
    const dearer = { input: 1_000, output: 0, perCall: { webSearch: 5 } };
    const changed = await admin("PATCH", `models/${id}`, {
      routes: [{ node: node.name, model, cost: dearer }],
    });
    expect(changed).toMatchObject({ status: 200, body: { routes: [{ cost: { input: 1_000, output: 0 } }] } });
    const second = await call(user.key, alias);
    const uncosted = await admin("PATCH", `models/${id}`, { routes: [{ node: node.name, model }] });
    expect(uncosted.body).toMatchObject({ routes: [{ cost: null }] });
    const third = await call(user.key, alias);

    const idOf = (response: Response) => response.headers.get("x-request-id") ?? "";
    const costOf = async (response: Response) =>
      adminLogDetail.parse((await admin("GET", `logs/${idOf(response)}`)).body).nodeCost;
    expect(await costOf(first)).toBe("0.124068");
    expect(await costOf(second)).toBe("1");
    expect(await costOf(third)).toBeNull();
    expect(await marginOf(alias)).toEqual({
      model: alias,
      revenue: "1.2",
      covered: "0.8",
      cost: "1.124068",
      margin: "-0.324068",
    });

    const paths = [
      "logs",
      `logs/${idOf(first)}`,
      "stats?groupBy=key",
      "ledger",
      "models",
      "tokens",
      "self",
    ].map((path) => `/api/user/${path}`);
    for (const path of [...paths, "/api/bootstrap"]) {
      const { status, body } = await server().api("GET", path, user.token);
      expect(status, path).toBe(200);
      expect(JSON.stringify(body), path).not.toMatch(/0\.124068|31\.415|nodeCost|margin/i);
    }
    const export_ = await fetch(`${server().url}/api/user/logs/export`, {
      headers: { authorization: `Bearer ${user.token}` },
    });
    expect(await export_.text()).not.toMatch(/0\.124068|nodeCost/i);
    for (const path of ["/v1/models", `/v1/usage/${idOf(first)}`]) {
      const answer = await server().gateway(path, user.key);
      expect(await answer.text(), path).not.toMatch(/0\.124068|31\.415|nodeCost/i);
    }
    expect((await server().api("GET", "/api/admin/margin", user.token)).status).toBe(403);
  });

  test("has the checks of a price, and its changes are in the audit", async () => {
    const node = await makeNode();
    for (const cost of [
      { input: -1, output: 1 },
      { input: 1 },
      { input: 1, output: 1, more: 1 },
      { input: 1.2345, output: 1 },
    ]) {
      const routes = [{ node: node.name, model, cost }];
      const refused = await admin("POST", "models", { alias: "never-made", routes });
      expect([refused.status, cost]).toEqual([400, cost]);
    }
    const { id } = await makeModel(node.name);
    await admin("PATCH", `models/${id}`, {
      routes: [{ node: node.name, model, cost: { input: 7, output: 8 } }],
    });
    const { body } = await admin<{ data: Body[] }>("GET", `audit?targetId=${id}&action=model.update`);
    expect(body.data[0]).toMatchObject({
      before: { routes: [{ cost: null }] },
      after: { routes: [{ cost: { input: 7, output: 8 } }] },
    });
  });
});

test.each(["period=1h", "from=2026-01-02&to=2026-01-01", "from=2026-01-01", "tz=Nowhere/City"])(
  "the margin refuses ?%s",
  async (query) => expect((await admin("GET", `margin?${query}`)).status).toBe(400),
);

test("a receipt keeps its prices when the model is deleted, also when a newer one has its name", async () => {
  const user = await server().user({ planId: 3 });
  const node = await makeNode();
  const { id, alias } = await makeModel(node.name, { routes: [{ node: node.name, model }] });
  const requestId = (await call(user.key, alias)).headers.get("x-request-id") ?? "";
  const receipt = async () => adminLogDetail.parse((await admin("GET", `logs/${requestId}`)).body).receipt;
  const before = await receipt();
  expect(before.lines.length).toBeGreaterThan(0);
  expect((await admin("DELETE", `models/${id}`)).status).toBe(204);
  expect(await receipt()).toEqual(before);
  const dearer = { input: 99_000, output: 99_000 };
  await admin("POST", "models", { alias, routes: [{ node: node.name, model }], prices: dearer });
  expect(await receipt()).toEqual(before);
});
