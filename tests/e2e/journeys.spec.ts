import { expect } from "@playwright/test";
import { ask, callModel, makeKey, register, test } from "./support/member";
import { freshName } from "./support/people";

test.describe("in Chinese, dark, on a phone", () => {
  test.use({ locale: "zh-CN", viewport: { width: 320, height: 700 }, colorScheme: "dark", hasTouch: true });

  test("somebody registers, makes a key, calls, and finds the call with its cost", async ({
    page,
    request,
    consoleErrors,
  }) => {
    await page.goto("/register");
    await expect(page.locator("html")).toHaveAttribute("lang", "zh-CN");
    await page.getByLabel("用户名").fill(freshName("xin"));
    await page.getByLabel("密码", { exact: true }).fill("quiet-river-42");
    await page.getByRole("button", { name: "注册" }).click();
    await page.waitForURL("**/console");
    await expect(page.getByRole("heading", { level: 1 })).toContainText("欢迎");
    await page.getByRole("link", { name: "创建密钥" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("名称").fill("手机");
    await dialog.getByRole("button", { name: "创建密钥" }).click();
    const secret = await dialog.getByLabel("您的新 API 密钥").inputValue();
    await dialog.getByLabel("我已保存此密钥").check();
    await dialog.getByRole("button", { name: "完成" }).click();
    const { status, requestId } = await callModel(request, secret);
    expect(status).toBe(200);
    await page.goto("/console/logs");
    await page.getByRole("listitem").filter({ hasText: "demo-chat" }).getByRole("link").click();
    const drawer = page.getByRole("dialog", { name: "请求" });
    await expect(drawer).toContainText(requestId);
    await expect(drawer.getByRole("table", { name: "Token 与费用" })).toContainText("¥0.000");
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(320);
    expect(consoleErrors).toEqual([]);
  });
});

test("an invite link fills in the code, and the newcomer is recorded with it", async ({ page, request }) => {
  const inviter = await register(request);
  const { inviteCode } = await ask<{ inviteCode: string }>(request, inviter, "/api/user/self");
  await page.goto(`/register?invite=${inviteCode}`);
  await expect(page.getByLabel("Invite code")).toHaveValue(inviteCode);
  await page.getByLabel("Invite code").fill("nobody-has-this");
  await page.getByLabel("Username").fill(freshName("guest"));
  await page.getByLabel("Password", { exact: true }).fill("quiet-river-42");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByLabel("Invite code")).toHaveAttribute("aria-invalid", "true");
  await page.getByLabel("Invite code").fill(inviteCode);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.waitForURL("**/console");
});

test("ending all sessions signs this browser out and ends login tokens, not keys", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member);
  await page.goto("/console/settings");
  await page.getByRole("button", { name: "End all sessions" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "End all sessions" }).click();
  await page.waitForURL((url) => url.pathname === "/");
  await page.goto("/console/billing");
  await page.waitForURL("**/login?next=**");
  const headers = { authorization: `Bearer ${member.token}` };
  expect((await request.get("/api/user/self", { headers })).status()).toBe(401);
  expect((await callModel(request, secret)).status).toBe(200);
});

test("visitors see models with prices, and the quick start with this gateway's addresses", async ({
  page,
  baseURL,
}) => {
  await page.goto("/models");
  const row = page.getByRole("row", { name: /demo-chat/ });
  await expect(row).toContainText("¥1.00");
  await expect(row).toContainText("¥4.00");
  await page.getByRole("banner").getByRole("link", { name: "Docs" }).click();
  await page.waitForURL("**/docs");
  const addresses = page.getByRole("table", { name: "Addresses" });
  await expect(addresses.getByRole("row", { name: /OpenAI SDKs/ })).toContainText(`${baseURL}/v1`);
  await expect(addresses.getByRole("row", { name: /Claude Code/ })).not.toContainText("/v1");
  await page.getByRole("tab", { name: "Anthropic Node" }).click();
  await expect(page.getByRole("tabpanel", { name: "Anthropic Node" })).toContainText(
    'from "@anthropic-ai/sdk"',
  );
});
