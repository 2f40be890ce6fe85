import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { axeViolations, smallTargets } from "./support/axe";
import { openSession, register } from "./support/member";
import { freshName, make, test } from "./support/people";

const banner = (page: Page) => page.getByRole("region", { name: "Announcement", exact: true });

test("an admin announces something; users and visitors see it, put it away, and see it again after a change", async ({
  page,
  browser,
  gateway,
}) => {
  test.setTimeout(120_000);
  const title = freshName("Maintenance");
  await page.goto("/admin/settings");
  await page.getByRole("button", { name: "New announcement" }).click();
  const sheet = page.getByRole("dialog", { name: "New announcement" });
  await sheet.getByRole("button", { name: "Publish" }).click();
  await expect(sheet.getByLabel("Title", { exact: true }), "what is missing").toBeFocused();
  await sheet.getByLabel("Title", { exact: true }).fill(title);
  await sheet.getByLabel(/^Text/).fill("Details: https://example.com/plan. <b>Plain</b>");
  await sheet.getByText("Chinese version").click();
  await sheet.getByLabel("Chinese title").fill(`${title} 维护`);
  await sheet.getByLabel("Chinese text").fill("详情见公告。");
  await sheet.getByLabel("Tone").selectOption("warning");
  await sheet.getByLabel(/^Until \(.+\)/).fill("2020-01-01 00:00");
  await sheet.getByRole("button", { name: "Publish" }).click();
  await expect(sheet).toContainText("Choose a time after the beginning.");
  await sheet.getByLabel(/^Until/).fill("");
  await sheet.getByLabel("Also show it to visitors, on the public pages").check();
  await expect(sheet.getByRole("region", { name: "Preview", exact: true })).toContainText(
    `${title} · Details`,
  );
  await expect(sheet.getByRole("region", { name: "Preview in Chinese" })).toContainText(
    "维护 · 详情见公告。",
  );
  await sheet.getByRole("button", { name: "Publish" }).click();
  await expect(sheet).toBeHidden();
  await expect(page.getByText(`The announcement “${title}” is published.`).first()).toBeVisible();
  const row = page.getByRole("table", { name: "Announcements" }).getByRole("row", { name: title });
  await expect(row).toContainText("Shown now");
  await expect(row).toContainText("Everybody");
  await expect(banner(page)).toContainText(title);
  const sent = await (await page.request.get("/console")).text();
  expect(sent.includes(title), "it is sent with the page, which so does not move down below it").toBe(true);

  const context = await browser.newContext({
    baseURL: gateway.url,
    storageState: undefined,
    locale: "en-US",
  });
  const visitor = await context.newPage();
  await visitor.goto("/login");
  await expect(banner(visitor)).toContainText(`${title} · Details: https://example.com/plan. <b>Plain</b>`);
  const link = banner(visitor).getByRole("link", { name: "https://example.com/plan" });
  await expect(link).toHaveAttribute("href", "https://example.com/plan");
  for (const width of [390, 1440]) {
    await visitor.setViewportSize({ width, height: 700 });
    // A media query is answered a frame after the width: both are measured at one moment, until they agree.
    await expect
      .poll(() => placesOf(visitor), `at ${width}`)
      .toEqual({
        icon: 0,
        button: 0,
        // On wide screens it begins where the head of the page does.
        fromHead: width === 1440 ? 0 : expect.any(Number),
      });
  }
  await visitor.setViewportSize({ width: 320, height: 700 });
  const { violations } = await new AxeBuilder({ page: visitor }).analyze();
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([]);
  await banner(visitor).getByRole("button", { name: "Hide this announcement" }).click();
  await expect(banner(visitor)).toBeHidden();
  await visitor.reload();
  await expect(visitor.getByRole("main")).toBeVisible();
  await expect(banner(visitor)).toBeHidden();

  await context.clearCookies({ name: "notices" });
  await context.addCookies([{ name: "locale", value: "zh-CN", url: gateway.url }]);
  await visitor.reload();
  const chinese = visitor.getByRole("region", { name: "公告", exact: true });
  await expect(chinese).toContainText(`${title} 维护 · 详情见公告。`);
  await chinese.getByRole("button", { name: "隐藏此公告" }).click();
  await context.addCookies([{ name: "locale", value: "en", url: gateway.url }]);

  const member = await register(page.request);
  await openSession(visitor, member.token);
  await visitor.goto("/console/announcements");
  await expect(visitor.getByRole("article").filter({ hasText: title })).toContainText("Since");
  await expect(banner(visitor)).toBeHidden();
  await page.context().addCookies([{ name: "locale", value: "zh-CN", url: gateway.url }]);
  await page.reload();
  await expect(page.getByRole("row", { name: /维护/ })).toBeVisible();
  await page.context().addCookies([{ name: "locale", value: "en", url: gateway.url }]);
  await page.reload();
  await row.getByRole("button", { name: `Edit “${title}”` }).click();
  const edit = page.getByRole("dialog", { name: `Edit “${title}”` });
  await edit.getByLabel(/^Text/).fill("Done.\n- **Fast** again\n- [Plan](https://example.com/plan)");
  await expect(edit.getByRole("listitem").filter({ hasText: "Fast again" })).toBeVisible();
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(edit).toBeHidden();
  await visitor.goto("/console");
  await expect(banner(visitor)).toContainText(`${title} · Done.`);
  await expect(banner(visitor), "the rest is on the page of all").not.toContainText("Fast");
  await banner(visitor).getByRole("button", { name: "Show the whole announcement" }).click();
  await banner(visitor).getByRole("link", { name: "All announcements" }).click();
  await visitor.waitForURL("**/console/announcements");
  const article = visitor.getByRole("article").filter({ hasText: title });
  await expect(article).toContainText("Done.");
  await expect(article.getByRole("listitem").first().locator("strong")).toHaveText("Fast");
  await expect(article.getByRole("link", { name: "Plan" })).toHaveAttribute(
    "href",
    "https://example.com/plan",
  );
  await expect(banner(visitor), "the page itself shows it").toBeHidden();

  await row.getByRole("button", { name: `Actions for ${title}` }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete announcement" }).click();
  await expect(row).toHaveCount(0);
  await visitor.reload();
  await expect(visitor.getByText("There is no announcement.")).toBeVisible();
  await expect(banner(visitor)).toBeHidden();
  await context.close();
  await page.goto("/admin/audit?targetType=announcement");
  await expect(page.getByRole("table").getByText("Announcement deleted").first()).toBeVisible();
});

test("a warning that begins within a week is told on the console, and again when it begins", async ({
  page,
  browser,
  gateway,
}) => {
  await page.goto("/admin/settings");
  const title = freshName("Moving");
  const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();
  const { id } = await make<{ id: string }>(page, "/api/admin/announcements", {
    title,
    text: "To new machines.",
    tone: "warning",
    public: true,
    from: hours(50),
    until: hours(52),
  });
  const context = await browser.newContext({
    baseURL: gateway.url,
    storageState: undefined,
    locale: "en-US",
  });
  const visitor = await context.newPage();
  await openSession(visitor, (await register(page.request)).token);
  await visitor.goto("/console");
  await expect(banner(visitor)).toContainText(new RegExp(`${title} · Planned · .+ – .+ UTC`));
  await banner(visitor).getByRole("button", { name: "Hide this announcement" }).click();
  await expect(banner(visitor)).toHaveCount(0);
  const headers = { origin: gateway.url };
  await page.request.patch(`/api/admin/announcements/${id}`, { headers, data: { from: hours(-1) } });
  await expect(async () => {
    await visitor.reload();
    await expect(banner(visitor)).toContainText(`${title} · To new machines.`, { timeout: 1_000 });
  }).toPass();
  await page.request.delete(`/api/admin/announcements/${id}`, { headers });
  await context.close();
});

test("a long announcement takes two lines on a phone until it is opened", async ({
  page,
  browser,
  gateway,
}) => {
  await page.goto("/admin/settings");
  const long = "The provider of these models moves to new machines, and answers may be slower than usual. ";
  const { id } = await make<{ id: string }>(page, "/api/admin/announcements", {
    title: freshName("Long"),
    text: `${long.repeat(4)}\nThe end.`,
    tone: "warning",
    public: true,
  });
  const context = await browser.newContext({
    baseURL: gateway.url,
    storageState: undefined,
    locale: "en-US",
    viewport: { width: 390, height: 844 },
  });
  const visitor = await context.newPage();
  const heightOf = async () => (await banner(visitor).boundingBox())?.height ?? 0;
  const more = banner(visitor).getByRole("button", { name: "Show the whole announcement" });
  await visitor.goto("/login");
  await expect(more).toHaveAttribute("aria-expanded", "false");
  expect(await heightOf()).toBeLessThan(72);
  expect([...(await axeViolations(visitor)), ...(await smallTargets(visitor))]).toEqual([]);
  await more.focus();
  await visitor.keyboard.press("Enter");
  await expect(more).toHaveAttribute("aria-expanded", "true");
  await expect(banner(visitor).getByText("The end.")).toBeInViewport();
  expect(await heightOf()).toBeGreaterThan(120);
  await openSession(visitor, (await register(page.request)).token);
  await visitor.goto("/console");
  const all = banner(visitor).getByRole("link", { name: "All announcements" });
  await expect(all).toBeHidden();
  expect(await heightOf()).toBeLessThan(72);
  await more.click();
  await expect(all).toBeInViewport();
  await visitor.setViewportSize({ width: 1440, height: 900 });
  await visitor.reload();
  await expect(all).toBeVisible();
  await context.close();
  await page.request.delete(`/api/admin/announcements/${id}`, { headers: { origin: gateway.url } });
});

/** How far the icon and the button are from the middle of the title's line, and the icon from the head's beginning: pixels. */
function placesOf(page: Page) {
  return page.evaluate(() => {
    const region = document.querySelector('section[aria-label="Announcement"]');
    const [icon, button] = [...(region?.querySelectorAll("svg") ?? [])].map((one) =>
      one.getBoundingClientRect(),
    );
    const line = region?.querySelector("strong")?.getClientRects()[0];
    const head = document.querySelector("header a")?.getBoundingClientRect();
    if (icon === undefined || button === undefined || line === undefined || head === undefined) return null;
    const middle = (box: DOMRect) => box.y + box.height / 2;
    return {
      icon: Math.floor(Math.abs(middle(icon) - middle(line))),
      button: Math.floor(Math.abs(middle(button) - middle(line))),
      fromHead: Math.round(icon.x - head.x),
    };
  });
}
