import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { test } from "./support/member";

const looks = [
  { theme: "light", width: 1280 },
  { theme: "dark", width: 390 },
];
const sections = ["basics", "fields", "filters", "tables", "lists", "states", "budgets", "charts"];

// The snapshots set styles of their own, which the page's policy would refuse.
test.use({ bypassCSP: true });

async function openKitchen(page: Page, theme: string, width: number): Promise<void> {
  const url = "http://127.0.0.1";
  await page.context().addCookies([
    { name: "theme", value: theme, url },
    { name: "locale", value: "en", url },
    { name: "tz", value: "UTC", url },
  ]);
  await page.setViewportSize({ width, height: 900 });
  // A font that came too late for a page is used from the next one on.
  await page.goto("/console/kitchen");
  await page.evaluate(() => document.fonts.ready);
  await page.reload();
  await expect(page.getByRole("heading", { name: "Kitchen" })).toBeVisible();
  await settle(page, width);
  await expect(page.locator("svg.recharts-surface")).toHaveCount(2);
  await page.evaluate(() => document.fonts.ready);
  await settle(page, width);
}

/**
 * Waits until everything is in view and in its place: nothing scrolls below the head, and the charts load. What is laid out
 * late changes the height and the places; on a page that scrolls, text is drawn in other shades.
 */
async function settle(page: Page, width: number): Promise<void> {
  await expect
    .poll(async () => {
      const moved = await page.evaluate(alignSections);
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      const isShown = page.viewportSize()?.height === height;
      await page.setViewportSize({ width, height });
      return isShown && !moved;
    })
    .toBe(true);
}

/**
 * Text that begins on a part of a pixel is drawn in other shades: each section begins on a whole one, whatever is above.
 * Returns whether any has moved.
 */
function alignSections(): boolean {
  let moved = false;
  for (const section of document.querySelectorAll<HTMLElement>("[data-kitchen]")) {
    const { top } = section.getBoundingClientRect();
    const missing = Math.ceil(top) - top;
    if (missing < 0.01 || missing > 0.99) continue;
    section.style.marginTop = `${(Number.parseFloat(section.style.marginTop) || 0) + missing}px`;
    moved = true;
  }
  return moved;
}

/** Source: docs/dashboard.md#kitchen. */
for (const { theme, width } of looks) {
  test(`every component looks as it did: ${theme}, ${width} px`, async ({ page, member: _member }) => {
    test.setTimeout(180_000);
    await openKitchen(page, theme, width);
    for (const section of sections) {
      await settle(page, width);
      await expect
        .soft(page.locator(`[data-kitchen=${section}]`))
        .toHaveScreenshot(`${section}-${theme}-${width}.png`);
    }
    await page.locator("form").getByRole("button", { name: "Create key" }).click();
    const form = page.locator("form").filter({ has: page.getByRole("alert") });
    await expect.soft(form).toHaveScreenshot(`form-refused-${theme}-${width}.png`);
  });

  test(`every layer looks as it did: ${theme}, ${width} px`, async ({ page, member: _member }) => {
    test.setTimeout(180_000);
    await openKitchen(page, theme, width);
    await page.setViewportSize({ width, height: 700 });
    for (const [name, opener, role] of [
      ["dialog", "Open a dialog", "dialog"],
      ["confirm", "Ask for confirmation", "alertdialog"],
      ["drawer", "Open a drawer", "dialog"],
      ["menu", "Open a menu", "menu"],
    ] as const) {
      await page.getByRole("button", { name: opener }).click();
      const layer = page.getByRole(role);
      await expect(layer).toBeVisible();
      await page.mouse.move(0, 0);
      await expect.soft(layer).toHaveScreenshot(`${name}-${theme}-${width}.png`);
      await page.keyboard.press("Escape");
      await expect(layer).toHaveCount(0);
    }
  });
}

for (const { theme, width } of [
  { theme: "light", width: 1440 },
  { theme: "dark", width: 320 },
]) {
  test(`every component passes axe and fits: ${theme}, ${width} px`, async ({ page, member: _member }) => {
    test.setTimeout(120_000);
    await openKitchen(page, theme, width);
    const { violations } = await new AxeBuilder({ page })
      .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
      .analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual(
      [],
    );
    const sideways = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(sideways).toBe(0);
  });
}

test("no toast hides what can have the focus", async ({ page, member: _member }) => {
  await openKitchen(page, "light", 1280);
  await page.getByRole("button", { name: "Say that it failed" }).click();
  await page.mouse.move(0, 0);
  const message = page.getByRole("alert").filter({ hasText: "The server refused it." });
  await expect(message.getByRole("button", { name: "Dismiss" })).toBeVisible();
  const { violations } = await new AxeBuilder({ page }).withRules(["aria-hidden-focus"]).analyze();
  expect(violations.flatMap(({ nodes }) => nodes.map(({ html }) => html))).toEqual([]);
});

test("the kitchen is linked from nowhere", async ({ page, member: _member }) => {
  await page.goto("/console");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("kitchen");
  await expect(page.getByRole("option", { name: /kitchen/i })).toHaveCount(0);
  await expect(page.locator("a[href*=kitchen]")).toHaveCount(0);
});
