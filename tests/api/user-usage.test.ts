import { describe, expect, test } from "vitest";
import { ledgerEntry } from "@/lib/api/schemas/ledger";
import { listOf } from "@/lib/api/schemas/list-of";
import { logVolume } from "@/lib/api/schemas/log-volume";
import { logDetail, logEntry } from "@/lib/api/schemas/logs";
import { stats } from "@/lib/api/schemas/stats";
import { type ApiError, accountServer, type Body, signUp } from "../support/account-server";
import type { TestUser } from "../support/server";

const server = accountServer();
const call = (user: TestUser, fields: Body = {}) =>
  server().gateway("/v1/chat/completions", user.key, {
    model: "demo-chat",
    max_tokens: 20,
    messages: [{ role: "user", content: "Hello" }],
    ...fields,
  });
const logs = async (user: TestUser, query = "") => {
  const { status, body } = await server().api("GET", `/api/user/logs${query}`, user.token);
  expect(status).toBe(200);
  return listOf(logEntry).parse(body);
};

describe("after a request", () => {
  test("log, detail, statistics, profile, key and ledger tell the same story", async () => {
    const user = await server().user({ name: "=story" });
    const response = await call(user);
    expect(response.status).toBe(200);
    const requestId = response.headers.get("x-request-id") ?? "";
    const { data, total } = await logs(user);
    expect(total).toBe(1);
    const [entry] = data;
    expect(entry).toMatchObject({
      requestId,
      tokenId: user.keyId,
      tokenName: "=story",
      model: "demo-chat",
      protocol: "chat",
      stream: false,
      status: "success",
      httpStatus: 200,
      errorCode: null,
      ttftMs: null,
      cost: response.headers.get("x-tollgate-cost"),
    });

    const { body } = await server().api("GET", `/api/user/logs/${requestId}`, user.token);
    const detail = logDetail.parse(body);
    expect(detail).toMatchObject(entry ?? {});
    expect(detail.receipt).toMatchObject({ billed: true, total: entry?.cost });
    expect(detail.attempts).toMatchObject([{ n: 1, node: "node 1", upstreamModel: "demo-chat" }]);
    expect(detail.timeline.length).toBeGreaterThan(0);

    const found = stats.parse((await server().api("GET", "/api/user/stats", user.token)).body);
    expect(found).toMatchObject({ period: "7d", bucket: "day", timezone: "UTC", totalRequests: 1 });
    expect(found.dailyBreakdown).toHaveLength(7);
    expect(found.dailyBreakdown.at(-1)).toMatchObject({ requestCount: 1, cost: entry?.cost });
    expect(found.modelBreakdown).toMatchObject([{ model: "demo-chat", requestCount: 1, cost: entry?.cost }]);

    const profile = await server().api("GET", "/api/user/self", user.token);
    expect(profile.body).toMatchObject({ usedQuota: "1", usedExact: entry?.cost, requestCount: "1" });
    const key = await server().api("GET", `/api/user/tokens/${user.keyId}`, user.token);
    expect(key.body).toMatchObject({ usedQuota: Number(entry?.cost), held: 0 });
    const ledger = listOf(ledgerEntry).parse(
      (await server().api("GET", "/api/user/ledger", user.token)).body,
    );
    expect(ledger.data).toMatchObject([
      { type: "charge", amount: `-${entry?.cost}`, tokenId: user.keyId, requestCount: 1 },
      { type: "signup", amount: "1000", balanceAfter: "1000" },
    ]);
  });

  /** Source: docs/reliability.md#r-143. */
  test("the export is CSV whose cells no spreadsheet runs", async () => {
    const user = await server().user({ name: "=HYPERLINK(1)" });
    await call(user);
    const response = await fetch(`${server().url}/api/user/logs/export`, {
      headers: { authorization: `Bearer ${user.token}` },
    });
    expect(response.headers.get("content-type")).toContain("text/csv");
    const today = new Date().toISOString().slice(0, 10);
    expect(response.headers.get("content-disposition")).toContain(`"tollgate-requests-${today}.csv"`);
    const text = await response.text();
    expect(text.startsWith("requestId,"), "no mark that programs would read as part of a name").toBe(true);
    const lines = text.trimEnd().split("\r\n");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(",'=HYPERLINK(1),");
  });

  test("the ledger is read and exported by type, exact to the last digit", async () => {
    const user = await server().user({ name: "=HYPERLINK(1)" });
    await call(user);
    const read = (type: string) => server().api("GET", `/api/user/ledger?type=${type}`, user.token);
    const { data } = listOf(ledgerEntry).parse((await read("charge")).body);
    expect(data).toMatchObject([{ type: "charge", tokenName: "=HYPERLINK(1)", requestCount: 1 }]);
    expect(await read("refund")).toMatchObject({ status: 400 });
    const response = await fetch(`${server().url}/api/user/ledger/export?type=charge`, {
      headers: { authorization: `Bearer ${user.token}` },
    });
    const today = new Date().toISOString().slice(0, 10);
    expect(response.headers.get("content-disposition")).toContain(`"tollgate-ledger-${today}.csv"`);
    const [head, line, ...further] = (await response.text()).trimEnd().split("\r\n");
    expect(further).toEqual([]);
    expect(head).toContain("createdAt,type,amountCents,balanceAfterCents,");
    expect(data[0]?.amount).toMatch(/^-0\./);
    expect(line).toContain(`,charge,${data[0]?.amount},${data[0]?.balanceAfter},,`);
    expect(line).toContain(",'=HYPERLINK(1),");
  });

  test("a refusal is in the log too and costs nothing", async () => {
    const user = await server().user();
    expect((await call(user, { model: "no-such-model" })).status).toBe(404);
    const { data } = await logs(user, "?status=error");
    expect(data).toMatchObject([
      { model: "(unknown)", status: "error", httpStatus: 404, errorCode: "MODEL_NOT_FOUND", cost: "0" },
    ]);
    const found = stats.parse((await server().api("GET", "/api/user/stats?period=24h", user.token)).body);
    expect(found).toMatchObject({
      totalRequests: 1,
      totals: { errorCount: 1, errors: { MODEL_NOT_FOUND: 1 } },
    });
  });
});

test("a request is found by its whole id, and by the first six or more digits of it", async () => {
  const user = await server().user();
  const requestId = (await call(user)).headers.get("x-request-id") ?? "";
  const found = async (id: string) =>
    (await logs(user, `?requestId=${id}`)).data.map((entry) => entry.requestId);
  await expect.poll(() => found(requestId)).toEqual([requestId]);
  for (const length of [6, 9, 20, 35]) {
    expect(await found(requestId.slice(0, length)), `${length} characters`).toEqual([requestId]);
  }
  expect(await found(requestId.toUpperCase().replaceAll("-", "").slice(0, 20))).toEqual([requestId]);
  expect(await found(requestId.slice(0, 5))).toEqual([]);
  expect(await found("000000")).toEqual([]);
  expect(await found(`${requestId.replaceAll("-", "")}0`)).toEqual([]);
});

/** Source: docs/reliability.md#r-107. */
test("another account's request is answered in the words of an unknown or malformed id", async () => {
  const owner = await server().user();
  const stranger = await signUp(server());
  const requestId = (await call(owner)).headers.get("x-request-id");
  for (const id of [requestId, "01a1fcd3-0000-7000-8000-000000000000", "nonsense"]) {
    const { status, body } = await server().api<ApiError>("GET", `/api/user/logs/${id}`, stranger.token);
    expect([status, body.error.code, body.error.message]).toEqual([
      404,
      "NOT_FOUND",
      "There is no such request.",
    ]);
  }
});

test("another account's requests are in no list, export, sum or ledger", async () => {
  const owner = await server().user();
  await call(owner);
  const stranger = await signUp(server());
  const get = async (path: string) =>
    (await server().api<Body>("GET", `/api/user/${path}`, stranger.token)).body;
  expect(await get("logs")).toMatchObject({ data: [], total: 0 });
  expect(await get("stats")).toMatchObject({ totalRequests: 0 });
  expect(await get("ledger")).toMatchObject({ total: 1 });
});

describe("the log", () => {
  test("is walked by cursor", async () => {
    const user = await server().user({ planId: 3 });
    for (let index = 0; index < 3; index += 1) await call(user);
    const first = await logs(user, "?pageSize=2");
    const rest = await logs(user, `?pageSize=2&cursor=${first.nextCursor}`);
    expect(rest).toMatchObject({ page: null, total: null, nextCursor: null });
    const ids = [...first.data, ...rest.data].map(({ requestId }) => requestId);
    expect(new Set(ids).size).toBe(3);
  });

  /** Source: docs/reliability.md#r-124. */
  test.each([
    "status=fine",
    "from=yesterday",
    "pageSize=101",
    "cursor=nonsense",
    "minLatencyMs=-1",
    "page=501",
    "model=%00",
  ])("refuses ?%s", async (query) => {
    const { token } = await signUp(server());
    expect((await server().api("GET", `/api/user/logs?${query}`, token)).status).toBe(400);
  });
});

test("statistics by key are of the account's own keys, of chosen days too; only admins see accounts", async () => {
  const owner = await server().user({ name: "Grouped" });
  const cost = (await call(owner)).headers.get("x-tollgate-cost");
  await call(await server().user());
  const read = async (query: string) =>
    stats.parse((await server().api("GET", `/api/user/stats?${query}`, owner.token)).body);
  const today = new Date().toISOString().slice(0, 10);
  for (const range of ["period=24h", `from=${today}&to=${today}`]) {
    const { groups, totals } = await read(`${range}&groupBy=key`);
    expect(groups).toMatchObject({ by: "key", others: null });
    expect(groups?.rows).toMatchObject([
      { id: owner.keyId, name: "Grouped", requestCount: 1, cost, owner: null, deleted: false },
    ]);
    expect(totals).toMatchObject({ requestCount: 1, cost });
  }
  const status = async (path: string, token: string) => (await server().api("GET", path, token)).status;
  expect(await status("/api/user/stats?groupBy=user", owner.token)).toBe(400);
  expect(await status("/api/admin/stats?groupBy=user", owner.token)).toBe(403);
  const { body } = await server().api<Body>(
    "GET",
    "/api/admin/stats?groupBy=user",
    await server().adminToken(),
  );
  expect(JSON.stringify(body.groups)).toContain(owner.username);
});

/** Source: docs/reliability.md#r-122, #r-124. */
test.each([
  "period=1h",
  "period=7D",
  "tz=Nowhere/City",
  "tz=%2B08:00",
  "period=24h&period=7d",
  "from=2026-01-01",
  "from=2026-01-02&to=2026-01-01",
  "from=2026-01-01&to=2026-04-03",
  "from=2026-02-30&to=2026-03-01",
  "from=2026-01-01T00:00:00Z&to=2026-01-02",
  "from=9000-01-01&to=9000-01-02",
  "groupBy=model",
])("statistics refuse ?%s", async (query) => {
  const { token } = await signUp(server());
  expect((await server().api("GET", `/api/user/stats?${query}`, token)).status).toBe(400);
});

test.each([
  "logs?protocol=smtp",
  "logs?stream=yes",
  "logs/values?httpStatus=99",
  "ledger?from=2026-02-30",
  "ledger/months?to=2026-11-21T00:00:00Z",
])("GET /api/user/%s is refused", async (path) => {
  const { token } = await signUp(server());
  expect((await server().api("GET", `/api/user/${path}`, token)).status).toBe(400);
});

describe("the requests over time", () => {
  const volume = async (user: TestUser, query = "") => {
    const { status, body } = await server().api("GET", `/api/user/logs/volume${query}`, user.token);
    expect(status).toBe(200);
    const found = logVolume.parse(body);
    const sum = (name: "requestCount" | "failedCount" | "refusedCount") =>
      found.buckets.reduce((total, bucket) => total + bucket[name], 0);
    return {
      ...found,
      counts: [sum("requestCount"), sum("failedCount"), sum("refusedCount")],
    };
  };

  test("agree with the list for every filter, whether the roll-ups can answer it or not", async () => {
    const user = await server().user({ planId: 3 });
    await call(user);
    await call(user, { model: "no-such-model" });
    await call(user, { model: "no-such-model" });
    for (const filter of [
      "",
      "outcome=refused",
      "outcome=failed",
      "outcome=unanswered",
      "errorCode=MODEL_NOT_FOUND",
      "outcome=failed&errorCode=MODEL_NOT_FOUND",
      "model=demo-chat",
      `tokenId=${user.keyId}`,
      "status=success",
      "status=error",
      "operation=embed",
      "minCost=0.001",
      "minLatencyMs=3600000",
      "requestId=nonsense",
      "status=error&outcome=unanswered",
    ]) {
      const { total, data } = await logs(user, `?${filter}`);
      const refused = data.filter(({ errorCode }) => errorCode !== null).length;
      expect((await volume(user, `?${filter}`)).counts, filter).toEqual([total, 0, refused]);
    }
  });

  test("begin with the first request, or with the filter's time, and last until now", async () => {
    const user = await server().user();
    await call(user);
    expect(await volume(user)).toMatchObject({ bucket: "day", timezone: "UTC", counts: [1, 0, 0] });
    expect((await volume(user)).buckets).toHaveLength(7);
    const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    expect((await volume(user, `?from=${ago(0.9)}`)).bucket).toBe("hour");
    expect((await volume(user, `?from=${ago(20)}&to=${ago(19)}&tz=Asia/Shanghai`)).buckets).toHaveLength(21);
    expect((await volume(user, `?from=${ago(4000)}`)).buckets).toHaveLength(92);
  });

  test("are of the account's own requests", async () => {
    const owner = await server().user();
    await call(owner);
    const stranger = await signUp(server());
    expect((await volume({ ...owner, token: stranger.token })).counts).toEqual([0, 0, 0]);
    const answer = await server().api("GET", `/api/user/logs/volume?tokenId=${owner.keyId}`, stranger.token);
    expect(answer.status).toBeGreaterThanOrEqual(403);
  });
});
