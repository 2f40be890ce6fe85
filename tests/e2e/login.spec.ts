import { expect } from "@playwright/test";
import { callModel, makeKey, register, test } from "./support/member";

test("a wrong password gets one generic message, which takes the focus, and the username stays", async ({
  page,
  request,
}) => {
  const member = await register(request);
  await page.goto("/login");
  await page.getByLabel("Username").fill(member.username);
  await page.getByLabel("Password", { exact: true }).fill("not-the-password");
  await page.getByRole("button", { name: "Sign in" }).click();
  const message = page.getByRole("alert").filter({ hasText: "Username or password is wrong." });
  await expect(message).toBeVisible();
  await expect(message.locator("..")).toBeFocused();
  await expect(page.getByLabel("Username")).toHaveValue(member.username);
});

test("after login the visitor is back where they wanted to go, query and all", async ({ page, request }) => {
  const member = await register(request);
  await page.goto("/console/logs?status=error&min=100");
  await page.waitForURL("**/login?next=**");
  await page.getByLabel("Username").fill(member.username);
  await page.getByLabel("Password", { exact: true }).fill(member.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/console/logs?status=error&min=100");
});

for (const next of [
  "https://elsewhere.example/",
  "//elsewhere.example",
  "/\\elsewhere.example",
  "javascript:alert(1)",
]) {
  test(`login never leads to another site: ${next}`, async ({ page, request }) => {
    const member = await register(request);
    await page.goto(`/login?next=${encodeURIComponent(next)}`);
    await page.getByLabel("Username").fill(member.username);
    await page.getByLabel("Password", { exact: true }).fill(member.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL((url) => url.pathname === "/console" && url.hostname === "127.0.0.1");
  });
}

test("a throttled login counts down", async ({ page }) => {
  await page.route("**/api/user/login", (route) =>
    route.fulfill({
      status: 429,
      headers: { "retry-after": "32" },
      json: { error: { code: "RATE_LIMITED", message: "Too many attempts.", requestId: "r" } },
    }),
  );
  await page.goto("/login");
  await page.getByLabel("Username").fill("somebody");
  await page.getByLabel("Password", { exact: true }).fill("something");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("Too many attempts. Try again in 32 s.")).toBeVisible();
  await expect(page.getByText("Too many attempts. Try again in 31 s.")).toBeVisible();
});

test("a session that ends sends to the login page and back", async ({ page, request, member }) => {
  await page.goto("/console/keys?q=abc", { waitUntil: "networkidle" });
  await expect(page.getByRole("heading", { name: "API keys" })).toBeVisible();
  const ended = await request.post("/api/user/self/logout-everywhere", {
    headers: { authorization: `Bearer ${member.token}` },
  });
  expect(ended.status()).toBe(204);
  await page.getByRole("link", { name: "Billing", exact: true }).click();
  await page.waitForURL("**/login?**");
  await page.getByLabel("Username").fill(member.username);
  await page.getByLabel("Password", { exact: true }).fill(member.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/console/billing");
});

test("signing out ends the session of this browser", async ({ page, member: _member }) => {
  await page.goto("/console");
  await page.getByRole("button", { name: "Account" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL((url) => url.pathname === "/");
  await page.goto("/console");
  await page.waitForURL("**/login?**");
});

test("a call that is refused while its reader signs out does not lead to the login page", async ({
  page,
  request,
  member,
}) => {
  await callModel(request, (await makeKey(request, member)).secret);
  await page.goto("/console/usage", { waitUntil: "networkidle" });
  await page.route("**/api/auth/signout**", async (route) => {
    const answer = await route.fetch();
    await page.context().clearCookies();
    const refused = page.waitForResponse((response) => response.status() === 401);
    await page.getByRole("radio", { name: "30 days" }).click();
    await refused;
    await route.fulfill({ response: answer });
  });
  await page.getByRole("button", { name: "Account" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL((url) => url.pathname === "/" || url.pathname === "/login");
  expect(new URL(page.url()).pathname).toBe("/");
});

test("registration says which field is wrong before anything is sent", async ({ page }) => {
  let sent = 0;
  await page.route("**/api/user/register", (route) => {
    sent += 1;
    return route.continue();
  });
  await page.goto("/register?invite=abc");
  const hint = page.getByText("At least 6 characters", { exact: true });
  await expect(hint).toBeVisible();
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByText("Use at least 6 characters.")).toBeVisible();
  await expect(hint).toHaveCount(0);
  await page.getByLabel("Username").fill("a!");
  await page.getByLabel("Password", { exact: true }).fill("short");
  await page.getByLabel(/E-mail/).fill("abc");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByText("This is not an e-mail address.")).toBeVisible();
  await expect(page.getByText("Use 3–32 letters (A–Z) or digits.")).toBeVisible();
  await expect(page.getByText("Use at least 6 characters.")).toBeVisible();
  await expect(page.getByLabel(/Invite code/)).toHaveValue("abc");
  expect(sent).toBe(0);
  await page.getByLabel("Username").fill("goodname");
  await page.getByLabel("Password", { exact: true }).fill("long-enough-1");
  await page.getByLabel(/E-mail/).fill("");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByLabel(/Invite code/)).toHaveAttribute("aria-invalid", "true");
});

test("a form that is sent before the scripts arrive is sent by them", async ({ browser, request }) => {
  const member = await register(request);
  const context = await browser.newContext();
  const page = await context.newPage();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/_next/static/chunks/*.js", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto("/login", { waitUntil: "commit" });
  await page.getByLabel("Username").fill(member.username);
  await page.getByLabel("Password", { exact: true }).fill(member.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByLabel("Username")).toHaveValue(member.username);
  release();
  await page.waitForURL("**/console");
  await context.close();
});

for (const path of ["/login", "/register"]) {
  test(`${path} puts no password into the address when it is sent before its scripts run`, async ({
    browser,
  }) => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(path);
    await page.getByLabel("Username").fill("alice");
    await page.getByLabel("Password", { exact: true }).fill("not-for-the-address");
    await page.keyboard.press("Enter");
    await page.waitForLoadState();
    expect(page.url()).not.toContain("not-for-the-address");
    await context.close();
  });
}
