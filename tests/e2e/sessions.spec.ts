import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { type Member, makeKey, openSession, test } from "./support/member";
import { freshName, make, signIn } from "./support/people";

const ADMIN = { username: "admin", password: "correct-horse-battery" };

/** Ends a session as a change of the password elsewhere would. */
async function endSessions(request: APIRequestContext, member: Member): Promise<void> {
  const headers = { authorization: `Bearer ${member.token}` };
  const ended = await request.post("/api/user/self/logout-everywhere", { headers });
  expect(ended.status()).toBe(204);
}

async function signInAgain(page: Page, member: Member): Promise<void> {
  await page.getByLabel("Username").fill(member.username);
  await page.getByLabel("Password", { exact: true }).fill(member.password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

test("what was typed into a form outlives the end of the session", async ({ page, request, member }) => {
  await page.goto("/console/keys?create=1");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Half typed");
  await dialog.getByLabel("Quota in yuan (¥)").fill("12.5");
  await endSessions(request, member);
  await dialog.getByRole("button", { name: "Create key" }).click();
  await page.waitForURL("**/login?**");
  await expect(page.getByText("Your session has ended. Sign in to go on.")).toBeVisible();
  await signInAgain(page, member);
  await page.waitForURL("**/console/keys?create=1");
  await expect(dialog.getByLabel("Name")).toHaveValue("Half typed");
  await expect(dialog.getByLabel("Quota in yuan (¥)")).toHaveValue("12.5");
  expect(await page.evaluate(() => Object.keys(sessionStorage).filter((name) => /draft/.test(name)))).toEqual(
    [],
  );
});

test("the form of a new plan is open again after the session has ended", async ({ page }) => {
  await signIn(page, ADMIN);
  await page.goto("/admin/plans");
  await page.getByRole("button", { name: "Add plan" }).click();
  const sheet = page.getByRole("dialog", { name: "Add a plan" });
  await sheet.getByLabel("Name", { exact: true }).fill("Half typed");
  await page.context().clearCookies();
  await sheet.getByRole("button", { name: "Add plan" }).click();
  await page.waitForURL("**/login?**");
  await signInAgain(page, { ...ADMIN, token: "" });
  await expect(sheet.getByLabel("Name", { exact: true })).toHaveValue("Half typed");
  await sheet.getByRole("button", { name: "Cancel" }).click();
  await page.reload();
  await expect(page.getByRole("button", { name: "Add plan" })).toBeVisible();
  await expect(sheet).toBeHidden();
});

test("a draft is not shown to the next person at the same tab", async ({ page, request, member }) => {
  await page.goto("/console/playground");
  await page.getByLabel("Message").fill("For my eyes only");
  await endSessions(request, member);
  await page.getByRole("button", { name: "Send" }).click();
  await page.waitForURL("**/login?**");
  const other = await request.post("/api/user/register", {
    data: { username: `${member.username}b`, password: member.password },
  });
  await openSession(page, (await other.json()).token);
  await page.goto("/console/playground");
  await expect(page.getByLabel("Message")).toHaveValue("");
});

test("a kept draft has no secret in it", async ({ page }) => {
  await signIn(page, ADMIN);
  await page.clock.install();
  await page.goto("/admin/nodes");
  await page.getByRole("button", { name: "Add node" }).click();
  const sheet = page.getByRole("dialog", { name: "Add a node" });
  await sheet.getByLabel("Name", { exact: true }).fill("kept-node");
  await sheet.getByLabel("Base URL").fill("http://127.0.0.1:1/v1");
  await sheet.getByLabel("Upstream API key").fill("sk-not-to-be-kept");
  // The list behind the form asks again every few seconds, and is refused now.
  await page.context().clearCookies();
  await page.clock.runFor(3_500);
  await page.waitForURL("**/login?**");
  const kept = await page.evaluate(() => JSON.stringify({ ...sessionStorage }));
  expect(kept).toContain("kept-node");
  expect(kept).not.toContain("sk-not-to-be-kept");
  await signIn(page, ADMIN);
  await page.goto("/admin/nodes");
  // It opens by itself; "Add node" is the button that sends it by then.
  await expect(sheet.getByLabel("Name", { exact: true })).toHaveValue("kept-node");
  await expect(sheet.getByLabel("Base URL")).toHaveValue("http://127.0.0.1:1/v1");
  await expect(sheet.getByLabel("Upstream API key")).toHaveValue("");
});

test("a password can be seen, pasted and managed, is rated, and no longer than is taken", async ({
  page,
}) => {
  await page.goto("/register");
  const password = page.getByLabel("Password", { exact: true });
  await expect(password).toHaveAttribute("autocomplete", "new-password");
  await expect(page.getByLabel("Username")).toHaveAttribute("autocomplete", "username");
  await password.fill("short1");
  await expect(page.getByText("Strength: weak")).toBeVisible();
  await password.fill("Long-enough-and-mixed-42");
  await expect(page.getByText("Strength: strong")).toBeVisible();
  await page.getByRole("button", { name: "Show password" }).click();
  await expect(password).toHaveAttribute("type", "text");
  await page.getByRole("button", { name: "Hide password" }).click();
  await expect(password).toHaveAttribute("type", "password");
  await password.fill("密".repeat(342));
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByText("Use at most 1,024 bytes.")).toBeVisible();
  await page.goto("/login");
  await expect(page.getByLabel("Password", { exact: true })).toHaveAttribute(
    "autocomplete",
    "current-password",
  );
});

test("a part of the page that stops can be started again, and the navigation stays", async ({
  page,
  request,
  member,
}) => {
  await makeKey(request, member, { name: "Whole" });
  let broken = true;
  await page.route("**/api/user/tokens?**", (route) =>
    broken
      ? route.fulfill({ json: { data: [null], page: 1, pageSize: 50, total: 1, nextCursor: null } })
      : route.continue(),
  );
  await page.goto("/console/keys");
  await expect(page.getByRole("heading", { name: "Something went wrong" })).toBeVisible();
  broken = false;
  await page.reload();
  await expect(page.getByRole("row", { name: /Whole/ })).toBeVisible();
});

test("the form of a node or an account is open again after the session has ended", async ({ page }) => {
  await signIn(page, ADMIN);
  const username = freshName("edited");
  await make(page, "/api/admin/users", { username, password: "quiet-river-42" });
  const again = async () => {
    await page.context().clearCookies();
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.waitForURL("**/login?**");
    await signInAgain(page, { ...ADMIN, token: "" });
  };
  await page.goto("/admin/nodes");
  await page.getByRole("button", { name: "Actions for demo-chat-node" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  const node = page.getByRole("dialog", { name: "Edit “demo-chat-node”" });
  await node.getByLabel("Name", { exact: true }).fill("half-typed");
  await again();
  await expect(node.getByLabel("Name", { exact: true })).toHaveValue("half-typed");
  await node.getByRole("button", { name: "Cancel" }).click();
  await page.reload();
  await expect(page.getByRole("button", { name: "Actions for demo-chat-node" })).toBeVisible();
  await expect(node).toBeHidden();

  await page.goto(`/admin/users?search=${username}`);
  await page.getByRole("button", { name: `Actions for ${username}` }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  const account = page.getByRole("dialog", { name: `Edit “${username}”` });
  await account.getByLabel("Name").fill("Half typed");
  await again();
  await expect(account.getByLabel("Name")).toHaveValue("Half typed");
});
