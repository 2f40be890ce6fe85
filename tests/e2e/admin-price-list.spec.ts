import { expect } from "@playwright/test";
import { axeViolations } from "./support/axe";
import { freshName, make, test } from "./support/people";

interface Model {
  prices: {
    input: number;
    output: number;
    cacheRead: number;
    cacheWrite1h: number | null;
    perRequest: number | null;
    tiers: Array<{ above: number }>;
    services: object;
  } | null;
  routes: Array<{ cost: { input: number; output: number } | null }>;
  contextWindow: number | null;
  maxOutputTokens: number | null;
}

test("prices from a list are compared, change two models with their costs, and are taken back together", async ({
  page,
}) => {
  const name = freshName("listed-");
  await page.goto("/admin/models");
  const ids: string[] = [];
  const others = { perRequest: 5, tiers: [{ above: 1000, input: 150, output: 400 }] };
  for (const number of [1, 2, 3]) {
    const { id } = await make<{ id: string }>(page, "/api/admin/models", {
      alias: `${name}-${number}`,
      ...(number === 2 && { contextWindow: 5000 }),
      prices: { input: 100, output: 400, ...(number === 2 && others) },
      routes: [
        {
          node: "demo-chat-node",
          model: `${name}-up${number}`,
          cost: number === 3 ? { input: 100, output: 400 } : null,
        },
      ],
    });
    ids.push(id);
  }
  const modelOf = async (place: number): Promise<Model> =>
    (await page.request.get(`/api/admin/models/${ids[place]}`)).json();
  await page.goto(`/admin/models?search=${name}`);
  await page.getByRole("button", { name: "Prices from a list" }).click();
  const dialog = page.getByRole("dialog", { name: "Prices from a list" });
  const list = dialog.getByRole("textbox", { name: "List (JSON)" });
  await list.fill('{"model": {\n"input_cost_per_token" 1}}');
  await dialog.getByRole("button", { name: "Compare with the models" }).click();
  await expect(list).toBeFocused();
  await expect(list).toHaveAccessibleDescription(/“1” is not expected in line 2, column 24\./);
  await expect(dialog.getByLabel("Yuan per US dollar")).toHaveAccessibleDescription(/a number above 0/);

  const prices = {
    [`openai/${name}-up1`]: {
      input_cost_per_token: 1e-7,
      output_cost_per_token: 0.000003,
      cache_read_input_token_cost: 5e-8,
      max_input_tokens: 8000,
      max_output_tokens: 2000,
    },
    [`${name}-up2-2026-01-01`]: {
      input_cost_per_token: 2e-7,
      output_cost_per_token: 4e-7,
      cache_creation_input_token_cost_above_1hr: 4e-7,
      input_cost_per_token_above_200k_tokens: 4e-7,
      input_cost_per_token_flex: 1e-7,
      output_cost_per_token_flex: 2e-7,
      max_input_tokens: 9000,
    },
    [`${name}-up3`]: { input_cost_per_token: 1.25e-7, output_cost_per_token: 5e-7 },
  };
  await dialog.locator("input[type=file]").setInputFiles({
    name: "prices.json",
    mimeType: "application/json",
    buffer: Buffer.from(JSON.stringify(prices)),
  });
  await expect(dialog.getByText("“prices.json” is chosen.")).toBeVisible();
  await dialog.getByLabel("Yuan per US dollar").fill("8");
  await dialog.getByLabel("Markup in percent").fill("25");
  await dialog.getByRole("button", { name: "Compare with the models" }).click();

  const row = (number: number) => dialog.getByRole("row", { name: new RegExp(`${name}-${number}`) });
  await expect(row(1)).toContainText(`In the list: openai/${name}-up1`);
  await expect(row(1)).toContainText("Output changes more than fivefold: ¥4.00 → ¥30.00.");
  const first = dialog.getByRole("checkbox", { name: `Select ${name}-1` });
  await expect(first, "what looks like a mistake is chosen on purpose").not.toBeChecked();
  await first.check();
  await expect(row(1)).toContainText(/Cache read ¥1\.00 → ¥0\.50.*Input – → ¥0\.80.*Context – → 8,000/);
  await expect(row(2)).toContainText(/Input ¥1\.00 → ¥2\.00.*Input – → ¥1\.60/);
  await expect(row(2)).toContainText(/Cache write, 1 hour – → ¥4\.00.*Also 1 tier by prompt size, flex/);
  await expect(row(2)).not.toContainText("Context");
  await dialog.getByRole("checkbox", { name: "Also replace limits" }).check();
  await expect(row(2)).toContainText("Context 5,000 → 9,000");
  await dialog.getByRole("checkbox", { name: "Also replace limits" }).uncheck();
  await expect(row(3), "its price is the cost with the markup").toContainText(/Input ¥1\.00 → ¥1\.25/);
  await dialog.getByRole("checkbox", { name: `Select ${name}-3` }).uncheck();
  expect(await axeViolations(page)).toEqual([]);

  await dialog.getByRole("button", { name: "Change 2 models" }).click();
  await expect(dialog).toBeHidden();
  const done = page.getByRole("status").filter({ hasText: "2 models have new prices from the list." });
  await expect(done).toBeVisible();
  expect(await modelOf(0)).toMatchObject({
    prices: { input: 100, output: 3000, cacheRead: 50 },
    routes: [{ cost: { input: 80, output: 2400 } }],
    contextWindow: 8000,
    maxOutputTokens: 2000,
  });
  const own = { input: 200, output: 400, cacheWrite1h: 400 };
  expect(await modelOf(1)).toMatchObject({
    prices: {
      ...own,
      perRequest: 5,
      tiers: [{ ...own, above: 200_000, input: 400 }],
      services: {
        flex: {
          ...own,
          input: 100,
          output: 200,
          tiers: [{ ...own, above: 200_000, input: 400, output: 200 }],
        },
      },
    },
    contextWindow: 5000,
  });
  expect(await modelOf(2)).toMatchObject({ prices: { input: 100, output: 400 } });
  await done.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("2 models have their prices from before again.").first()).toBeVisible();
  expect(await modelOf(0)).toMatchObject({
    prices: { input: 100, output: 400, cacheRead: 100 },
    routes: [{ cost: { input: 80, output: 2400 } }],
  });
  expect((await modelOf(1)).prices).toMatchObject({
    ...others,
    input: 100,
    output: 400,
    cacheWrite1h: null,
    services: {},
  });

  await page.getByRole("button", { name: `Show model ${name}-3` }).click();
  const sheet = page.getByRole("dialog", { name: `${name}-3`, exact: true });
  await sheet.getByRole("tab", { name: "Prices" }).click();
  await expect(sheet).toContainText(`From the list (${name}-up3): ¥1.25 in and ¥5.00 out per 1M tokens.`);
  await sheet.getByRole("button", { name: "Use the list's prices" }).click();
  await expect(sheet.getByLabel("Input", { exact: true })).toHaveValue("1.25");
  await expect(sheet.getByLabel("Output", { exact: true })).toHaveValue("5");
});
