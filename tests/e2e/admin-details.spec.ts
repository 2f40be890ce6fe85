import { expect } from "@playwright/test";
import { callModel, makeKey, register } from "./support/member";
import { freshName, make, test } from "./support/people";

test("accounts are narrowed by role, state and plan, and get another role and plan", async ({ page }) => {
  const member = await register(page.request);
  await page.goto(`/admin/users?search=${member.username}`);
  const row = page.getByRole("row", { name: new RegExp(member.username) });
  await row.getByRole("button", { name: /Actions/ }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  const sheet = page.getByRole("dialog");
  await sheet.getByLabel("Role").selectOption({ label: "Admin" });
  await expect(sheet.getByText("A new role signs the user out everywhere.")).toBeVisible();
  await sheet.getByLabel("Plan", { exact: true }).selectOption("3");
  await sheet.getByLabel("Requests a minute").fill("7");
  await sheet.getByRole("button", { name: "Save" }).click();
  await expect(row).toContainText("Admin");
  await expect(row).toContainText("Pro");
  const headers = { authorization: `Bearer ${member.token}` };
  expect((await page.request.get("/api/user/self", { headers })).status()).toBe(401);
  const { username, password } = member;
  const { token } = await (
    await page.request.post("/api/user/login", { data: { username, password } })
  ).json();
  const { secret, id } = await makeKey(page.request, { ...member, token });
  await callModel(page.request, secret);
  const limits = await page.request.get(`/api/user/tokens/${id}/limits`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect((await limits.json()).rpm.limit).toBe(7);
  await page.getByLabel("Role").selectOption({ label: "User" });
  await expect(page).toHaveURL(/role=user/);
  await expect(row).toHaveCount(0);
  await page.getByLabel("Role").selectOption({ label: "Admin" });
  await expect(row).toBeVisible();
  await page.getByLabel("Status").selectOption({ label: "Suspended" });
  await expect(row).toHaveCount(0);
});

test("a price can be planned and withdrawn; the list marks it, and the form has the price in force", async ({
  page,
}) => {
  const alias = freshName("zz-planned-");
  await page.goto("/admin/models");
  const routes = [{ node: "demo-chat-node", model: "demo" }];
  await make(page, "/api/admin/models", { alias, prices: { input: 100, output: 400 }, routes });
  await page.goto(`/admin/models?search=${alias}`);
  const row = page.getByRole("row", { name: new RegExp(alias) });
  await row.getByRole("button", { name: /Actions/ }).click();
  await page.getByRole("menuitem", { name: "Prices" }).click();
  const sheet = page.getByRole("dialog", { name: alias, exact: true });
  await sheet.getByLabel("Input", { exact: true }).fill("60");
  const moment = sheet.getByLabel(/^In force from \(/);
  await moment.fill("2020-01-01 00:00");
  await sheet.getByRole("button", { name: "Add price version" }).click();
  await expect(sheet.getByText("Choose a moment in the future, or leave it empty.")).toBeVisible();
  await expect(page.getByRole("alertdialog"), "nothing is asked that cannot come true").toHaveCount(0);
  await sheet.getByLabel("Input", { exact: true }).fill("6");
  await moment.fill("2035-01-01 00:00");
  await sheet.getByRole("button", { name: "Add price version" }).click();
  const question = page.getByRole("alertdialog", { name: /^Use these prices for .* from Jan 1, 2035/ });
  await expect(question).toContainText("Input changes more than fivefold: ¥1.00 → ¥6.00.");
  await question.getByRole("button", { name: "Use these prices" }).click();
  await expect(page.getByText(/^Version 2 of .* will be in force from Jan 1, 2035/).first()).toBeVisible();
  const history = sheet.getByRole("table", { name: "Price history" });
  await expect(history.getByRole("row", { name: /¥6.00/ })).toContainText("Planned");
  await expect(history.getByRole("row", { name: /¥1.00/ })).toContainText("In force");
  await expect(sheet.getByLabel("Input", { exact: true })).toHaveValue("1");
  await expect(moment).toHaveValue("");
  await expect(sheet.getByRole("button", { name: "Add price version" })).toBeDisabled();
  // While the form is still being sent, nothing closes it.
  await expect(async () => {
    await page.keyboard.press("Escape");
    await expect(sheet).toBeHidden({ timeout: 1_000 });
  }).toPass();
  await expect(row).toContainText(/New price from Jan 1, 2035.*¥1\.00.*¥4\.00/);
  await expect(row.getByText(/^New price from/), "it must not widen the table").toHaveCSS(
    "white-space",
    "normal",
  );
  await row.getByRole("button", { name: /Actions/ }).click();
  await page.getByRole("menuitem", { name: "Prices" }).click();
  await history.getByRole("button", { name: "Withdraw version 2" }).click();
  const asked = page.getByRole("alertdialog", { name: `Withdraw version 2 of “${alias}”?` });
  await asked.getByRole("button", { name: "Withdraw" }).click();
  await expect(asked).toBeHidden();
  await expect(history.getByRole("row", { name: /¥6.00/ })).toHaveCount(0);
  await sheet.getByLabel("Input", { exact: true }).fill("2");
  await sheet.getByRole("button", { name: "Add price version" }).click();
  await expect(history.getByRole("row", { name: /¥2.00/ })).toContainText("In force");
  await sheet.getByRole("button", { name: "Close" }).click();
  await expect(row).not.toContainText("New price");
});

test("the price history has every price, and the version that comes into force last is first", async ({
  page,
}) => {
  const alias = freshName("zz-history-");
  await page.goto("/admin/models");
  const prices = { input: 100, output: 400, cacheRead: 10 };
  const routes = [{ node: "demo-responses-node", model: "demo" }];
  const { id } = await make<{ id: string }>(page, "/api/admin/models", { alias, prices, routes });
  const plan = (change: object) =>
    make(page, "/api/admin/prices", {
      model: alias,
      ...prices,
      perCall: { webSearch: 7_200_000 },
      ...change,
    });
  await plan({ validFrom: "2035-12-31T00:00:00Z" });
  await plan({ cacheRead: 20, validFrom: "2035-12-15T00:00:00Z" });
  await page.goto(`/admin/models?model=${id}&tab=prices`);
  const history = page.getByRole("table", { name: "Price history" });
  await expect(history.getByRole("row")).toHaveCount(4);
  await expect(history.getByRole("row").nth(1)).toContainText(
    /^2Planned.*Cache read ¥0\.10 · Cache write ¥1\.00.*Web search ¥0\.072/,
  );
  await expect(history.getByRole("row").nth(2)).toContainText(/^3Planned.*Cache read ¥0\.20 · Cache write/);
  await expect(history.getByRole("row").nth(3)).toContainText(/^1In force.*Cache read ¥0\.10 · Cache write/);
});

test("the audit is narrowed by kind and day, in the address, the same way in every language", async ({
  page,
  context,
  baseURL,
}) => {
  const name = freshName("Audited");
  await page.goto("/admin/audit");
  await make(page, "/api/admin/plans", {
    name,
    qps: 1,
    rpm: 1,
    tpm: 1,
    keyQuotaCents: 1,
    selfService: false,
  });
  await context.addCookies([{ name: "locale", value: "zh-CN", url: baseURL ?? "" }]);
  await page.goto("/admin/audit?targetType=plan");
  const line = page.getByRole("row", { name: new RegExp(name) });
  await expect(line).toBeVisible();
  const [from, to] = [page.getByLabel("起始日期"), page.getByLabel("截止日期")];
  await expect(from).toHaveAttribute("placeholder", "年-月-日");
  await to.fill("2020-01-31");
  await expect(page).toHaveURL(/to=2020-01-31/);
  await expect(line).toHaveCount(0);
  await page.reload();
  await expect(to).toHaveValue("2020-01-31");
  await to.fill("2099-12-31");
  await from.fill("2020/01/31");
  await expect(page).toHaveURL(/from=2020-01-31/);
  await expect(line).toBeVisible();
});

test("whose plan and key are not known, no numbers are made up in the reason of a refusal", async ({
  page,
}) => {
  const member = await register(page.request);
  const { secret } = await makeKey(page.request, member, { quota: 0 });
  const { requestId } = await callModel(page.request, secret);
  await page.goto(`/admin/logs?request=${requestId}`);
  const drawer = page.getByRole("dialog", { name: "Request" });
  await expect(drawer).toContainText("balance did not cover this request");
  await expect(drawer.getByText(/\? of \?/)).toHaveCount(0);
  await drawer.getByRole("link", { name: /Made for a test/ }).click();
  await page.waitForURL("**/admin/logs?key=**");
  await expect(page.getByRole("table", { name: "Requests" }).getByRole("row")).toHaveCount(2);
});
