import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { axeViolations } from "./support/axe";
import { test } from "./support/people";

const today = new Date().toISOString().slice(0, 10);
const heads = "date,model,usage,requests,prompt_tokens,completion_tokens";
const bill = [
  heads,
  `${today},openai/gpt-5.2,2,4,1000000,0`,
  `${today},openai/o3,0.5,1,10,5`,
  `${today},openai/gpt-5.2-mini,1,1,500000,0`,
].join("\n");

/** Answers what nodes were asked with two models at the demo node. */
async function askedOf(page: Page): Promise<{ sent: string[] }> {
  const asked = { sent: [] as string[] };
  await page.route("**/api/admin/provider-bill?*", async (route) => {
    const address = new URL(route.request().url());
    asked.sent.push(address.search);
    const row = {
      day: today,
      nodeId: address.searchParams.get("nodes") ?? "",
      node: "demo-chat-node",
      attemptCount: 4,
      failureCount: 0,
      costedCount: 4,
      completionTokens: 0,
    };
    const rows = [
      {
        ...row,
        model: "gpt-main",
        upstreamModels: ["gpt-5.2-2025-12-11"],
        promptTokens: 1_000_000,
        cost: "700",
      },
      { ...row, model: "gpt-small", upstreamModels: ["gpt-5.2-mini"], promptTokens: 500_000, cost: "700" },
    ];
    await route.fulfill({ json: { from: today, to: today, rows } });
  });
  return asked;
}

test("an export of a provider is compared with what nodes were asked, and is not sent", async ({ page }) => {
  const { sent } = await askedOf(page);
  const bodies: string[] = [];
  page.on("request", (request) => bodies.push(request.postData() ?? ""));
  await page.goto("/admin/margin");
  await page.getByRole("link", { name: "Compare with a bill…" }).click();
  await page.waitForURL("**/admin/margin/bill");
  await expect(page.getByRole("heading", { level: 1, name: "Compare with a bill" })).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Breadcrumb" })).toContainText("Compare with a bill");
  await page.locator("input[type=file]").setInputFiles({
    name: "activity.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(bill),
  });
  await expect(page.getByRole("list", { name: "Chosen files" })).toContainText("activity.csv");
  await page.getByRole("button", { name: "Read", exact: true }).click();
  await expect(page.getByText(`OpenRouter, ${today} to ${today} (UTC)`)).toBeVisible();
  await expect(page.getByText("3 models or other items, tokens, and amounts in USD")).toBeVisible();
  await expect(page.getByText("Choose at least one node.")).toBeVisible();
  await page.getByRole("checkbox", { name: "demo-chat-node", exact: true }).check();
  const table = page.getByRole("table", { name: "Bill and gateway by day and model" });
  const row = (name: string) => table.getByRole("row", { name: new RegExp(`^${name}(?!-)`) });
  await expect(row("openai/gpt-5.2")).toContainText("Enter a rate for USD");
  await page.getByLabel("Yuan per USD").fill("none");
  await expect(page.getByLabel("Yuan per USD")).toHaveAccessibleDescription(/a number above 0/);
  await page.getByLabel("Yuan per USD").fill("7");
  await expect(page.getByText("2 of 3 rows differ.")).toBeVisible();
  await expect(row("openai/gpt-5.2")).toContainText("gpt-main");
  await expect(row("openai/gpt-5.2")).toContainText(
    "Tokens agree, prices do not: ¥14.00 in the bill and ¥7.00 here per 1M tokens",
  );
  await expect(row("openai/o3")).toContainText("Not called through these nodes");
  await expect(row("openai/gpt-5.2-mini")).toHaveCount(0);
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole("radio", { name: "All" }).check();
  await expect(page).toHaveURL(/show=all/);
  await expect(row("openai/gpt-5.2-mini")).toContainText("Equal");
  expect(new Set(sent).size).toBe(1);
  expect(sent[0]).toMatch(new RegExp(`from=${today}&to=${today}&nodes=[0-9a-f-]{36}$`));
  expect(bodies.filter((body) => body.includes("openai/gpt-5.2"))).toEqual([]);

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export CSV" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`tollgate-bill-openrouter-${today}-${today}.csv`);
  const lines = readFileSync(await download.path(), "utf8")
    .trim()
    .split("\r\n");
  expect(lines).toHaveLength(4);
  expect(lines[0]).toContain("Bill: Amount USD,Bill: Amount CNY,Here: Amount CNY,Difference: Amount CNY");
  expect(lines[1]).toContain(`${today},openai/gpt-5.2,gpt-main,1000000,,,0,1000000,0,0,2,14,7,7,`);

  await page.getByRole("button", { name: "Remove activity.csv" }).click();
  await expect(table).toHaveCount(0);
});

test("what is wrong with an export is told with its place, and a pasted one can be corrected", async ({
  page,
}) => {
  await askedOf(page);
  await page.goto("/admin/margin/bill");
  const area = page.getByRole("textbox", { name: "Export (CSV or JSON)" });
  const read = page.getByRole("button", { name: "Read", exact: true });
  await read.click();
  await expect(area).toBeFocused();
  await expect(area).toHaveAccessibleDescription(/Choose a file, or paste an export\./);
  await area.fill(`${heads}\n${today},openai/gpt-5.2,much,1,1,1`);
  await read.click();
  await expect(area).toHaveAccessibleDescription(/Row 2, column “usage”: “much” is no amount\./);
  expect(await axeViolations(page)).toEqual([]);
  await area.fill(bill);
  await read.click();
  await page.getByRole("checkbox", { name: "demo-chat-node", exact: true }).check();
  await expect(page.getByText(/ of 3 rows differ\./)).toBeVisible();
});

test("on a phone the rows of a comparison are cards", async ({ page }) => {
  await askedOf(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/admin/margin/bill");
  await page.getByRole("textbox", { name: "Export (CSV or JSON)" }).fill(bill);
  await page.getByRole("button", { name: "Read", exact: true }).click();
  await page.getByRole("checkbox", { name: "demo-chat-node", exact: true }).check();
  await page.getByLabel("Yuan per USD").fill("7");
  const cards = page.getByRole("list", { name: "Bill and gateway by day and model" });
  await expect(cards.getByRole("listitem").filter({ hasText: "openai/o3" })).toContainText("Not called");
  expect(await axeViolations(page)).toEqual([]);
  const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(await sideways()).toBeLessThanOrEqual(0);
});
