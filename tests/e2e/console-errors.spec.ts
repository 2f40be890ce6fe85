import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { test as base, callModel, type Member, makeKey, openSession, register } from "./support/member";
import { adminPages, consolePages } from "./support/pages";
import { ADMIN } from "./support/people";

const publicPaths = ["/", "/login", "/register", "/models", "/docs", "/docs/errors", "/docs/api"];
const consolePaths = [
  ...consolePages,
  "/console/usage?by=key",
  "/console/usage?by=day",
  "/console/usage?metric=latency",
  "/console/usage?period=24h&metric=errors",
  "/console/usage?period=30d",
  "/console/logs?sort=cost",
  "/console/billing/statement",
];
const adminPaths = [...adminPages, "/admin/usage?by=user", "/admin/margin/bill"];

/** Amounts, refusals and names of every kind: equal rows, unknown models, names in two scripts. */
async function useGateway(request: APIRequestContext): Promise<Member> {
  const member = await register(request, { name: "使用者" });
  const { secret } = await makeKey(request, member, { name: "构建服务器" });
  for (const model of ["demo-chat", "demo-messages", "no-such-model", "demo-failover"])
    await callModel(request, secret, { model });
  const narrow = await makeKey(request, member, { name: "Zeta", models: ["demo-mixed"] });
  for (const model of ["demo-responses", "demo-failover", "demo-chat"])
    await callModel(request, narrow.secret, { model });
  const empty = await makeKey(request, member, { name: "Alpha", quota: 0 });
  await callModel(request, empty.secret, { model: "demo-mixed" });
  await expect
    .poll(async () => {
      const headers = { authorization: `Bearer ${member.token}` };
      return (await (await request.get("/api/user/stats", { headers })).json()).totalRequests;
    })
    .toBeGreaterThanOrEqual(5);
  return member;
}

/** Opens pages, and waits on each until nothing is loaded any more. */
async function visit(page: Page, paths: readonly string[], errors: string[]): Promise<void> {
  for (const path of paths) {
    const before = errors.length;
    await page.goto(path);
    await page.waitForLoadState("networkidle");
    for (let at = before; at < errors.length; at += 1) errors[at] = `${path}: ${errors[at]}`;
  }
}

// The reader's language decides, as on a first visit: no cookie has it, and the browser sorts and writes by it.
for (const locale of ["en-US", "zh-CN"]) {
  base.describe(`in a browser in ${locale}`, () => {
    const test = base;
    test.use({ locale });

    test("no page logs an error or draws another text than the server, with usage to show", async ({
      page,
      request,
      consoleErrors,
    }) => {
      test.setTimeout(300_000);
      await visit(page, publicPaths, consoleErrors);
      const member = await useGateway(request);
      await openSession(page, member.token);
      await visit(page, consolePaths, consoleErrors);
      const { id } = await (
        await request.get("/api/user/self", { headers: { authorization: `Bearer ${member.token}` } })
      ).json();
      const { token } = await (await request.post("/api/user/login", { data: ADMIN })).json();
      await openSession(page, token);
      const tabs = ["usage", "keys", "requests", "ledger", "audit"];
      const account = tabs.map((tab) => `/admin/users/${id}?tab=${tab}`);
      await visit(page, [...adminPaths, `/admin/users/${id}`, ...account], consoleErrors);
      expect(consoleErrors).toEqual([]);
    });
  });
}
