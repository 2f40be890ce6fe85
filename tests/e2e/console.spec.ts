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

test("models can be found, and show a call for each client", async ({ page, member: _member }) => {
  await page.goto("/console/models");
  await page.getByRole("searchbox").fill("demo-mess");
  await expect(page.getByText("1 model", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Try demo-messages" }).first().click();
  await page.getByRole("tab", { name: "Claude Code" }).click();
  await expect(page.getByRole("dialog")).toContainText('ANTHROPIC_MODEL="demo-messages"');
  await expect(page.getByRole("dialog")).toContainText('ANTHROPIC_DEFAULT_HAIKU_MODEL="demo-messages"');
});

test("an ordinary account gets the 403 page for the administration", async ({ page, request }) => {
  await openSession(page, (await register(request)).token);
  const answer = await page.goto("/admin/users");
  await expect(page.getByRole("heading", { name: "You need admin rights" })).toBeVisible();
  expect(answer?.status()).toBe(403);
});
