import { devices, expect } from "@playwright/test";
import { callModel, makeKey, test } from "./support/member";

test("amounts of a column end in one line with one number of decimals, and have every digit in the tooltip", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member);
  for (const max_tokens of [5, 400]) await callModel(request, secret, { max_tokens });
  await callModel(request, secret, { model: "demo-messages" });
  for (const path of ["/console/logs", "/console/usage", "/console/billing"]) {
    const amounts = page.locator("table").last().locator("td span[title^='¥'], td span[title^='−¥']");
    // The ledger has the cost of a call a moment after its answer.
    await expect(async () => {
      await page.goto(path);
      await expect(amounts.first()).toBeVisible();
      // The line of the grant alone has two.
      expect(await amounts.count(), path).toBeGreaterThan(path === "/console/billing" ? 2 : 1);
    }).toPass();
    const shown = await amounts.evaluateAll((spans) =>
      spans.map((span) => ({
        column: span.closest("td")?.cellIndex,
        decimals: span.textContent?.split(".")[1]?.length,
        figures: getComputedStyle(span).fontVariantNumeric,
        right: span.getBoundingClientRect().right,
      })),
    );
    for (const column of new Set(shown.map((amount) => amount.column))) {
      const same = shown.filter((amount) => amount.column === column);
      expect(same.length, path).toBeGreaterThan(1);
      for (const name of ["figures", "right", "decimals"] as const)
        expect(new Set(same.map((amount) => amount[name])).size, `${path}: ${name}`).toBe(1);
      expect(same[0]?.figures).toContain("tabular-nums");
    }
  }
});

test("a click anywhere on a row opens it; one on its menu, and one that selects text, do not", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member, { name: "Whole row" });
  await callModel(request, secret);
  await page.goto("/console/logs");
  const dialog = page.getByRole("dialog");
  await page.getByRole("cell", { name: /¥0/ }).click();
  await expect(dialog).toContainText("Answered in");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  const name = await page.getByRole("cell", { name: "demo-chat" }).getByText("demo-chat").boundingBox();
  if (name === null) throw new Error("the model is not shown");
  await page.mouse.move(name.x + 1, name.y + name.height / 2);
  await page.mouse.down();
  await page.mouse.move(name.x + name.width - 1, name.y + name.height / 2, { steps: 3 });
  await page.mouse.up();
  expect(await page.evaluate(() => String(getSelection()))).not.toBe("");
  await expect(dialog).toHaveCount(0);
  await page.goto("/console/keys");
  const row = page.getByRole("row", { name: /Whole row/ });
  await row.getByRole("button", { name: "Actions for Whole row" }).click();
  await page.getByRole("menuitem", { name: "Copy prefix" }).click();
  await expect(page.getByRole("menu")).toHaveCount(0);
  await expect(dialog).toHaveCount(0);
  await row.getByRole("cell", { name: "Active" }).click();
  await expect(dialog.filter({ hasText: "Last 7 days" })).toContainText("Whole row");
});

test("a phone is sent rows as cards alone; each width of a page has one form of them", async ({
  page,
  playwright,
  baseURL,
}) => {
  const phone = await playwright.request.newContext({
    baseURL: baseURL ?? "",
    userAgent: devices["Pixel 7"].userAgent,
  });
  const sent = await (await phone.get("/models")).text();
  await phone.dispose();
  expect(sent).toContain("demo-chat");
  expect(sent).not.toContain("<table");
  const table = page.locator("table").filter({ hasText: "demo-chat" });
  const cards = page.locator("ul").filter({ hasText: "demo-chat" });
  await page.goto("/models");
  await expect(table).toBeVisible();
  await expect(cards).toHaveCount(0);
  await page.setViewportSize({ width: 390, height: 800 });
  await expect(cards).toBeVisible();
  await expect(table).toHaveCount(0);
});
