import { execFileSync } from "node:child_process";
import { expect, type Page } from "@playwright/test";
import { test } from "./support/member";
import { freshName } from "./support/people";

test("a newcomer registers, makes a key, makes a billed first call, and the page notices it", async ({
  page,
  context,
  consoleErrors,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/");
  await page.getByRole("link", { name: "Create an account" }).first().click();
  await page.getByLabel("Username").fill(freshName("new"));
  await page.getByLabel("Password", { exact: true }).fill("quiet-river-42");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.waitForURL("**/console");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Welcome");

  await page.getByRole("link", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("First");
  await dialog.getByRole("button", { name: "Create key" }).click();
  const secret = await dialog.getByLabel("Your new API key").inputValue();
  expect(secret).toMatch(/^tgw-[0-9A-Za-z]{46}$/);
  await expect(dialog.getByText(secret).first()).toBeVisible();
  const call = dialog.getByRole("region", { name: "Make your first call" });
  await call.getByRole("button", { name: "Copy", exact: true }).click();
  const pasted = await page.evaluate(() => navigator.clipboard.readText());
  await dialog.getByLabel("I have saved this key").check();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(dialog).toBeHidden();

  await page.getByRole("link", { name: "Overview" }).click();
  await expect(page.getByText("Waiting for your first request…")).toBeVisible();
  const answer = JSON.parse(execFileSync("sh", ["-c", pasted], { encoding: "utf8" }));
  expect(answer.choices[0].message.content).not.toBe("");
  await expect(page.getByText("Your first request has arrived.")).toBeVisible();
  await page.getByRole("link", { name: "See it in the logs" }).click();
  await expect(page.getByRole("dialog", { name: "Request" })).toContainText("Answered in");
  expect(consoleErrors).toEqual([]);
});

test("the secret is on the page once, and never in an address, a store, a cache, or a second answer", async ({
  page,
  member: _member,
}) => {
  const answers: string[] = [];
  const addresses: string[] = [];
  page.on("request", (sent) => addresses.push(sent.url()));
  page.on("response", async (response) => {
    const type = response.headers()["content-type"] ?? "";
    if (/json|html|text\/x-component/.test(type)) answers.push(await response.text().catch(() => ""));
  });
  await page.goto("/console/keys?create=1");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Secret");
  const [made] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === "POST"),
    dialog.getByRole("button", { name: "Create key" }).click(),
  ]);
  expect(made.headers()["cache-control"]).toBe("no-store");
  const { key: secret } = await made.json();
  expect(secret).toMatch(/^tgw-[0-9A-Za-z]{46}$/);
  await expect(dialog.getByLabel("Your new API key")).toHaveValue(secret);
  expect(await memoryOf(page)).toContain(secret);
  await dialog.getByLabel("I have saved this key").check();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("row", { name: /Secret/ })).toBeVisible();
  await page.getByRole("link", { name: "Logs", exact: true }).click();
  await page.waitForURL("**/console/logs");
  expect(await memoryOf(page)).not.toContain(secret);
  await page.goBack();
  await page.waitForURL("**/console/keys");
  await page.reload();
  await expect(page.getByRole("row", { name: /Secret/ })).toBeVisible();

  expect(answers.filter((text) => text.includes(secret))).toHaveLength(1);
  expect(addresses.filter((url) => url.includes(secret))).toEqual([]);
  const kept = await page.evaluate(async () => ({
    local: JSON.stringify({ ...localStorage }),
    session: JSON.stringify({ ...sessionStorage }),
    cookies: document.cookie,
    databases: (await indexedDB.databases()).length,
    html: document.documentElement.outerHTML,
    history: JSON.stringify(history.state),
  }));
  expect(JSON.stringify(kept)).not.toContain(secret);
  expect(kept.databases).toBe(0);
});

/** Everything that the page's scripts hold, caches of answers included. */
async function memoryOf(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const chunks: string[] = [];
  session.on("HeapProfiler.addHeapSnapshotChunk", ({ chunk }) => chunks.push(chunk));
  await session.send("HeapProfiler.collectGarbage");
  await session.send("HeapProfiler.takeHeapSnapshot", {});
  const memory = chunks.join("");
  expect(memory).toContain("/console/logs");
  return memory;
}
