import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { layoutProblems, narrowWidths } from "./support/layout";
import { callModel, makeKey, openSession, register } from "./support/member";
import { freshName, test } from "./support/people";

/** Switches the status page with the session of the page. */
async function switchPage(page: Page, on: boolean): Promise<void> {
  await page.goto("/admin/settings");
  const label = page.getByLabel("Show everybody how well each model answers");
  await expect(label).toBeEnabled();
  await label.setChecked(on);
  // Nothing is changed before it is saved.
  expect((await page.request.get("/status")).status()).toBe(on ? 404 : 200);
  await page.locator("form").filter({ has: label }).getByRole("button", { name: "Save" }).click();
  const link = page.getByRole("main").getByRole("link", { name: "/status" });
  await expect(link).toHaveCount(on ? 1 : 0);
}

// The page is on or off for everybody: one test after the other.
test.describe.configure({ mode: "default" });

test("the status page is off, is switched on by an admin, and shows aliases to visitors", async ({
  page,
  browser,
  gateway,
}) => {
  test.setTimeout(180_000);
  const member = await register(page.request);
  const { secret } = await makeKey(page.request, member);
  await callModel(page.request, secret);
  const context = await browser.newContext({
    baseURL: gateway.url,
    storageState: undefined,
    locale: "en-US",
  });
  const visitor = await context.newPage();
  const errors: string[] = [];
  visitor.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  visitor.on("pageerror", (error) => errors.push(String(error)));
  expect((await visitor.goto("/status"))?.status()).toBe(404);
  await expect(visitor.getByRole("contentinfo").getByRole("link", { name: "Status" })).toHaveCount(0);
  errors.length = 0;

  await switchPage(page, true);
  await page.reload();
  await page.getByRole("button", { name: "Help" }).click();
  await expect(page.getByRole("menuitem")).toHaveText([
    "Docs",
    "API reference",
    "Status",
    "Keyboard shortcuts",
  ]);
  await page.getByRole("menuitem", { name: "Keyboard shortcuts" }).click();
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await visitor.goto("/");
  await expect(visitor.getByRole("banner").getByRole("link", { name: "Status" })).toBeVisible();
  await visitor.getByRole("contentinfo").getByRole("link", { name: "Status" }).click();
  await visitor.waitForURL("**/status");
  const models = visitor.getByRole("main").getByRole("listitem");
  const demo = models.filter({ has: visitor.getByRole("heading", { name: "demo-chat", exact: true }) });
  await expect(visitor.getByRole("main")).toContainText(
    /Share of requests answered in the last (24 hours|7 days)/,
  );
  await expect(demo.getByRole("img", { name: /^demo-chat\. Last (24 hours|7 days): / })).toBeVisible();
  await expect(visitor.getByRole("main")).toContainText(
    "only from 20 requests on, at least 2 of which failed",
  );
  await expect(visitor.getByRole("heading", { name: "Incidents" })).toBeVisible();
  await expect(visitor.getByRole("main")).not.toContainText("demo-chat-node");
  const name = demo.getByRole("link", { name: "demo-chat", exact: true });
  await expect(name).toHaveAttribute("href", "/models?model=demo-chat");
  expect((await name.boundingBox())?.height).toBeGreaterThanOrEqual(24);

  for (const [theme, locale] of [
    ["light", "en"],
    ["dark", "zh-CN"],
    ["dark", "en"],
  ] as const) {
    await context.addCookies([
      { name: "theme", value: theme, url: gateway.url },
      { name: "locale", value: locale, url: gateway.url },
    ]);
    for (const width of [1440, ...narrowWidths]) {
      await visitor.setViewportSize({ width, height: 900 });
      await visitor.goto("/status");
      await expect(visitor.locator("html")).toHaveAttribute("lang", locale);
      expect(await layoutProblems(visitor)).toEqual([]);
      const box = await demo.boundingBox();
      expect(box?.height, `one line, two on a narrow page: ${width}`).toBeLessThan(width === 1440 ? 48 : 72);
    }
    const { violations } = await new AxeBuilder({ page: visitor }).analyze();
    expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([]);
  }
  expect(errors).toEqual([]);
  await context.close();
  await switchPage(page, false);
  expect((await page.request.get("/status")).status()).toBe(404);
  expect((await page.request.get("/status/feed")).status()).toBe(404);
});

test("the status page tells what is announced now and what is planned, before it begins", async ({
  page,
  browser,
  gateway,
}) => {
  test.setTimeout(120_000);
  await switchPage(page, true);
  const names = { now: freshName("Slow answers"), later: freshName("Planned maintenance") };
  for (const [title, from, until] of [
    [names.now, "2026-01-01 00:00", ""],
    [names.later, "2998-12-01 10:00", "2998-12-02 10:00"],
  ] as const) {
    await page.getByRole("button", { name: "New announcement" }).click();
    const sheet = page.getByRole("dialog", { name: "New announcement" });
    await expect(sheet).toContainText("What begins later is at once on the public status page");
    await expect(sheet).toContainText("To tell afterwards what happened, set times in the past.");
    await sheet.getByLabel("Title", { exact: true }).fill(title);
    await sheet.getByLabel("Tone").selectOption("warning");
    await sheet.getByLabel(/^From \(.+\)/).fill(from);
    await sheet.getByLabel(/^Until \(.+\)/).fill(until);
    await sheet.getByLabel("Also show it to visitors, on the public pages").check();
    await sheet.getByRole("button", { name: "Publish" }).click();
    await expect(sheet).toBeHidden();
  }
  const told = page.getByText(new RegExp(`The announcement “${names.later}” is planned for Dec \\d, 2998`));
  await expect(told.first()).toBeVisible();
  await expect(page.getByRole("main")).toContainText(
    "Warnings for everybody are shown with the incidents of their time on the status page.",
  );
  const context = await browser.newContext({
    baseURL: gateway.url,
    storageState: undefined,
    locale: "en-US",
  });
  const visitor = await context.newPage();
  await visitor.goto("/status");
  const listed = (name: string) => visitor.getByRole("list", { name, exact: true }).getByRole("listitem");
  const planned = listed("Planned").filter({ hasText: names.later });
  await expect(planned).toContainText(/Dec \d, 2998, \d\d:\d\d – Dec \d, 2998, \d\d:\d\d UTC$/m);
  await expect(planned, "its heading says what it is").not.toContainText("Warning");
  await expect(listed("Planned").filter({ hasText: names.now })).toHaveCount(0);
  await expect(listed("Notices").filter({ hasText: names.now })).toContainText(/From .+202\d, \d\d:\d\d UTC/);
  const banner = visitor.getByRole("region", { name: "Announcement", exact: true });
  await expect(banner, "the page lists it itself").toHaveCount(0);
  for (const width of narrowWidths) {
    await visitor.setViewportSize({ width, height: 900 });
    expect(await layoutProblems(visitor)).toEqual([]);
  }
  const { violations } = await new AxeBuilder({ page: visitor }).analyze();
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([]);
  const address = await visitor.getByRole("link", { name: "Atom feed" }).getAttribute("href");
  const feed = await visitor.request.get(address ?? "");
  expect(feed.headers()["content-type"]).toContain("application/atom+xml");
  const titles = await visitor.evaluate(
    (xml) =>
      [...new DOMParser().parseFromString(xml, "text/xml").querySelectorAll("entry > title")].map(
        (one) => one.textContent,
      ),
    await feed.text(),
  );
  for (const name of Object.values(names)) expect(titles).toContain(name);
  await visitor.goto("/models");
  await expect(banner).toBeVisible();
  await context.close();
  for (const title of Object.values(names)) {
    await page.getByRole("button", { name: `Actions for ${title}` }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete announcement" }).click();
    await expect(page.getByRole("row", { name: title })).toHaveCount(0);
  }
  await switchPage(page, false);
});

test("a model's detail in the console shows its state and ninety days", async ({
  browser,
  page,
  gateway,
}) => {
  const member = await register(page.request);
  const { secret } = await makeKey(page.request, member);
  await callModel(page.request, secret);
  const context = await browser.newContext({
    baseURL: gateway.url,
    storageState: undefined,
    locale: "en-US",
  });
  const own = await context.newPage();
  await openSession(own, member.token);
  await own.route("**/api/user/models/uptime", (route) =>
    route.fulfill({
      json: {
        at: "2026-11-21T10:00:00.000Z",
        timezone: "UTC",
        period: "90d",
        periods: ["24h", "7d", "30d", "90d"],
        since: new Date(Date.UTC(2026, 7, 24)).toISOString(),
        bucket: "day",
        starts: Array.from({ length: 90 }, (_, index) =>
          new Date(Date.UTC(2026, 7, 24 + index)).toISOString(),
        ),
        degradedBelow: 0.99,
        downBelow: 0.5,
        leastRequests: 20,
        leastFailures: 2,
        incidents: [],
        incidentCount: 0,
        models: [
          {
            id: "demo-chat",
            state: "degraded",
            stateOver: "hour",
            lastDay: 0.9999,
            share: 0.9999,
            buckets: [
              ...Array.from({ length: 58 }, () => ({ state: "idle", share: null })),
              ...Array.from({ length: 30 }, () => ({ state: "operational", share: 1 })),
              { state: "down", share: 0.2 },
              { state: "few", share: 0.6667 },
            ],
          },
        ],
      },
    }),
  );
  await own.goto("/console/models");
  const row = own.getByRole("row", { name: /demo-chat/ });
  await expect(row.getByTitle("Partly failing in the last hour")).toHaveText("Partly failing now");
  await expect(row).toContainText("99.99%");
  await row.getByRole("button", { name: "Try demo-chat" }).click();
  const detail = own.getByRole("dialog").getByRole("region").or(own.getByRole("dialog"));
  await expect(detail.first()).toContainText("Lowest days: Nov 20 20.00% · Nov 21 66.67%");
  const bars = own
    .getByRole("dialog")
    .getByRole("img", { name: /99\.99% answered, 32 of 90 days have requests, 1 day mostly failing/ });
  await expect(bars.locator("span")).toHaveCount(90);
  const said = own.getByRole("dialog").getByRole("status").filter({ hasText: "answered" });
  await bars.focus();
  await expect(said).toHaveText("Nov 21: Too few to tell, 66.67% answered");
  await own.keyboard.press("ArrowLeft");
  await expect(said).toHaveText("Nov 20: Mostly failing, 20.00% answered");
  await own.keyboard.press("Escape");
  await expect(said).toHaveCount(0);
  await expect(bars, "the drawer stays").toBeVisible();
  await bars.locator("span").nth(88).hover();
  await expect(said).toHaveText("Nov 20: Mostly failing, 20.00% answered");
  await context.close();
});
