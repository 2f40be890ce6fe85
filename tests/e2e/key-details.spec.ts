import { expect } from "@playwright/test";
import { ask, callModel, makeKey, test } from "./support/member";

test("neither Escape nor a click beside it closes the dialog of a secret that is not saved", async ({
  page,
  request,
  member,
}) => {
  await page.goto("/console/keys?create=1");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Careful");
  await dialog.getByRole("button", { name: "Create key" }).click();
  const secret = dialog.getByLabel("Your new API key");
  await expect(secret).toHaveValue(/^tgw-/);
  await expect(dialog.getByRole("button", { name: "Done" })).toBeDisabled();
  const kept = await secret.inputValue();
  await page.mouse.click(5, 5);
  await expect(page.getByText("Close without saving?")).toBeVisible();
  await page.getByRole("button", { name: "Stay here" }).click();
  await expect(secret).toHaveValue(kept);
  await secret.press("Escape");
  await page.getByRole("button", { name: "Stay here" }).press("Enter");
  await expect(secret).toBeFocused();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Close without saving" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("row", { name: /Careful/ })).toBeVisible();
  expect((await callModel(request, kept)).status).toBe(200);
  expect((await ask<{ data: unknown[] }>(request, member, "/api/user/tokens")).data).toHaveLength(1);
});

test("a key can be copied where the browser has no clipboard for pages", async ({
  page,
  member: _member,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "clipboard", { value: undefined });
    document.addEventListener("copy", () => {
      document.documentElement.dataset.copied = String(window.getSelection());
    });
  });
  await page.goto("/console/keys?create=1");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Plain http");
  await dialog.getByRole("button", { name: "Create key" }).click();
  const secret = await dialog.getByLabel("Your new API key").inputValue();
  await dialog.getByRole("button", { name: "Copy key" }).click();
  await expect(dialog.getByRole("button", { name: "Copied" })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("data-copied", secret);
});

test("a key that stands on another page of the list is found", async ({ page, request, member }) => {
  await makeKey(request, member, { name: "The oldest" });
  for (let index = 1; index <= 51; index += 1) await makeKey(request, member, { name: `Filler ${index}` });
  await page.goto("/console/keys");
  await expect(page.getByText("52 keys", { exact: true })).toBeVisible();
  await expect(page.getByRole("row", { name: /The oldest/ })).toHaveCount(0);
  await page.getByRole("searchbox").fill("the oldest");
  await expect(page.getByRole("row", { name: /The oldest/ })).toBeVisible();
  await expect(page.getByText("1 key", { exact: true })).toBeVisible();
  await page.getByRole("searchbox").fill("");
  await page.getByRole("button", { name: "Older" }).click();
  await expect(page.getByRole("row", { name: /The oldest/ })).toBeVisible();
  await page.getByRole("columnheader", { name: "Name" }).getByRole("button").click();
  await expect(page.getByRole("table").getByRole("row").nth(1)).toContainText("Filler 1");
  await expect(page.getByRole("row", { name: /The oldest/ })).toBeVisible();
});

test("the list shows prefix, spend, models, plan, expiry and last use, and the menu leads on", async ({
  page,
  request,
  member,
}) => {
  const expiresAt = new Date(Date.now() + 30 * 86_400_000).toISOString();
  const made = await makeKey(request, member, { name: "Full", planId: 2, models: ["demo-chat"], expiresAt });
  await callModel(request, made.secret);
  await expect
    .poll(async () => {
      const { data } = await ask<{ data: Array<{ usedQuota: number }> }>(request, member, "/api/user/tokens");
      return data[0]?.usedQuota;
    })
    .toBeGreaterThan(0);
  await page.goto("/console/keys");
  const row = page.getByRole("row", { name: /Full/ });
  await expect(row).toContainText(made.secret.slice(0, 10));
  await expect(row).toContainText(/¥0\.00\d+ of ¥20\.00/);
  await expect(row.getByRole("meter", { name: "Used" })).toHaveAttribute("aria-valuetext", /of ¥20\.00/);
  await expect(row).toContainText("Starter");
  await expect(row).toContainText("in 30 days");
  await expect(row.getByText("1 model")).toBeVisible();
  await row.getByText("1 model").hover();
  await expect(page.getByText("demo-chat", { exact: true })).toBeVisible();
  await expect(row).toContainText(/ago|now/);
  await row.getByRole("button", { name: "Actions for Full" }).click();
  await page.getByRole("menuitem", { name: "View usage" }).click();
  await page.waitForURL(`**/console/usage?key=${made.id}`);
  await expect(page.getByLabel("Key", { exact: true })).toHaveValue(made.id);
});

test("the drawer of a key names its models, and the key is deleted from it", async ({
  page,
  request,
  member,
}) => {
  const models = ["demo-chat", "demo-messages"];
  const { id } = await makeKey(request, member, { name: "Two models", models });
  await page.goto(`/console/keys?key=${id}`);
  const drawer = page.getByRole("dialog", { name: "Two models" });
  await expect(drawer.getByText("demo-chat and demo-messages")).toBeVisible();
  await drawer.getByRole("button", { name: "Actions for Two models" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const question = page.getByRole("alertdialog");
  await question.getByRole("textbox").fill("Two models");
  await question.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("“Two models” is deleted.")).toBeVisible();
  await expect(page).not.toHaveURL(/key=/);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("row", { name: /Two models/ })).toHaveCount(0);
});

test("a used-up key works again after its quota is raised from the list", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member, { name: "Dry", quota: 0 });
  expect((await callModel(request, secret)).status).toBe(402);
  await page.goto("/console/keys");
  await page.getByRole("row", { name: /Dry/ }).getByRole("button", { name: "Raise quota" }).click();
  const sheet = page.getByRole("dialog");
  await sheet.getByLabel("Quota in yuan (¥)").fill("3");
  await sheet.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("row", { name: /Dry/ })).toContainText("Active");
  await expect.poll(async () => (await callModel(request, secret)).status).toBe(200);
});

test("a date is written alike in every language, and means the reader's zone", async ({
  page,
  request,
  member,
  context,
  baseURL,
}) => {
  await context.addCookies([
    { name: "locale", value: "zh-CN", url: baseURL ?? "" },
    { name: "tz", value: "Asia/Shanghai", url: baseURL ?? "" },
  ]);
  await page.goto("/console/keys?create=1");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("名称").fill("到期");
  await dialog.locator("summary").click();
  await dialog.getByLabel("过期时间").selectOption("custom");
  const box = dialog.getByPlaceholder("年-月-日 时:分");
  await box.fill("2031-02-03");
  await box.blur();
  await expect(box).toHaveAttribute("aria-invalid", "true");
  await box.fill("2031-02-03 16:30");
  await expect(box).not.toHaveAttribute("aria-invalid", "true");
  await dialog.getByRole("button", { name: "创建密钥" }).click();
  await expect(dialog.locator("input[readonly]")).toHaveValue(/^tgw-/);
  const { data } = await ask<{ data: Array<{ expiresAt: string }> }>(request, member, "/api/user/tokens");
  expect(data[0]?.expiresAt).toBe("2031-02-03T08:30:00.000Z");
});

test("the dialog stays open while a key is being made, whatever is pressed", async ({
  page,
  member: _member,
}) => {
  let answer: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/api/user/tokens", async (route) => {
    if (route.request().method() === "POST") await held;
    await route.continue();
  });
  await page.goto("/console/keys?create=1");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Patience");
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("button", { name: "Creating" })).toBeVisible();
  await page.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.mouse.click(5, 400);
  answer();
  await expect(dialog.getByLabel("Your new API key")).toHaveValue(/^tgw-/);
});

const AMOUNTS = [
  ["1,5", "Use a point for the decimals, such as 12.50."],
  ["", "Use an amount above 0."],
] as const;

test("an amount that could be read in two ways, or none, is asked for again", async ({
  page,
  request,
  member,
}) => {
  await makeKey(request, member, { name: "Amounts", quota: 321 });
  await page.goto("/console/keys");
  await page.getByRole("button", { name: "Actions for Amounts" }).first().click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  const sheet = page.getByRole("dialog");
  for (const [typed, problem] of AMOUNTS) {
    await sheet.getByLabel("Quota in yuan (¥)").fill(typed);
    await sheet.getByRole("button", { name: "Save changes" }).click();
    await expect(sheet.getByText(problem)).toBeVisible();
  }
  await sheet.getByLabel("Quota in yuan (¥)").fill("1,234.5");
  await sheet.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Amounts" })).toBeVisible();
  await expect(page.getByRole("row", { name: /Amounts/ })).toContainText("¥1,234.50");
});

test("after a key is deleted the focus is in the page, and the result is a status", async ({
  page,
  request,
  member,
}) => {
  await makeKey(request, member, { name: "Leaving" });
  await page.goto("/console/keys");
  await page.getByRole("button", { name: "Actions for Leaving" }).first().click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByRole("textbox").fill("Leaving");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "Leaving" })).toBeVisible();
  await expect(page.getByRole("row", { name: /Leaving/ })).toBeHidden();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY");
});

test("a key for an hour is nothing to be warned of", async ({ page, request, member }) => {
  const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
  await makeKey(request, member, { name: "Hour", expiresAt: inMs(3_600_000) });
  await page.goto("/console/keys");
  await expect(page.getByRole("row", { name: /Hour/ })).toBeVisible();
  // A key that is warned of shows when the banner would be there, and that it counts one key and not two.
  await makeKey(request, member, { name: "Days", expiresAt: inMs(3 * 86_400_000) });
  await page.reload();
  await expect(page.getByText("1 API key expires within 7 days.")).toBeVisible();
  await expect(page.getByRole("row", { name: /Hour/ })).toBeVisible();
});

test("a form that opens before its choices have come keeps what was chosen", async ({
  page,
  request,
  member,
}) => {
  const { id } = await makeKey(request, member, { name: "Early", quota: 100, planId: 2 });
  let bringPlans = () => {};
  const asked = new Promise<void>((resolve) => {
    bringPlans = resolve;
  });
  await page.route("**/api/user/plans", async (route) => {
    await asked;
    await route.continue();
  });
  await page.goto("/console/keys");
  await page.getByRole("button", { name: "Actions for Early" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  const sheet = page.getByRole("dialog");
  await sheet.getByLabel("Quota in yuan (¥)").fill("3");
  bringPlans();
  await expect(sheet.getByLabel("Plan", { exact: true })).toHaveValue("2");
  await sheet.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("row", { name: /Early/ })).toContainText("¥3.00");
  const { data } = await ask<{ data: object[] }>(request, member, "/api/user/tokens");
  expect(data).toMatchObject([{ id, quota: 300, planId: 2 }]);
});

test("the drawer of a key has a chart of its last 30 days, of cost or requests", async ({
  page,
  request,
  member,
  consoleErrors,
}) => {
  const used = await makeKey(request, member, { name: "Used" });
  const unused = await makeKey(request, member, { name: "Unused" });
  for (const model of ["demo-chat", "demo-messages"]) await callModel(request, used.secret, { model });
  await page.goto(`/console/keys?key=${used.id}`);
  const drawer = page.getByRole("dialog", { name: "Used" });
  await drawer.getByRole("heading", { name: "Last 30 days" }).scrollIntoViewIfNeeded();
  await expect(drawer.locator("figure .recharts-bar-rectangle path").first()).toBeVisible();
  await drawer.getByRole("radio", { name: "Requests" }).check();
  await expect(drawer.locator("figcaption")).toContainText("2 requests over 30 days");
  await page.goto(`/console/keys?key=${unused.id}`);
  await expect(page.getByRole("dialog", { name: "Unused" })).toContainText("No requests in this period.");
  expect(consoleErrors).toEqual([]);
});
