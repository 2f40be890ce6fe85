import { expect } from "@playwright/test";
import { callModel, makeKey, openSession, register, test } from "./support/member";

test("a hidden notice of a low balance stays hidden when the balance changes", async ({
  page,
  request,
  member,
}) => {
  const headers = { authorization: `Bearer ${member.token}` };
  const own = await (await request.get("/api/user/self", { headers })).json();
  let usedExact = "850";
  await page.route("**/api/user/self", (route) =>
    route.fulfill({ json: { ...own, quota: "1000", usedExact } }),
  );
  await page.clock.install();
  await page.goto("/console/billing");
  await page.clock.runFor("01:00"); // the page came with the account as it is
  const notice = page.getByText(/^Less than 20 % of your balance/);
  await expect(notice).toContainText("¥1.50");
  await page.getByRole("button", { name: "Hide this notice" }).click();
  await expect(notice).toBeHidden();
  usedExact = "900";
  const again = page.waitForResponse("**/api/user/self");
  await page.clock.runFor(61_000);
  await again;
  await expect(page.getByRole("main")).toContainText("¥9.00");
  await expect(notice).toBeHidden();
});

test("a page is loaded again for the account that has signed in in another tab", async ({
  page,
  context,
  request,
  member,
}) => {
  await page.clock.install();
  await page.goto("/console/settings");
  await expect(page.getByLabel("Username")).toHaveValue(member.username);
  const other = await register(request);
  const second = await context.newPage();
  await openSession(second, other.token);
  await page.clock.runFor(61_000);
  await expect(page.getByLabel("Username")).toHaveValue(other.username);
  await page.getByRole("button", { name: "Account", exact: true }).click();
  await expect(page.getByText(`Signed in as ${other.username}`)).toBeVisible();
});

test("the first request is celebrated when it is answered, not when it is refused", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member);
  await page.goto("/console");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Welcome");
  await callModel(request, secret, { model: "no-such-model" });
  await expect(page.getByRole("link", { name: "MODEL_NOT_FOUND" })).toBeVisible();
  const celebration = page.getByText("Your first request has arrived");
  await expect(celebration).toBeHidden();
  const { requestId } = await callModel(request, secret);
  await expect(celebration).toBeVisible();
  await expect(page.getByRole("link", { name: "See it in the logs" })).toHaveAttribute(
    "href",
    new RegExp(requestId),
  );
});

test("disabling a key in a list of active ones is said, and can be undone", async ({
  page,
  request,
  member,
}) => {
  await makeKey(request, member, { name: "Switch" });
  await page.goto("/console/keys?status=active");
  const row = page.getByRole("row", { name: /Switch/ });
  await row.getByRole("button", { name: "Actions for Switch" }).click();
  await page.getByRole("menuitem", { name: "Disable" }).click();
  await expect(row).toBeHidden();
  await expect(page.getByText("“Switch” is disabled.").first()).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(row).toContainText("Active");
});

test("a key that is pasted for a check is used for the next client and model too", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member);
  await page.goto("/console/connect?model=demo-chat");
  await expect(page.getByLabel("Model")).toHaveValue("demo-chat");
  await page.getByLabel(/A key that you paste/).check();
  await page.getByLabel("API key", { exact: true }).fill(secret);
  await page.getByLabel("Client").selectOption({ label: "OpenAI Python" });
  await expect(page.getByLabel("API key", { exact: true })).toHaveValue(secret);
  await page.getByLabel("Model").selectOption("demo-mixed");
  await expect(page.getByLabel("API key", { exact: true })).toHaveValue(secret);
});
