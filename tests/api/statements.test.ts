import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accountStatement, groupedStatement, statementMonths } from "@/lib/api/schemas/statements";
import { openDatabase } from "@/lib/db/client";
import type { Database } from "@/lib/db/database";
import { makePartitions } from "@/lib/db/partitions";
import { newRequestId } from "@/lib/kernel/request-id";
import { NO_USAGE } from "@/lib/kernel/usage";
import { monthAfter } from "@/lib/reports/statements/calendar";
import { closeMonths } from "@/lib/reports/statements/close";
import { microCentsOf, openTestLedger, settlementOf, type TestLedger } from "../support/billing";
import { postgresServer } from "../support/postgres";
import { runDirectory } from "../support/run-directory";
import { discardServer, startServer, type TestServer, type TestUser } from "../support/server";

const zone = "Asia/Shanghai";
const thisMonth = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 7);
/** Closed, whatever day of the month it is. */
const closed = monthAfter(thisMonth, -2);
const before = monthAfter(thisMonth, -3);
const noon = (month: string, day = "15") => new Date(`${month}-${day}T12:00:00Z`);

const postgres = await postgresServer();

describe.skipIf("unavailable" in postgres)("statements over HTTP", () => {
  let server: TestServer;
  let db: Database;
  let ledger: TestLedger;
  let alice: TestUser & { id: string };
  let bob: TestUser & { id: string };
  let admin: string;
  const project = randomUUID();

  beforeAll(async () => {
    server = await startServer({
      database: "postgres",
      env: { DEMO_PROVIDER: "1", REPORT_TIMEZONE: zone },
    });
    db = await openDatabase({ url: server.env.DATABASE_URL ?? "", dataDir: runDirectory() });
    admin = await server.adminToken();
    const account = async () => {
      const user = await server.user();
      const { body } = await server.api<{ id: string }>("GET", "/api/user/self", user.token);
      return { ...user, id: body.id };
    };
    [alice, bob] = [await account(), await account()];
    await makePartitions(db, noon(before, "01"), new Date());
    await db.query(
      "UPDATE users SET created_at = $1, cost_centre = CASE username WHEN $2 THEN '=CC-1' ELSE '' END",
      [noon(before, "02"), alice.username],
    );
    const shared = await server.key(alice, { name: "=shared" });
    await db.query(
      "INSERT INTO projects (id, user_id, name, cost_centre) VALUES ($1, $2, 'Research', 'CC-2')",
      [project, alice.id],
    );
    await db.query("INSERT INTO project_members (project_id, user_id, role) VALUES ($1, $2, 'owner')", [
      project,
      alice.id,
    ]);
    await db.query("UPDATE api_keys SET project_id = $1, created_by = $2 WHERE id = $3", [
      project,
      bob.id,
      shared.keyId,
    ]);
    ledger = await openTestLedger(db);
    const use = (
      user: TestUser & { id: string },
      keyId: string,
      at: Date,
      costMicroCents: bigint,
      model = "fast",
    ) =>
      ledger.settle(
        settlementOf(
          { userId: user.id, keyIds: [keyId] },
          {
            requestId: newRequestId(),
            createdAt: at,
            costMicroCents,
            model,
            usage: { ...NO_USAGE, inputUncached: 100, cacheRead: 20, output: 30 },
          },
        ),
      );
    await use(alice, alice.keyId, noon(before), 1_000_001n);
    await use(alice, alice.keyId, noon(closed), 2_000_003n);
    await use(alice, alice.keyId, noon(closed), 500_000n, "smart");
    await use(alice, shared.keyId, noon(closed), 4_000_007n);
    await use(bob, bob.keyId, noon(closed), 70_000_000n);
    await closeMonths(db, zone, new Date());
    await use(alice, alice.keyId, noon(closed, "16"), 9n, "late");
    await use(alice, alice.keyId, new Date(), 11n);
  });
  afterAll(async () => {
    await ledger?.drain();
    await db?.close();
    if (server) await discardServer(server);
  });

  const get = async (path: string, token: string) => {
    const { status, body } = await server.api<unknown>("GET", path, token);
    expect([path, status]).toEqual([path, 200]);
    return body;
  };
  const file = async (path: string, token: string) => {
    const response = await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } });
    expect([path, response.status]).toEqual([path, 200]);
    const text = await response.text();
    const [head = "", ...rows] = text.trimEnd().split("\r\n");
    const names = head.split(",");
    const cells = (row: string) =>
      row.match(/("([^"]|"")*"|[^,]*)(,|$)/g)?.map((cell) => cell.replace(/,$/, "")) ?? [];
    const records = rows.map((row) => {
      const values = cells(row);
      return Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""]));
    });
    return { name: response.headers.get("content-disposition") ?? "", text, names, records };
  };
  const sumOf = (values: (string | undefined)[]) =>
    values.reduce((sum, value) => sum + microCentsOf(value), 0n);

  test("an account's months add up to what it has used, and balances follow each other", async () => {
    const { data } = statementMonths.parse(await get("/api/user/statements", alice.token));
    expect(data.map(({ month }) => month)).toEqual(
      [thisMonth, monthAfter(thisMonth, -1), closed, before].slice(0, data.length),
    );
    const self = (await get("/api/user/self", alice.token)) as { used: string; quota: string };
    const [row] = await db.query<{ used: bigint; quota: bigint }>(
      "SELECT used_micro_cents AS used, quota_micro_cents AS quota FROM users WHERE id = $1",
      [alice.id],
    );
    expect(self).toBeDefined();
    expect(sumOf(data.map(({ cost }) => cost))).toBe(row?.used);
    let opening = 0n;
    for (const { month } of data.toReversed()) {
      const statement = accountStatement.parse(await get(`/api/user/statements/${month}`, alice.token));
      expect(microCentsOf(statement.opening ?? "")).toBe(opening);
      const granted = sumOf(statement.grants.map(({ amount }) => amount));
      opening = microCentsOf(statement.closing ?? "");
      expect(opening).toBe(
        microCentsOf(statement.opening ?? "") + granted - microCentsOf(statement.totals.cost),
      );
    }
    expect(opening).toBe((row?.quota ?? 0n) - (row?.used ?? 0n));
  });

  test("an account's statement has models, keys, and late lines apart", async () => {
    const statement = accountStatement.parse(await get(`/api/user/statements/${closed}`, alice.token));
    expect(statement).toMatchObject({
      state: "closed",
      timezone: zone,
      totals: { cost: "6.50001", requestCount: 3 },
    });
    expect(statement.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(statement.models.rows.map(({ id, cost }) => [id, cost])).toEqual([
      ["fast", "6.00001"],
      ["smart", "0.5"],
    ]);
    expect(statement.keys.rows.map(({ name, cost }) => [name, cost])).toEqual([
      ["=shared", "4.000007"],
      ["test", "2.500003"],
    ]);
    expect(statement.late.rows).toEqual([]);
    const months = statementMonths.parse(await get("/api/user/statements", alice.token)).data;
    const firstOpen = months.findLast(({ state }) => state === "open")?.month ?? "";
    const open = accountStatement.parse(await get(`/api/user/statements/${firstOpen}`, alice.token));
    expect(open).toMatchObject({ closedAt: null, sha256: null });
    expect(open.late.rows).toMatchObject([
      { name: "late", ofMonth: closed, cost: "0.000009", requestCount: 1 },
    ]);
  });

  test("a project's lines are for its payer and owners alone", async () => {
    const path = `/api/user/statements/${closed}?projectId=${project}`;
    const statement = accountStatement.parse(await get(path, alice.token));
    expect(statement).toMatchObject({
      opening: null,
      closing: null,
      grants: [],
      totals: { cost: "4.000007" },
    });
    expect((await server.api("GET", path, bob.token)).status).toBe(404);
    await db.query("INSERT INTO project_members (project_id, user_id, role) VALUES ($1, $2, 'member')", [
      project,
      bob.id,
    ]);
    expect((await server.api("GET", path, bob.token)).status).toBe(403);
    await db.query("UPDATE project_members SET role = 'owner' WHERE user_id = $1", [bob.id]);
    expect(accountStatement.parse(await get(path, bob.token)).totals.cost).toBe("4.000007");
    const unknown = `/api/user/statements/${closed}?projectId=${randomUUID()}`;
    expect((await server.api("GET", unknown, alice.token)).status).toBe(404);
    for (const month of ["1999-01", "x", "2026-13", thisMonth.replace("20", "21")])
      expect((await server.api("GET", `/api/user/statements/${month}`, alice.token)).status).toBe(404);
  });

  test("the file of an account has its balances, and stays byte for byte once the month is closed", async () => {
    const path = `/api/user/statements/${closed}/export`;
    const first = await file(path, alice.token);
    expect(first.name).toContain(`tollgate-statement-${closed}.csv`);
    expect(first.text.startsWith("part,month,")).toBe(true);
    const parts = first.records.map(({ part }) => part);
    expect(parts).toEqual(["opening", "usage", "usage", "usage", "closing"]);
    const amounts = first.records.map(({ amountCents = "" }) => microCentsOf(amountCents));
    const closing = amounts.pop();
    expect(amounts.reduce((sum, amount) => sum + amount, 0n)).toBe(closing);
    expect(first.records.map(({ tokenName }) => tokenName)).toContain("'=shared");
    await ledger.settle(
      settlementOf(
        { userId: alice.id, keyIds: [alice.keyId] },
        { requestId: newRequestId(), createdAt: noon(closed, "17"), costMicroCents: 13n },
      ),
    );
    expect((await file(path, alice.token)).text).toBe(first.text);
    const marked = await fetch(`${server.url}${path}?bom=true`, {
      headers: { authorization: `Bearer ${alice.token}` },
    });
    expect(Buffer.from(await marked.arrayBuffer()).subarray(0, 7)).toEqual(Buffer.from("\uFEFFpart"));
  });

  test("the file of all lines adds up to the month and to the ledger to the micro-cent", async () => {
    const lines = await file(`/api/admin/statements/${closed}/export`, admin);
    expect(lines.name).toContain(`tollgate-statement-lines-${closed}.csv`);
    expect(lines.records).toHaveLength(4);
    const cost = sumOf(lines.records.map(({ costCents }) => costCents));
    const { data } = statementMonths.parse(await get("/api/admin/statements", admin));
    expect(microCentsOf(data.find(({ month }) => month === closed)?.cost)).toBe(cost);
    const { data: months } = (await get(`/api/user/ledger/months?tz=${zone}`, bob.token)) as {
      data: { month: string; charged: string }[];
    };
    const ofBob = lines.records.filter(({ account }) => account === bob.username);
    expect(sumOf(ofBob.map(({ costCents }) => costCents))).toBe(
      microCentsOf(months.find(({ month }) => month === closed)?.charged),
    );
    expect(ofBob).toMatchObject([
      { costYuan: "0.7", inputTokens: "100", cacheReadTokens: "20", outputTokens: "30" },
    ]);
    const shared = lines.records.find((row) => row.projectId === project);
    expect(shared).toMatchObject({
      project: "Research",
      costCentre: "CC-2",
      member: bob.username,
      account: alice.username,
    });
    expect(
      lines.records.find(({ account, projectId }) => account === alice.username && projectId === ""),
    ).toMatchObject({
      costCentre: "'=CC-1",
      member: alice.username,
    });
  });

  test("sums by account, project and cost centre stand beside the month before", async () => {
    const by = async (group: string) =>
      groupedStatement.parse(await get(`/api/admin/statements/${closed}?by=${group}`, admin));
    const accounts = await by("account");
    expect(accounts.rows.map(({ name, cost, previous }) => [name, cost, previous.cost])).toEqual([
      [bob.username, "70", "0"],
      [alice.username, "6.50001", "1.000001"],
    ]);
    expect(accounts.totals).toMatchObject({
      cost: "76.50001",
      previous: { cost: "1.000001", requestCount: 1 },
    });
    const projects = await by("project");
    expect(projects.rows.map(({ id, name, owner, cost }) => [id, name, owner, cost])).toEqual([
      ["", "", null, "72.500003"],
      [project, "Research", alice.username, "4.000007"],
    ]);
    const centres = await by("costCentre");
    expect(centres.rows.map(({ name, cost }) => [name, cost])).toEqual([
      ["", "70"],
      ["CC-2", "4.000007"],
      ["=CC-1", "2.500003"],
    ]);
    const next = groupedStatement.parse(await get(`/api/admin/statements/${thisMonth}`, admin));
    expect(microCentsOf(next.totals.lateCost)).toBeGreaterThanOrEqual(0n);
    expect((await server.api("GET", `/api/admin/statements/${closed}?by=node`, admin)).status).toBe(400);
    expect((await server.api("GET", `/api/admin/statements/${closed}`, alice.token)).status).toBe(403);
  });

  test("the FOCUS file keeps the rules of 1.2, and its charges add up to the lines", async () => {
    const focus = await file(`/api/admin/statements/${closed}/focus`, admin);
    const own = focus.names.filter((name) => name.startsWith("x_"));
    expect(focus.names).toEqual([
      ...focus.names.filter((name) => !name.startsWith("x_")).sort(),
      ...own.sort(),
    ]);
    expect(focus.names).toEqual(expect.arrayContaining(MANDATORY));
    const usage = focus.records.filter(({ ChargeCategory }) => ChargeCategory === "Usage");
    const lines = await file(`/api/admin/statements/${closed}/export`, admin);
    expect(usage.reduce((sum, row) => sum + BigInt(row.x_CostMicroCents ?? ""), 0n)).toBe(
      sumOf(lines.records.map(({ costCents }) => costCents)),
    );
    for (const row of focus.records) {
      for (const name of NOT_NULL) expect([name, row[name] !== ""]).toEqual([name, true]);
      expect(row.BilledCost).toMatch(/^-?\d+(\.\d+)?$/);
      expect([row.ContractedCost, row.EffectiveCost, row.ListCost]).toEqual(Array(3).fill(row.BilledCost));
      expect(row.BillingPeriodStart).toBe(
        `${monthAfter(closed, -1)}-${lastDayOf(monthAfter(closed, -1))}T16:00:00Z`,
      );
      expect(row.BillingPeriodEnd).toBe(`${closed}-${lastDayOf(closed)}T16:00:00Z`);
      expect(["Usage", "Credit"]).toContain(row.ChargeCategory);
      expect(["", "Correction"]).toContain(row.ChargeClass);
      if (row.ChargeCategory === "Usage") {
        for (const name of [
          "PricingQuantity",
          "PricingUnit",
          "ConsumedQuantity",
          "ConsumedUnit",
          "SkuId",
          "SkuPriceId",
        ])
          expect([name, row[name] !== ""]).toEqual([name, true]);
        expect(row.PricingQuantity).toBe("150");
        const projected = row.SubAccountId !== "";
        expect([row.SubAccountName !== "", row.SubAccountType !== ""]).toEqual([projected, projected]);
      } else expect([row.ConsumedQuantity, row.PricingUnit]).toEqual(["", ""]);
    }
    expect(usage.map(({ ResourceName }) => ResourceName)).toContain("'=shared");
    const months = statementMonths.parse(await get("/api/admin/statements", admin)).data;
    const firstOpen = months.findLast(({ state }) => state === "open")?.month ?? "";
    const open = await file(`/api/admin/statements/${firstOpen}/focus`, admin);
    expect(open.name).toContain(`tollgate-focus-${firstOpen}-open.csv`);
    const late = open.records.filter(({ ChargeClass }) => ChargeClass === "Correction");
    expect(late.map((row) => [row.ChargePeriodEnd, row.BilledCost]).sort()).toEqual([
      [`${closed}-${lastDayOf(closed)}T16:00:00Z`, "0.00000009"],
      [`${closed}-${lastDayOf(closed)}T16:00:00Z`, "0.00000013"],
    ]);
    const granted = (await file(`/api/admin/statements/${thisMonth}/focus`, admin)).records.filter(
      ({ ChargeCategory }) => ChargeCategory === "Credit",
    );
    for (const credit of granted) expect(credit.BilledCost).toMatch(/^-/);
    expect(granted.length).toBeGreaterThan(0);
  });

  test("the process says in its books that statements agree", async () => {
    expect(await get("/api/admin/reconcile", admin)).toMatchObject({ ok: true });
  });
});

const lastDayOf = (month: string) =>
  new Date(Date.parse(`${monthAfter(month)}-01T00:00:00Z`) - 1).toISOString().slice(8, 10);

const MANDATORY = [
  "BilledCost",
  "BillingAccountId",
  "BillingAccountName",
  "BillingCurrency",
  "BillingPeriodEnd",
  "BillingPeriodStart",
  "ChargeCategory",
  "ChargeClass",
  "ChargeDescription",
  "ChargePeriodEnd",
  "ChargePeriodStart",
  "ContractedCost",
  "EffectiveCost",
  "InvoiceIssuerName",
  "ListCost",
  "PricingQuantity",
  "PricingUnit",
  "ProviderName",
  "PublisherName",
  "ServiceCategory",
  "ServiceName",
];

const NOT_NULL = MANDATORY.filter(
  (name) => !["ChargeClass", "PricingQuantity", "PricingUnit"].includes(name),
);
