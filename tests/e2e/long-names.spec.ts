import { expect, type Locator, type Page } from "@playwright/test";
import { layoutProblems } from "./support/layout";
import { freshName, make, test } from "./support/people";

/** As long as it may be, without a place to break it. */
const longest = () => freshName("zz").padEnd(128, "W");
const displayName = "W".repeat(200);

interface Model {
  id: string;
}

let alias: string;
let model: Model;

test.beforeEach(async ({ page }) => {
  alias = longest();
  await page.goto("/admin/models");
  const routes = [{ node: "demo-chat-node", model: "sim-chat" }];
  // Dear enough to be among the few models that an overview names.
  const prices = { input: 10_000, output: 10_000 };
  model = await make<Model>(page, "/api/admin/models", { alias, displayName, prices, routes });
  const { key, apiKey } = await make<{ key: string; apiKey: { id: string } }>(page, "/api/user/tokens", {
    name: alias.slice(0, 100),
    quota: 100_000_000,
  });
  const answer = await page.request.post("/v1/chat/completions", {
    headers: { authorization: `Bearer ${key}` },
    data: { model: alias, max_tokens: 5, messages: [{ role: "user", content: "Hi" }] },
  });
  expect(answer.status(), await answer.text()).toBe(200);
  await change(page, `/api/user/tokens/${apiKey.id}`, { status: "disabled" });
});

/** The names would be in the way of other tests of the same gateway. */
test.afterEach(({ page }) => change(page, `/api/admin/models/${model.id}`, { enabled: false }));

async function change(page: Page, path: string, data: object): Promise<void> {
  const { origin } = new URL(page.url());
  const answer = await page.request.patch(path, { data, headers: { origin } });
  expect(answer.status(), await answer.text()).toBe(200);
}

const pages = () => [
  "/models",
  "/console",
  "/console/keys",
  "/console/usage",
  "/console/logs",
  "/console/models",
  "/admin",
  "/admin/models",
  "/admin/usage",
  "/admin/logs",
  `/console/playground?model=${alias}`,
];

for (const width of [320, 1280]) {
  test(`the longest names stay in their places on every page that shows them, at ${width} pixels`, async ({
    page,
  }) => {
    test.setTimeout(90_000);
    const wrong: string[] = [];
    await page.setViewportSize({ width, height: 900 });
    for (const path of pages()) {
      await page.goto(path);
      await expect(page.getByText(alias.slice(0, 100)).first()).toBeAttached();
      await page.waitForLoadState("networkidle");
      for (const problem of await layoutProblems(page)) wrong.push(`${path}: ${problem}`);
    }
    expect(wrong).toEqual([]);
  });

  test(`a drawer is as wide as the window allows, whatever names stand in it, at ${width} pixels`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    const name = page
      .getByRole("button", { name: new RegExp(alias) })
      .locator("visible=true")
      .first();
    const drawer = page.getByRole("dialog", { name: alias });
    await page.goto("/models");
    await name.click();
    await expect(drawer).toContainText("Max. output");
    expect(await beyondTheEdge(drawer)).toEqual([]);
    await page.goto("/admin/models");
    await name.click();
    for (const tab of ["Details", "Routes", "Prices"]) {
      await drawer.getByRole("tab", { name: tab }).click();
      await expect(drawer.getByRole("tabpanel")).toBeVisible();
      expect([tab, await beyondTheEdge(drawer)]).toEqual([tab, []]);
    }
  });
}

/** The texts of a drawer that end right of the window, but for code and tabs, which scroll by themselves. */
function beyondTheEdge(drawer: Locator): Promise<(string | null)[]> {
  return drawer.locator("*").evaluateAll((elements) =>
    elements
      .filter((element) => element.checkVisibility() && element.closest("pre, [role=tablist]") === null)
      .filter((element) => element.getBoundingClientRect().right > window.innerWidth + 1)
      .map((element) => element.textContent),
  );
}
