import { expect } from "@playwright/test";
import { test } from "./support/people";

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
