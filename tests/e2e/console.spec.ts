import { readFileSync } from "node:fs";
import { expect } from "@playwright/test";
import { ask, callModel, makeKey, openSession, register, test } from "./support/member";

const ends = {
  "Chat completions": "data: [DONE]",
  Messages: "event: message_stop",
  Responses: "event: response.completed",
};

for (const protocol of ["Chat completions", "Messages", "Responses"] as const) {
  test(`the playground streams an answer over ${protocol} and shows its frames, never the key`, async ({
    page,
    request,
    member,
  }) => {
    await page.goto("/console/playground?model=demo-mixed");
    await expect(page.getByLabel("Model")).toHaveValue("demo-mixed");
    await page.getByLabel("Protocol").selectOption({ label: protocol });
    await page.getByLabel("Message").fill("Say something");
    await page.getByRole("button", { name: "Send" }).click();
    await expect(page.getByRole("link", { name: "See it in the logs" })).toBeVisible({ timeout: 30_000 });
    await expect(page.getByText(/ in, \d+ out/)).toBeVisible();
    await expect(page.getByRole("article").getByText(/^¥/)).toBeVisible();
    await page.getByRole("button", { name: "Raw" }).click();
    const raw = page.getByRole("region", { name: "Frames of the answer" });
    await expect(raw).toContainText(ends[protocol]);
    await expect(page.locator("body")).not.toContainText(/tgw-[0-9A-Za-z]{40}/);
    const { data } = await ask<{ data: Array<{ name: string }> }>(request, member, "/api/user/tokens");
    expect(data).toEqual([]);
    await page.goto("/console/keys");
    await page.getByText("Console key").click();
    await expect(page.getByRole("link", { name: "Its requests" })).toBeVisible();
  });
}

test("the playground stops when told to", async ({ page, member: _member }) => {
  await page.goto("/console/playground?model=demo-chat");
  await page.getByLabel("Max. tokens").fill("4000");
  await page.getByLabel("Message").fill("Tell a long story");
  await page.route("**/v1/chat/completions", () => {}); // no answer ever comes
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(page.getByText("Stopped by you.").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Send" })).toBeVisible();
});

for (const client of ["OpenAI Python", "Claude Code"]) {
  test(`connect and verify passes for ${client}, billed and within the limits`, async ({
    page,
    request,
    member,
  }) => {
    await page.goto("/console/connect?model=demo-mixed");
    await expect(page.getByLabel("Model")).toHaveValue("demo-mixed");
    await page.getByLabel("Client").selectOption({ label: client });
    await page.getByRole("button", { name: "Verify" }).click();
    await expect(page.getByText(`All 5 checks passed. ${client} will work`)).toBeVisible({ timeout: 40_000 });
    await expect(page.getByRole("row", { name: /Streamed answer/ })).toContainText("¥0.0");
    const { data } = await ask<{ data: { httpStatus: number }[] }>(request, member, "/api/user/logs");
    expect(
      data.map(({ httpStatus }) => httpStatus),
      "no check is refused",
    ).toEqual(data.map(() => 200));
  });
}

test("connect has the settings of editors, with their own ways to hold a key", async ({
  page,
  member: _member,
}) => {
  await page.goto("/console/connect?client=cursor&model=demo-mixed");
  await expect(page.getByText(/Override OpenAI Base URL: http.*\/v1/)).toBeVisible();
  await expect(page.getByText("reachable from the internet")).toBeVisible();
  await page.getByLabel("Client").selectOption({ label: "Cline" });
  await expect(page.getByText(/API Provider: OpenAI Compatible/)).toBeVisible();
  await page.getByLabel("Client").selectOption({ label: "Continue" });
  await expect(page.getByText("secrets.TOLLGATE_API_KEY")).toBeVisible();
});

test("connect offers Codex's catalogue as a file, and a configuration that is ready to be filled in", async ({
  page,
  member: _member,
}) => {
  await page.goto("/console/connect?client=codex&model=demo-mixed");
  await expect(page.getByText('export TOLLGATE_API_KEY="tgw-…"')).toBeVisible();
  await expect(page.getByText('model_catalog_json = "tollgate-models.json"')).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download the models for Codex" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("tollgate-models.json");
  const catalogue = JSON.parse(readFileSync(await download.path(), "utf8"));
  expect(Object.keys(catalogue)).toEqual(["models"]);
  expect(catalogue.models).toContainEqual(
    expect.objectContaining({ slug: "demo-mixed", visibility: "list", supported_in_api: true }),
  );
});

test("connect and verify says which check failed, and stops where the key is refused", async ({
  page,
  member: _member,
}) => {
  await page.goto("/console/connect?model=demo-chat");
  await expect(page.getByLabel("Model")).toHaveValue("demo-chat");
  let calls = 0;
  await page.route("**/v1/**", (route) => {
    calls += 1;
    const error = { code: "INVALID_API_KEY", message: "The key is revoked.", type: "authentication_error" };
    return route.fulfill({ status: 401, json: { error } });
  });
  await page.getByRole("button", { name: "Verify" }).click();
  await expect(page.getByText("The key is refused. The other checks need one that works.")).toBeVisible();
  await expect(page.getByText("The key is revoked.").filter({ visible: true })).toHaveCount(1);
  expect(calls).toBe(1);
  await page.unroute("**/v1/**");
  await page.route("**/v1/models", (route) => route.fulfill({ json: { object: "list", data: [] } }));
  await page.getByRole("button", { name: "Verify again" }).click();
  const reason = page.getByText("The model is not in the list of this key.");
  await expect(reason.filter({ visible: true })).toBeVisible();
  await expect(page.getByText("1 check failed.")).toBeVisible({ timeout: 40_000 });
});

test("limits show live use of a key that works, what becomes of one that does not, and every plan", async ({
  page,
  request,
  member,
}) => {
  const { id, secret } = await makeKey(request, member, { name: "Busy" });
  const newer = await makeKey(request, member, { name: "Off" });
  const off = await request.patch(`/api/user/tokens/${newer.id}`, {
    data: { status: "disabled" },
    headers: { authorization: `Bearer ${member.token}` },
  });
  expect(off.status()).toBe(200);
  await page.clock.install();
  await page.goto("/console/limits");
  const starter = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Starter" }) });
  await expect(starter).toContainText("200,000 tokens a minute");
  await expect(page.getByText(/Each of your keys may be on [\w, ]+ or \w+;/)).toBeVisible();
  await callModel(request, secret);
  await page.clock.runFor(5_500);
  await expect(page.getByRole("meter", { name: "Requests a minute (RPM)" })).toHaveAttribute(
    "aria-valuetext",
    "1 of 600",
  );
  await expect(page.getByLabel("Key", { exact: true })).toHaveValue(id);
  await expect(page.getByText("The next request may start now.")).toBeVisible();
  await page.getByLabel("Key", { exact: true }).selectOption("Off");
  await expect(page.getByText("This key is disabled: its calls are refused.")).toBeVisible();
  await expect(page.getByText("The next request may start now.")).toBeHidden();
  await page.setViewportSize({ width: 1440, height: 900 });
  const code = page.getByRole("region", { name: "Retry in code" }).locator("pre");
  expect(await code.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});

test("limits tell what a key may still spend and how often it was refused, and put a key on a plan", async ({
  page,
  request,
  member,
}) => {
  const { id, secret } = await makeKey(request, member, { name: "Slow", planId: 1, quota: 300 });
  const call = () =>
    request.post("/v1/chat/completions", {
      headers: { authorization: `Bearer ${secret}` },
      data: { model: "demo-chat", max_tokens: 8, messages: [{ role: "user", content: "Hi" }] },
    });
  // The plan allows two a second.
  const statuses = await Promise.all([call(), call(), call()]);
  expect(statuses.map((answer) => answer.status()).sort()).toEqual([200, 200, 429]);
  await page.goto("/console/limits");
  await expect(page.getByText(/^¥2\.9\d* of ¥3\.00$/)).toBeVisible();
  const refused = page.getByRole("link", { name: "1 request was refused by a limit" });
  await expect(refused).toHaveAttribute("href", new RegExp(`key=${id}.*RATE_LIMITED`));
  await page.getByRole("button", { name: "Use for a key… (Pro)" }).click();
  const dialog = page.getByRole("dialog", { name: "Use the plan Pro" });
  await expect(dialog.getByLabel("Key")).toHaveValue(id);
  await expect(dialog.getByLabel("Key").locator("option:checked")).toHaveText(/ \(now \S+\)$/);
  await dialog.getByRole("button", { name: "Use plan" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("heading", { name: "Pro plan" })).toBeVisible();
});

test("billing sums up months, and a month or days narrow the ledger and its file", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member);
  await callModel(request, secret);
  await page.goto("/console/billing");
  const month = new Date().toISOString().slice(0, 7);
  const name = new Intl.DateTimeFormat("en", { year: "numeric", month: "long", timeZone: "UTC" }).format(
    new Date(),
  );
  const months = page.getByRole("table", { name: "By month" });
  const ledger = page.getByRole("table", { name: "Movements of the balance" }).getByRole("row");
  const balance = (await ledger.nth(1).getByRole("cell").last().textContent()) ?? "";
  expect(balance).toMatch(/^¥9\.99\d{4}$/);
  const monthRow = months.getByRole("row", { name: new RegExp(name) });
  await expect(monthRow, "as added").toContainText("¥10.000000");
  await expect(monthRow, "the balance reads as in the ledger").toContainText(balance);
  await months.getByRole("button", { name }).click();
  await expect(page).toHaveURL(new RegExp(`from=${month}-01&to=${month}-\\d\\d`));
  await expect(page.getByLabel("Month", { exact: true })).toHaveValue(month);
  await expect(ledger).toHaveCount(3);
  await expect(page.getByText(/¥10\.0* added, ¥0\.0\d+ used by 1 request\./)).toBeVisible();
  await page.getByLabel("To", { exact: true }).fill("2026-01-31");
  await page.getByLabel("From", { exact: true }).fill("2026-01-01");
  await expect(page.getByText("No matches")).toBeVisible();
  const href = await page.getByRole("link", { name: "Export CSV" }).getAttribute("href");
  const answer = await page.request.get(href ?? "");
  expect(answer.headers()["content-disposition"]).toContain("2026-01-01--2026-01-31");
  expect((await answer.text()).trimEnd().split("\r\n")).toHaveLength(1);
});

test("a month's statement agrees with the ledger to the last digit, as a file and on paper", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member, { name: "Charged" });
  for (const model of ["demo-chat", "demo-mixed"]) await callModel(request, secret, { model });
  const { data } = await ask<{ data: { amount: string; balanceAfter: string }[] }>(
    request,
    member,
    "/api/user/ledger?pageSize=50",
  );
  const yuan = (cents = "") => (Number(cents) / 100).toFixed(10).replace(/0+$/, "");
  const month = new Date().toISOString().slice(0, 7);
  await page.goto("/console/billing");
  await page
    .getByRole("table", { name: "By month" })
    .getByRole("link", { name: /^Statement/ })
    .click();
  await expect(page).toHaveURL(new RegExp(`/console/billing/statement\\?month=${month}`));
  await expect(page.getByRole("navigation", { name: "Breadcrumb" })).toContainText(/Billing.*Statement/);
  const row = (table: string, name: string | RegExp) =>
    page.getByRole("table", { name: table }).getByRole("row", { name });
  await expect(row("Summary", "Closing balance")).toContainText(yuan(data[0]?.balanceAfter));
  await expect(row("Summary", "Starting balance")).toContainText("¥10.00");
  const used = yuan(data[0]?.amount.replace("-", ""));
  for (const by of ["Usage by model", "Usage by key"]) await expect(row(by, "Total")).toContainText(used);
  await expect(row("Usage by model", "demo-mixed")).toBeVisible();
  await expect(row("Usage by key", "Charged")).toContainText(used);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export CSV" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`tollgate-statement-${month}.csv`);
  expect(readFileSync(await download.path(), "utf8")).toContain(yuan(data[0]?.balanceAfter));
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute("data-printed", "");
  });
  await page.getByRole("button", { name: "Print or save as PDF" }).click();
  await expect(page.locator("body")).toHaveAttribute("data-printed", "");
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await expect(page.getByRole("article")).toBeVisible();
  for (const part of ["navigation", "banner", "combobox", "button"] as const)
    await expect(page.getByRole(part).filter({ visible: true })).toHaveCount(0);
  await expect(page.locator("body")).toHaveCSS("background-color", "rgb(255, 255, 255)");
});

test("billing shows the starting balance, the charge of a call, and leads to its logs", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member, { name: "Charged" });
  await callModel(request, secret);
  await page.goto("/console/billing");
  const ledger = page.getByRole("table", { name: "Movements of the balance" });
  await expect(ledger.getByRole("row", { name: /Starting balance/ })).toContainText("+¥10.000000");
  const movements = "/api/user/ledger?pageSize=50";
  const { data } = await ask<{ data: { amount: string; balanceAfter: string }[] }>(
    request,
    member,
    movements,
  );
  const exact = (cents = "") => `¥${(Math.abs(Number(cents)) / 100).toFixed(10).replace(/0+$/, "")}`;
  const [charge] = data;
  expect(exact(charge?.balanceAfter), "more digits than a price tag has").toMatch(/^¥9\.99\d{3,}$/);
  const row = ledger.getByRole("row", { name: /Charged: 1 request/ });
  await expect(row, "what puts it in its place").toContainText(/until \d\d:\d\d UTC/);
  await expect(row.getByTitle(`−${exact(charge?.amount)}`)).toHaveText(/^−¥0\.000\d{3}$/);
  await expect(row.getByTitle(exact(charge?.balanceAfter), { exact: true })).toHaveText(/^¥9\.99\d{4}$/);
  const start = ledger
    .getByRole("row", { name: /Starting balance/ })
    .getByRole("cell")
    .last();
  await expect(start).toHaveText("¥10.000000");
  await page.getByLabel("Type").selectOption("Starting balance");
  await expect(ledger.getByRole("row")).toHaveCount(2);
  await expect(start).toHaveText("¥10.000000");
  const download = await page.getByRole("link", { name: "Export CSV" }).getAttribute("href");
  expect(download).toMatch(/^\/api\/user\/ledger\/export\?type=signup&tz=/);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await ledger.getByRole("link", { name: "Charged: 1 request" }).click();
  await page.waitForURL("**/console/logs?**");
  await expect(page.getByRole("table", { name: "Requests" }).getByRole("row")).toHaveCount(2);
});

test("models can be found, and show a call for each client", async ({ page, member: _member }) => {
  await page.goto("/console/models");
  await page.getByRole("searchbox").fill("demo-mess");
  await expect(page.getByText("1 model", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Try demo-messages" }).first().click();
  await page.getByRole("tab", { name: "Claude Code" }).click();
  await expect(page.getByRole("dialog")).toContainText('ANTHROPIC_MODEL="demo-messages"');
  await expect(page.getByRole("dialog")).toContainText('ANTHROPIC_DEFAULT_HAIKU_MODEL="demo-messages"');
});

test("a new password keeps this browser signed in and ends older logins", async ({
  page,
  request,
  member,
}) => {
  await page.goto("/console/settings");
  await expect(page.getByLabel("Username")).toHaveValue(member.username);
  await page.getByLabel("Current password").fill("wrong-password");
  await page.getByLabel("New password").fill("another-river-43");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("This is wrong.")).toBeVisible();
  await page.getByLabel("Current password").fill(member.password);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Password changed").first()).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Settings" })).toBeVisible();
  const old = await request.get("/api/user/self", { headers: { authorization: `Bearer ${member.token}` } });
  expect(old.status()).toBe(401);
});

test("profile and invite link", async ({ page, request, member }) => {
  await page.goto("/console/settings");
  const save = page.getByRole("button", { name: "Save" });
  await expect(save).toBeDisabled();
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByLabel("Current password"), "what is missing").toBeFocused();
  await page.getByLabel("Display name").fill("Ann");
  await expect(save).toBeEnabled();
  await page.getByLabel("E-mail").fill("not an address");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByLabel("E-mail")).toHaveAttribute("aria-invalid", "true");
  await page.getByLabel("E-mail").fill("ann@example.org");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Profile saved").first()).toBeVisible();
  expect(await ask(request, member, "/api/user/self")).toMatchObject({
    name: "Ann",
    email: "ann@example.org",
  });
  const link = page.getByLabel("Invite link");
  await expect(link).toHaveValue(/\/register\?invite=[0-9A-Za-z]+$/);
  await page.setViewportSize({ width: 1440, height: 900 });
  await link.evaluate((field: HTMLInputElement) => {
    field.value = `https://gateway.example.org/register?invite=${"M".repeat(8)}`;
  });
  expect(await link.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});

test("the time zones are told with their offsets, that of the browser first", async ({
  page,
  member: _member,
}) => {
  await page.goto("/console/settings");
  const zones = page.getByLabel("Time zone");
  await expect(zones.getByRole("option", { name: "Asia/Tehran (UTC+3:30)", exact: true })).toHaveCount(1);
  const own = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  await zones.selectOption("Europe/Berlin");
  const names = await zones.getByRole("option").allTextContents();
  expect(names[0]?.split(" ")[0]).toBe(own);
  expect(new Set(names).size).toBe(names.length);
  await page.reload();
  await expect(zones).toHaveValue("Europe/Berlin");
});

test("an account is deleted after its name and password", async ({ page, request, member }) => {
  await page.goto("/console/settings");
  await page.getByRole("button", { name: "Delete account" }).click();
  const dialog = page.getByRole("alertdialog");
  await dialog.getByRole("textbox", { name: /Type/ }).fill(member.username);
  await expect(dialog.getByRole("button", { name: "Delete account" })).toBeDisabled();
  await dialog.getByLabel("Your password").fill("wrong-password");
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await expect(dialog.getByLabel("Your password")).toHaveAccessibleDescription(/is wrong/);
  await expect(dialog.getByLabel("Your password")).toBeFocused();
  await expect(dialog.getByRole("alert")).toBeHidden();
  await dialog.getByLabel("Your password").fill(member.password);
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await page.waitForURL((url) => url.pathname === "/");
  await expect(page.getByText("Your account is deleted.")).toBeVisible();
  const { username, password } = member;
  const login = await request.post("/api/user/login", { data: { username, password } });
  expect(login.status()).toBe(401);
});

test("an ordinary account gets the 403 page for the administration", async ({ page, request }) => {
  await openSession(page, (await register(request)).token);
  const answer = await page.goto("/admin/users");
  await expect(page.getByRole("heading", { name: "You need admin rights" })).toBeVisible();
  expect(answer?.status()).toBe(403);
});
