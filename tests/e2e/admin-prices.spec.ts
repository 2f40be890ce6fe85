import { expect, type Page } from "@playwright/test";
import { freshName, make, test } from "./support/people";

const tiers = [{ above: 200_000, input: 400, output: 1_200 }];
const windows = [{ from: "16:30", to: "00:30", timeZone: "UTC", days: [1, 2, 3, 4, 5], factor: 0.5 }];

/** Makes a model whose route has a cost with a tier, and opens its prices. */
async function openPrices(page: Page) {
  const alias = freshName("tiered-");
  await page.goto("/admin/models");
  const cost = { input: 100, output: 400, tiers: [{ above: 200_000, input: 200, output: 600 }] };
  const { id } = await make<{ id: string }>(page, "/api/admin/models", {
    alias,
    prices: { input: 200, output: 800 },
    routes: [{ node: "demo-chat-node", model: "demo", cost }],
  });
  await page.goto(`/admin/models?model=${id}&tab=prices`);
  const sheet = page.getByRole("dialog", { name: alias, exact: true });
  const field = (label: string) => sheet.getByLabel(label, { exact: true });
  const model = async () => (await page.request.get(`/api/admin/models/${id}`)).json();
  const history = sheet.getByRole("table", { name: "Price history" });
  const addVersion = sheet.getByRole("button", { name: "Add price version" });
  return { alias, sheet, field, model, history, addVersion };
}

test("long prompts, a service tier and a time of the week get prices, which the form keeps", async ({
  page,
}) => {
  const { alias, sheet, field, model, history, addVersion } = await openPrices(page);
  await expect(field("Cache write"), "few models need it").toBeHidden();
  await sheet.getByText("Long prompts", { exact: true }).click();
  await sheet.getByRole("button", { name: "Add tier", exact: true }).click();
  await field("Tier 1: More tokens than").fill("200,000");
  await field("Tier 1: Input").fill("4");
  await addVersion.click();
  await expect(field("Tier 1: Output")).toHaveAccessibleDescription(/^Fill in this field\./);
  await field("Tier 1: Output").fill("12");
  await sheet.getByText("Service tiers", { exact: true }).click();
  await field("flex").selectOption({ label: "Factor" });
  await field("flex: Factor").fill("0.5");
  await sheet.getByText("Times of the week", { exact: true }).click();
  await sheet.getByRole("button", { name: "Add time", exact: true }).click();
  await field("Time 1: Sat").uncheck();
  await field("Time 1: Sun").uncheck();
  await field("Time 1: From").fill("16:30");
  await field("Time 1: Until").fill("0:30");
  await field("Time 1: Time zone").selectOption("UTC");
  await field("Time 1: Factor").fill("0.5");
  await addVersion.click();
  await expect(page.getByText(/Version 2 of/).first()).toBeVisible();
  const newest = history.getByRole("row").nth(1);
  await expect(newest).toContainText("Over 200,000 tokens: Input ¥4.00 · Output ¥12.00");
  await expect(newest).toContainText("flex × 0.5");
  await expect(newest).toContainText("Mon–Fri 16:30–00:30 UTC × 0.5");

  await page.reload();
  await expect(field("Tier 1: More tokens than"), "what has values is open").toBeVisible();
  await expect(field("Tier 1: More tokens than")).toHaveValue("200000");
  await expect(field("Tier 1: Output")).toHaveValue("12");
  await expect(field("flex: Factor")).toHaveValue("0.5");
  await expect(field("priority")).toHaveValue("none");
  await expect(field("Time 1: Until")).toHaveValue("00:30");
  await expect(field("Time 1: Fri")).toBeChecked();
  await expect(field("Time 1: Sat")).not.toBeChecked();
  await field("Input").fill("3");
  await addVersion.click();
  const third = page.getByRole("status").filter({ hasText: /Version 3 of/ });
  await expect(third).toBeVisible();
  const others = { tiers, services: { flex: { factor: 0.5 } }, windows };
  expect((await model()).prices).toMatchObject({ version: 3, input: 300, ...others });
  await third.getByRole("button", { name: "Undo" }).click();
  await expect(history.getByRole("row")).toHaveCount(5);
  expect((await model()).prices).toMatchObject({ version: 4, input: 200, ...others });

  await page.goto(`/console/models?model=${alias}`);
  const drawer = page.getByRole("dialog", { name: alias });
  await expect(drawer).toContainText("Over 200,000 tokens: Input ¥4.00 · Output ¥12.00");
  await expect(drawer).toContainText("flex × 0.5");
});

test("a tier is removed again, and a route keeps what its node charges for long prompts", async ({
  page,
}) => {
  const { sheet, field, model } = await openPrices(page);
  await sheet.getByText("Long prompts", { exact: true }).click();
  const add = sheet.getByRole("button", { name: "Add tier", exact: true });
  await add.click();
  await add.click();
  await field("Tier 1: More tokens than").fill("1000");
  await field("Tier 2: More tokens than").fill("2000");
  await sheet.getByRole("button", { name: "Remove tier 1" }).click();
  await expect(field("Tier 1: More tokens than")).toHaveValue("2000");
  await expect(field("Tier 2: More tokens than")).toHaveCount(0);
  await sheet.getByRole("button", { name: "Remove tier 1" }).click();
  await sheet.getByRole("tab", { name: "Routes" }).click();
  await expect(field("Provider cost: Tier 1: More tokens than")).toHaveValue("200000");
  await field("Weight").fill("50");
  await sheet.getByRole("button", { name: "Save routes" }).click();
  await expect(page.getByText(/^Routes of .* are saved\.$/).first()).toBeVisible();
  expect((await model()).routes).toMatchObject([
    { weight: 50, cost: { input: 100, output: 400, tiers: [{ above: 200_000, input: 200, output: 600 }] } },
  ]);
});
