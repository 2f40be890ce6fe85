import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { ask, callModel, makeKey, openSession, register, test } from "./support/member";

const ADMIN = { username: "admin", password: "correct-horse-battery" };

async function asAdmin(page: Page): Promise<{ authorization: string }> {
  const { token } = await (await page.request.post("/api/user/login", { data: ADMIN })).json();
  await openSession(page, token);
  return { authorization: `Bearer ${token}` };
}

/** Source: docs/contract.md#b35. */
test("a suspended account's right password says so, since when and whom to ask; a wrong one says nothing", async ({
  page,
  request,
}) => {
  const person = await register(request);
  const own = { authorization: `Bearer ${person.token}` };
  const { id } = await (await request.get("/api/user/self", { headers: own })).json();
  const { token } = await (await request.post("/api/user/login", { data: ADMIN })).json();
  const headers = { authorization: `Bearer ${token}` };
  await request.patch(`/api/admin/users/${id}`, { headers, data: { status: "suspended" } });
  const attempt = async (password: string) => {
    await page.goto("/login");
    await page.getByLabel("Username").fill(person.username);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
  };
  await attempt("not-the-password");
  await expect(page.getByText("Username or password is wrong.")).toBeVisible();
  await attempt(person.password);
  const notice = page.getByRole("alert").filter({ hasText: "This account is suspended" });
  await expect(notice).toContainText(/Since \w+ \d+, \d{4}, \d\d:\d\d:\d\d\./);
  await expect(notice).toContainText("Ask an administrator");
  await page.getByRole("button", { name: "Sign in with another account" }).click();
  await expect(page.getByLabel("Username")).toBeVisible();
});

test("Back and reload ask before a new key's secret is lost", async ({ page, member: _member }) => {
  await page.goto("/console/keys");
  await page.getByRole("button", { name: "Create key" }).first().click();
  await page.getByLabel("Name").fill("Not saved yet");
  await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
  const secret = page.getByLabel("Your new API key");
  const shown = await secret.inputValue();
  await page.evaluate(() => window.history.back());
  await expect(page.getByText("Close without saving?")).toBeVisible();
  await page.getByRole("button", { name: "Stay here" }).click();
  await expect(secret).toHaveValue(shown);
  const asked = page.waitForEvent("dialog");
  await page.evaluate(() => setTimeout(() => window.location.reload()));
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();
  await expect(secret).toHaveValue(shown);
  await page.getByLabel("I have saved this key").check();
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(page.getByText("Not saved yet").first()).toBeVisible();
  // The focus is on the page, not lost.
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY");
  expect(new URL(page.url()).search).toBe("");
});

test("offline is said once, and rows of another filter are dimmed, called old and come back by themselves", async ({
  page,
  context,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member);
  expect((await callModel(request, secret)).status).toBe(200);
  await page.goto("/console/logs");
  await expect(page.getByRole("row").nth(1)).toBeVisible();
  await context.setOffline(true);
  await page.getByLabel("Status", { exact: true }).selectOption("failed");
  const old = page.locator("[data-old]").filter({ has: page.getByRole("row") });
  await expect(old).toBeVisible();
  await expect(page.getByText("Still showing the selection before this one")).toHaveCount(1);
  await expect(page.getByRole("alert").filter({ hasText: /\w/ })).toHaveText([/You are offline/]);
  await context.setOffline(false);
  await expect(page.getByText("No matches")).toBeVisible();
  await expect(old).toHaveCount(0);
  await expect(page.getByText("You are offline.")).toHaveCount(0);
  // That nothing failed does not mean that there was never a request.
  await page.goto("/console/logs?outcome=failed");
  await expect(page.getByText("No matches")).toBeVisible();
  await context.setOffline(true);
  await page.getByRole("button", { name: "Everything" }).click();
  await expect(page.getByText("Still showing the selection before this one")).toHaveCount(1);
  await expect(page.getByText("No matches")).toBeVisible();
  await expect(page.getByText("No requests yet.")).toHaveCount(0);
});

test("a model has the same colour whatever else is shown, and two models have two", async ({
  page,
  request,
  member,
}) => {
  const first = await makeKey(request, member, { name: "First" });
  const both = await makeKey(request, member, { name: "Second" });
  // Alone the second model is first in rank, together it is not.
  await callModel(request, first.secret, { model: "demo-messages" });
  for (let call = 0; call < 3; call += 1) await callModel(request, both.secret, { model: "demo-chat" });
  const colors = async (query: string): Promise<Record<string, string>> => {
    await page.goto(`/console/usage?metric=requests${query}`);
    const legend = page.locator("figure").getByRole("list").getByRole("button");
    await expect(legend.first()).toBeVisible();
    return Object.fromEntries(
      await legend.evaluateAll((buttons) =>
        buttons.map((button) => {
          const swatch = button.querySelector("span[aria-hidden]");
          const name = /^demo-[a-z]+/.exec(button.textContent ?? "")?.[0] ?? "";
          return [name, swatch === null ? "" : getComputedStyle(swatch).backgroundColor];
        }),
      ),
    );
  };
  const together = await colors("");
  expect(new Set(Object.values(together)).size).toBe(2);
  expect(await colors(`&key=${first.id}`)).toEqual({ "demo-messages": together["demo-messages"] });
  expect(await colors(`&key=${both.id}`)).toEqual({ "demo-chat": together["demo-chat"] });
});

test("the axis of requests has whole numbers, and the file of the chart the times of its zone", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member);
  await callModel(request, secret);
  await page.goto("/console/usage?period=30d&metric=requests&tz=Asia/Tokyo");
  const ticks = page.locator("figure .recharts-yAxis-tick-labels .recharts-cartesian-axis-tick-value");
  await expect(ticks.first()).toBeVisible();
  for (const tick of await ticks.allTextContents()) expect(tick).toMatch(/^\d+$/);
  const saved = page.waitForEvent("download");
  await page.locator("figure").getByRole("button", { name: "CSV" }).click();
  const [head = "", ...rows] = readFileSync(await (await saved).path(), "utf8")
    .trim()
    .split("\r\n");
  expect(head).toContain("From (Asia/Tokyo)");
  for (const row of rows) expect(row).toMatch(/^\d{4}-\d\d-\d\d 00:00,/);
});

test("an undo is withdrawn by the next change, and there is one message for each", async ({
  page,
  request,
  member,
}) => {
  await makeKey(request, member, { name: "Switched" });
  await page.goto("/console/keys");
  const menu = page.getByRole("button", { name: "Actions for Switched" }).first();
  await menu.click();
  await page.getByRole("menuitem", { name: "Disable" }).click();
  const undo = page.getByRole("button", { name: "Undo" });
  await expect(undo).toHaveCount(1);
  await expect(page.getByText("“Switched” is disabled.")).toHaveCount(1);
  await menu.click();
  await page.getByRole("menuitem", { name: "Enable" }).click();
  await expect(page.getByText("“Switched” is active again.")).toBeVisible();
  // At once: by itself the message goes after some seconds.
  expect(await page.getByText("“Switched” is disabled.").count()).toBe(0);
  await expect(undo).toHaveCount(1);
  const { data } = await ask<{ data: Array<{ status: string }> }>(request, member, "/api/user/tokens");
  expect(data.map((key) => key.status)).toEqual(["active"]);
});

test("a price above the highest is refused with the highest", async ({ page, member: _member }) => {
  await asAdmin(page);
  await page.goto("/admin/models");
  await page
    .getByRole("button", { name: /^(Add|Create|New) .*model/ })
    .first()
    .click();
  const sheet = page.getByRole("dialog");
  await sheet.getByLabel("Alias").fill("too-dear");
  await sheet
    .getByLabel(/^Input/)
    .first()
    .fill("999999999");
  await sheet
    .getByRole("button", { name: /^(Create|Add)/ })
    .last()
    .click();
  await expect(
    sheet.getByText("Use ¥0 to ¥10,000,000 per million tokens, with at most 5 decimals."),
  ).toBeVisible();
});

test("one rule is told once: an error takes the place of its hint", async ({ page }) => {
  await page.goto("/register");
  await expect(page.getByText(/3–32 letters \(A–Z\) or digits/)).toHaveCount(1);
  await page.getByLabel("Username").fill("a!");
  await page.getByLabel("Password", { exact: true }).fill("quiet-river-42");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByText("Use 3–32 letters (A–Z) or digits.")).toBeVisible();
  await expect(page.getByText(/3–32 letters \(A–Z\) or digits/)).toHaveCount(1);
});

test("on a phone no copy button covers code", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 900 });
  await page.goto("/docs");
  const block = page.locator("pre").first();
  await expect(block).toBeVisible();
  const overlaps = await page.locator("pre:visible").evaluateAll((blocks) =>
    blocks.map((code) => {
      const button = code.closest("div")?.querySelector("button");
      const [a, b] = [code.getBoundingClientRect(), button?.getBoundingClientRect()];
      return b !== undefined && b.left < a.right && b.right > a.left && b.top < a.bottom && b.bottom > a.top;
    }),
  );
  expect(overlaps.length).toBeGreaterThan(0);
  expect(overlaps).not.toContain(true);
});
