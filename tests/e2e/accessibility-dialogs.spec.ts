import { expect, type Page } from "@playwright/test";
import { axeViolations, smallTargets } from "./support/axe";
import { freshName, make, test } from "./support/people";

/** One layer over a page: where it is, and how it opens. */
interface Layer {
  name: string;
  path: string;
  open: (page: Page) => Promise<void>;
}

const press = (name: string) => async (page: Page) => {
  await page.getByRole("button", { name, exact: true }).first().click();
};
const choose = (row: RegExp, item: string) => async (page: Page) => {
  const record = page.getByRole("row", { name: row }).first();
  await record.getByRole("button", { name: /Actions/ }).click();
  await page.getByRole("menuitem", { name: item }).click();
};
const openTab = (record: string, tab: string) => async (page: Page) => {
  await press(record)(page);
  await page.getByRole("tab", { name: tab }).click();
};

const layers: Layer[] = [
  {
    name: "create key, everything open",
    path: "/console/keys?create=1",
    open: async (page) => {
      await page.getByText("Plan, models and expiry").click();
      await page.getByLabel("All models, also future ones").uncheck();
      await press("Create key")(page);
    },
  },
  {
    name: "new key",
    path: "/console/keys?create=1",
    open: async (page) => {
      await page.getByRole("dialog").getByLabel("Name").fill("Axe");
      await page.keyboard.press("Enter");
      await expect(page.getByLabel("Your new API key")).toBeVisible();
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Close without saving" }).waitFor();
    },
  },
  { name: "edit key", path: "/console/keys", open: choose(/Axe/, "Edit") },
  { name: "delete key", path: "/console/keys", open: choose(/Axe/, "Delete") },
  { name: "try a model", path: "/console/models", open: press("Try demo-chat") },
  { name: "delete account", path: "/console/settings", open: press("Delete account") },
  { name: "palette", path: "/console", open: (page) => page.keyboard.press("Control+k") },
  {
    name: "shortcuts",
    path: "/console",
    open: async (page) => {
      await page.getByRole("heading", { level: 1 }).click();
      await page.keyboard.press("?");
    },
  },
  { name: "node", path: "/admin/nodes", open: press("Show node demo-chat-node") },
  { name: "add node", path: "/admin/nodes", open: press("Add node") },
  { name: "edit node", path: "/admin/nodes", open: choose(/axe-node/, "Edit") },
  { name: "delete node", path: "/admin/nodes", open: choose(/axe-node/, "Delete") },
  { name: "reset node", path: "/admin/nodes", open: choose(/axe-node/, "Reset circuit") },
  { name: "add model", path: "/admin/models", open: press("Add model") },
  { name: "prices from a list", path: "/admin/models", open: press("Prices from a list…") },
  { name: "model", path: "/admin/models", open: press("Show model demo-mixed") },
  { name: "routes", path: "/admin/models", open: openTab("Show model demo-mixed", "Routes") },
  { name: "prices", path: "/admin/models", open: openTab("Show model demo-mixed", "Prices") },
  {
    name: "prices, everything open",
    path: "/admin/models",
    open: async (page) => {
      await openTab("Show model demo-mixed", "Prices")(page);
      for (const part of ["More kinds of tokens", "Long prompts", "Service tiers", "Times of the week"])
        await page.getByText(part, { exact: true }).click();
      await press("Add tier")(page);
      await page.getByLabel("flex", { exact: true }).selectOption({ label: "Factor" });
      await page.getByLabel("batch", { exact: true }).selectOption({ label: "Own prices" });
      await page.getByText("batch: Long prompts", { exact: true }).click();
      await press("batch: Add tier")(page);
      await press("Add time")(page);
    },
  },
  { name: "add plan", path: "/admin/plans", open: press("Add plan") },
  { name: "delete plan", path: "/admin/plans", open: choose(/Starter/, "Delete") },
  { name: "add user", path: "/admin/users", open: press("Add user") },
  { name: "edit user", path: "/admin/users?search=axe", open: choose(/axe/, "Edit") },
  { name: "grant", path: "/admin/users?search=axe", open: choose(/axe/, "Grant or take quota") },
  { name: "suspend", path: "/admin/users?search=axe", open: choose(/axe/, "Suspend") },
  { name: "reset password", path: "/admin/users?search=axe", open: choose(/axe/, "Reset password") },
  {
    name: "change details",
    path: "/admin/audit?targetType=user",
    open: (page) =>
      page
        .getByRole("button", { name: /^Details: / })
        .first()
        .click(),
  },
];

for (const { theme, width } of [
  { theme: "light", width: 1440 },
  { theme: "dark", width: 320 },
]) {
  test(`every dialog and drawer passes axe and fits: ${theme}, ${width} px`, async ({
    page,
    context,
    baseURL,
  }) => {
    test.setTimeout(400_000);
    await context.addCookies([{ name: "theme", value: theme, url: baseURL ?? "" }]);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.goto("/admin/nodes");
    const name = freshName("axe-node-");
    await make(page, "/api/admin/nodes", { name, protocol: "chat", baseUrl: "http://127.0.0.1:1/v1" });
    await make(page, "/api/admin/users", { username: freshName("axe"), password: "secret-password" });
    const problems: string[] = [];
    for (const layer of layers) problems.push(...(await problemsOf(page, layer, width)));
    expect(problems).toEqual([]);
  });
}

async function problemsOf(page: Page, layer: Layer, width: number): Promise<string[]> {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(layer.path);
  await layer.open(page);
  const dialog = page.locator("[role=dialog], [role=alertdialog]").last();
  await expect(dialog).toBeVisible();
  await page.setViewportSize({ width, height: 800 });
  // The page below was looked at without the layer.
  const violations = await axeViolations(page, "[role=dialog], [role=alertdialog]");
  const found = [...violations, ...(await smallTargets(page))].map((problem) => `${layer.name}: ${problem}`);
  const box = await dialog.boundingBox();
  const fits = box !== null && box.x >= 0 && box.x + box.width <= width;
  return fits ? found : [...found, `${layer.name}: ${JSON.stringify(box)} does not fit ${width} px`];
}
