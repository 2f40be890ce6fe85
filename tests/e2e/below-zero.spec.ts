import { type APIRequestContext, expect } from "@playwright/test";
import { ask, callModel, makeKey, monthOfMember, openSession, test } from "./support/member";
import { ADMIN } from "./support/people";

/** Source: docs/contract.md#below-zero. */
test("a balance below zero is told as it is in the console and to admins", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member);
  await callModel(request, secret);
  const admin = await adminToken(request);
  const { id, quota } = await ask<{ id: string; quota: string }>(request, member, "/api/user/self");
  const taken = await request.post(`/api/admin/users/${id}/grants`, {
    data: { amount: -Number(quota), reason: "a mistake" },
    headers: { authorization: `Bearer ${admin}` },
  });
  expect(taken.status()).toBe(201);
  const { usedExact } = await ask<{ usedExact: string }>(request, member, "/api/user/self");
  const debt = `−¥${(Number(usedExact) / 100).toFixed(8).replace(/0+$/, "")}`;
  const refused = await request.post("/v1/chat/completions", {
    data: { model: "demo-chat", messages: [{ role: "user", content: "Hello" }] },
    headers: { authorization: `Bearer ${secret}` },
  });
  expect(refused.status()).toBe(402);
  expect((await refused.json()).error.message).toContain(` -${usedExact} cents are left`);

  await page.goto("/console");
  await expect(page.getByRole("alert").or(page.getByRole("status")).filter({ hasText: "−¥" })).toContainText(
    /The balance is −¥0\.0\d+: ¥0\.0\d+ of ¥0\.00 was used\./,
  );
  await expect(page.getByTitle(debt).filter({ hasText: /^−¥0\.0\d+$/ })).toBeVisible();
  await page.goto("/console/billing");
  await expect(page.getByText(debt, { exact: true }).first()).toBeVisible();
  await page.goto(`/console/billing/statement?month=${monthOfMember()}`);
  await expect(page.getByRole("row", { name: /^Closing balance/ }).first()).toContainText(debt);
  await openSession(page, admin);
  await page.goto(`/admin/users/${id}`);
  await expect(page.getByTitle(debt).first()).toContainText(/^−¥0\.0\d+ Left$/);
});

async function adminToken(request: APIRequestContext): Promise<string> {
  const answer = await request.post("/api/user/login", { data: ADMIN });
  return (await answer.json()).token;
}
