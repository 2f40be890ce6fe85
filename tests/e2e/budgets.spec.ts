import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { axeViolations } from "./support/axe";
import { ask, callModel, type Member, makeKey, test } from "./support/member";
import { ADMIN } from "./support/people";

interface Made {
  id: string;
  name: string;
}

/** Makes a budget through the API, by default of the member's account. */
async function makeBudget(
  request: APIRequestContext,
  member: Pick<Member, "token">,
  input: Record<string, unknown>,
  path = "/api/user/budgets",
): Promise<Made> {
  const answer = await request.post(path, {
    data: { name: "Made for a test", scope: "account", unit: "requests", period: "month", ...input },
    headers: { authorization: `Bearer ${member.token}` },
  });
  expect(answer.status(), await answer.text()).toBe(201);
  return answer.json();
}

/** What calls of a key are answered until it is this status: every process learns of a change within seconds. */
async function expectStatus(request: APIRequestContext, secret: string, status: number): Promise<void> {
  await expect.poll(async () => (await callModel(request, secret)).status).toBe(status);
}

const row = (page: Page, name: string) => page.getByRole("row", { name: new RegExp(name) });

test("a budget is made from a preset, refuses once it is used up, and gives more for its period", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member, { name: "Build server" });
  await page.goto("/console/budgets");
  await expect(page.getByText("No budgets yet.")).toBeVisible();
  await page.getByRole("button", { name: "This key, requests a day" }).click();
  const form = page.getByRole("dialog", { name: "Create budget" });
  await form.getByRole("button", { name: "Create budget" }).click();
  await expect(form.getByLabel("Key", { exact: true })).toHaveAccessibleDescription("Choose one.");
  await form.getByLabel("Key", { exact: true }).selectOption({ index: 1 });
  await expect(form.getByLabel("Name")).toHaveValue("Build server, requests a day");
  await expect(form.getByText(/^Starts again on /)).toBeVisible();
  await form.getByLabel("Limit", { exact: true }).fill("1");
  expect(await axeViolations(page)).toEqual([]);
  await form.getByRole("button", { name: "Create budget" }).click();
  await expect(page.getByText("“Build server, requests a day” is made")).toBeVisible();
  const listed = row(page, "Build server, requests a day");
  await expect(listed).toContainText("Key Build server");
  await expect(listed).toContainText("0 of 1 request");
  await expect(listed).toContainText(/in \d+ h|in \d+ min|less than a minute/);

  await expectStatus(request, secret, 402);
  const refused = await request.post("/v1/chat/completions", {
    data: { model: "demo-chat", messages: [{ role: "user", content: "Hello" }] },
    headers: { authorization: `Bearer ${secret}` },
  });
  expect((await refused.json()).error.details.budget).toMatchObject({
    name: "Build server, requests a day",
    scope: "key",
    unit: "requests",
    limit: "1",
  });
  await page.reload();
  await expect(listed).toContainText(/Used up until /);
  await listed.getByRole("link").click();
  await expect(page).toHaveURL(/budget=/);
  const drawer = page.getByRole("dialog", { name: "Build server, requests a day" });
  await expect(drawer.getByRole("meter").first()).toHaveAttribute("aria-valuenow", "100");
  await expect(drawer.getByRole("table", { name: /Periods/ })).toContainText("(running)");
  expect(await axeViolations(page)).toEqual([]);

  await drawer.getByRole("button", { name: "More for this period" }).click();
  const more = page.getByRole("dialog", { name: /^More for this period/ });
  await more.getByLabel("How much more").fill("1000");
  await expect(more.getByText(/Allowed now: 1 request\. Then: /)).toBeVisible();
  await more.getByRole("button", { name: "Give more" }).click();
  await expect(drawer.getByText("More this period")).toBeVisible();
  await expectStatus(request, secret, 200);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(drawer.getByText("More this period")).toBeHidden();
  await expectStatus(request, secret, 402);
  await page.goBack();
  await expect(drawer).toBeHidden();
});

test("a budget is switched off and back on, edited and ended, each with its way back where there is one", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member);
  await makeBudget(request, member, { name: "Nothing passes", limit: 0 });
  await expectStatus(request, secret, 402);
  await page.goto("/console/budgets");
  const listed = row(page, "Nothing passes");
  await expect(listed).toContainText("Used up until");
  const actions = listed.getByRole("button", { name: "Actions for Nothing passes" });
  await actions.click();
  await page.getByRole("menuitem", { name: "Switch off" }).click();
  await expect(listed).toContainText("Off");
  await expectStatus(request, secret, 200);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(listed).toContainText("Used up until");
  await expectStatus(request, secret, 402);

  await actions.click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  const form = page.getByRole("dialog", { name: "Edit “Nothing passes”" });
  await form.getByLabel("Limit", { exact: true }).fill("5000");
  await form.getByRole("radio", { name: "Only count" }).check();
  await form.getByRole("button", { name: "Save" }).click();
  await expect(listed).toContainText("of 5,000 requests");
  await expect(listed).toContainText("Only count");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(listed).toContainText("0 of 0 requests");
  await expect(listed).toContainText("Stop");

  await actions.click();
  await page.getByRole("menuitem", { name: "End budget" }).click();
  const question = page.getByRole("alertdialog");
  await expect(question.getByRole("button", { name: "Cancel" })).toBeFocused();
  await question.getByRole("button", { name: "End budget" }).click();
  await expect(page.getByText("No budgets yet.")).toBeVisible();
  await expectStatus(request, secret, 200);
});

test("the form tells what is used already and what a request reserves, and yuan are sent as whole cents", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member);
  await callModel(request, secret);
  await expect
    .poll(async () => Number((await ask<{ usedExact: string }>(request, member, "/api/user/self")).usedExact))
    .toBeGreaterThan(0);
  await page.goto("/console/budgets?create=1");
  const form = page.getByRole("dialog", { name: "Create budget" });
  await form.getByLabel("Limit in yuan (¥)").fill("12.34");
  await expect(form.getByText(/Already used in this period: .*, of ¥12\.34/)).toBeVisible();
  await form.getByLabel("Begin with nothing used, from now on").check();
  await expect(form.getByText(/Already used in this period/)).toBeHidden();
  await form.getByRole("radio", { name: "Never above" }).check();
  await expect(form.getByText(/^A request of the last days reserved ¥/)).toBeVisible();
  await form.getByLabel("Limit in yuan (¥)").fill("0.00");
  await expect(form.getByText("That is more than what is left: no such request would pass.")).toBeVisible();
  await form.getByLabel("Limit in yuan (¥)").fill("12.345");
  await form.getByRole("button", { name: "Create budget" }).click();
  await expect(form.getByText("Use at most 2 decimals.")).toBeVisible();
  await form.getByLabel("Limit in yuan (¥)").fill("12.34");
  await form.getByLabel("Name").fill("Agents");
  await form.getByLabel("Period").selectOption("quarter");
  await expect(form.getByLabel("Name")).toHaveValue("Agents");
  await form.getByRole("button", { name: "Create budget" }).click();
  await expect(row(page, "Agents")).toContainText("¥0.00 of ¥12.34");
  const { data } = await ask<{ data: object[] }>(request, member, "/api/user/budgets");
  expect(data).toEqual([
    expect.objectContaining({ name: "Agents", limit: 1234, mode: "hard", period: "quarter" }),
  ]);
});

test("a budget that is passed and only counted, one of an admin and one too many say so", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member);
  await makeBudget(request, member, { name: "Watched", limit: 0, mode: "warn" });
  await callModel(request, secret);
  const login = await request.post("/api/user/login", { data: ADMIN });
  const admin = { token: (await login.json()).token as string };
  const { id: userId } = await ask<{ id: string }>(request, member, "/api/user/self");
  const byAdmin = { name: "By an admin", userId, limit: 100_000 };
  const { id } = await makeBudget(request, admin, byAdmin, "/api/admin/budgets");
  await expect
    .poll(async () => {
      const { data } = await ask<{ data: { name: string; window: { used: number } }[] }>(
        request,
        member,
        "/api/user/budgets",
      );
      return data.find(({ name }) => name === "Watched")?.window.used;
    })
    .toBeGreaterThan(0);
  await page.goto("/console/budgets");
  await expect(row(page, "Watched")).toContainText("Over the limit, only counted");
  await expect(row(page, "By an admin").getByRole("button", { name: /Actions/ })).toHaveCount(0);
  await page.goto(`/console/budgets?budget=${id}`);
  const drawer = page.getByRole("dialog", { name: "By an admin" });
  await expect(drawer.getByText("An admin made this budget; only an admin can change it.")).toBeVisible();
  await expect(drawer.getByRole("button", { name: "Edit" })).toHaveCount(0);
  await page.goto("/console/budgets?budget=00000000-0000-4000-8000-000000000000");
  await expect(page.getByText("The budget that this address names does not exist")).toBeVisible();

  await makeBudget(request, member, { name: "Third", limit: 100_000 });
  await makeBudget(request, member, { name: "Fourth", limit: 100_000 });
  await page.goto("/console/budgets?create=1");
  const form = page.getByRole("dialog", { name: "Create budget" });
  await form.getByLabel("Limit in yuan (¥)").fill("1");
  await form.getByRole("button", { name: "Create budget" }).click();
  await expect(form.getByRole("alert")).toContainText("There are as many budgets of it as there may be");
});

test("a key shows the budgets that it meets, and the Overview those that are nearly used up", async ({
  page,
  request,
  member,
}) => {
  const { id, secret } = await makeKey(request, member, { name: "Agent" });
  const other = await makeKey(request, member, { name: "Other" });
  await callModel(request, secret);
  await makeBudget(request, member, { name: "Of the account", limit: 100_000 });
  await makeBudget(request, member, { name: "Nearly gone", scope: "key", tokenId: id, limit: 1 });
  await makeBudget(request, member, { name: "Of the other", scope: "key", tokenId: other.id, limit: 5 });
  await page.goto(`/console/keys?key=${id}`);
  const drawer = page.getByRole("dialog", { name: "Agent" });
  await expect(drawer.getByRole("link", { name: "Of the account" })).toBeVisible();
  await expect(drawer.getByRole("link", { name: "Nearly gone" })).toBeVisible();
  await expect(drawer.getByRole("link", { name: "Of the other" })).toHaveCount(0);
  await page.goto("/console");
  await expect(page.getByText("Budgets that are nearly used up")).toBeVisible();
  await expect(page.getByRole("link", { name: "Of the account" })).toHaveCount(0);
  await page.getByRole("link", { name: "Nearly gone" }).click();
  await expect(page.getByRole("dialog", { name: "Nearly gone" })).toBeVisible();
});
