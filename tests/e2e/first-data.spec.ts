import { type Browser, expect, type Page } from "@playwright/test";
import { test as asMember, callModel, makeKey } from "./support/member";
import { test as asAdmin } from "./support/people";

/** Opens a page as the server sends it: no script runs. */
async function asSent(browser: Browser, page: Page, path: string): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled: false, locale: "en-US" });
  await context.addCookies(await page.context().cookies());
  const sent = await context.newPage();
  await sent.goto(path);
  return sent;
}

const lists = [
  { path: "/admin/nodes", row: /demo-/ },
  { path: "/admin/models", row: /demo-chat/ },
  { path: "/admin/plans", row: /Starter/ },
  // The newest fifty.
  { path: "/admin/users", row: /¥/ },
];

for (const { path, row } of lists)
  asAdmin(`${path} is sent with its rows, before any script has run`, async ({ page, browser }) => {
    const sent = await asSent(browser, page, path);
    await expect(sent.locator("main tbody tr").filter({ hasText: row }).first()).toBeVisible();
    await expect(sent.locator("main .skeleton")).toHaveCount(0);
    await sent.context().close();
  });

asAdmin("the overview of Admin is sent with its numbers", async ({ page, browser }) => {
  const sent = await asSent(browser, page, "/admin");
  await expect(sent.locator("main h1")).toBeVisible();
  await expect(sent.locator("main .skeleton, main [aria-busy=true]")).toHaveCount(0);
  await sent.context().close();
});

asMember("keys and requests are sent with their pages", async ({ page, browser, request, member }) => {
  const { secret } = await makeKey(request, member, { name: "Sent" });
  await callModel(request, secret);
  for (const [path, row] of [
    ["/console/keys", "Sent"],
    ["/console/logs", "demo-chat"],
  ] as const) {
    const sent = await asSent(browser, page, path);
    await expect(sent.locator("main tbody tr").filter({ hasText: row }).first()).toBeVisible();
    await expect(sent.locator("main .skeleton")).toHaveCount(0);
    await sent.context().close();
  }
});
