import { readFileSync, writeFileSync } from "node:fs";
import { expect } from "@playwright/test";
import { freshName, test } from "./support/people";

test("what the configuration file declares says so and offers no change", async ({ page }) => {
  await page.goto("/admin/nodes");
  const node = page.getByRole("row", { name: /zz-file-node/ });
  await expect(node).toContainText("Managed by file");
  await node.getByRole("button", { name: /Actions/ }).click();
  await expect(page.getByRole("menuitem", { name: "Reset circuit" })).toBeVisible();
  for (const name of ["Edit", "Disable (drain)", "Delete"])
    await expect(page.getByRole("menuitem", { name })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Show node zz-file-node" }).click();
  const drawer = page.getByRole("dialog", { name: "zz-file-node", exact: true });
  await expect(drawer).toContainText("Declared in tollgate.yaml; change it there.");
  await expect(drawer).toContainText("Set, ends …4321");
  await expect(drawer.getByRole("button", { name: "Edit" })).toHaveCount(0);

  await page.goto("/admin/models?search=zz-file");
  const model = page.getByRole("row", { name: /zz-file-model/ });
  await expect(model).toContainText("Managed by file");
  await page.getByRole("button", { name: "Show model zz-file-model" }).click();
  const sheet = page.getByRole("dialog", { name: "zz-file-model", exact: true });
  for (const tab of ["Details", "Routes", "Prices"]) {
    await sheet.getByRole("tab", { name: tab }).click();
    await expect(sheet.getByRole("tabpanel")).toBeVisible();
    await expect(sheet.getByRole("tabpanel").getByRole("textbox")).toHaveCount(0);
  }
});

/** Source: docs/contract.md#removed-models. */
test("a model that has left the configuration file says so in the list until it is saved", async ({
  page,
  gateway,
}) => {
  const file = gateway.env.CONFIG_FILE ?? "";
  const before = readFileSync(file, "utf8");
  const alias = freshName("zz-left-");
  const managed = async () => {
    const { data } = await (await page.request.get("/api/admin/models")).json();
    return data.find((model: { alias: string }) => model.alias === alias)?.managedByFile;
  };
  const apply = async (text: string, isManaged: boolean) => {
    writeFileSync(file, text);
    process.kill(gateway.pid, "SIGHUP");
    await expect.poll(managed).toBe(isManaged);
  };
  const model = `  - { alias: ${alias}, prices: { input: 1, output: 2 }, routes: [{ node: zz-file-node, model: x }] }`;
  await page.goto("/admin/models");
  await apply(`${before.trimEnd()}\n${model}\n`, true);
  await apply(before, false);
  await page.goto(`/admin/models?search=${alias}`);
  const row = page.getByRole("row", { name: new RegExp(alias) });
  await expect(row).toContainText("Not in the file any more");
  await page.getByRole("button", { name: `Show model ${alias}` }).click();
  const sheet = page.getByRole("dialog", { name: alias, exact: true });
  const note = sheet.getByText(/tollgate\.yaml has not declared it since .+\d\. /);
  await expect(note).toBeVisible();
  await sheet.getByLabel("Display name").fill("Kept here");
  await sheet.getByRole("button", { name: "Save", exact: true }).click();
  await expect(note).toHaveCount(0);
  await page.goto(`/admin/models?search=${alias}`);
  await expect(row).toBeVisible();
  await expect(row).not.toContainText("Not in the file any more");
});
