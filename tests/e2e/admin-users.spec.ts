import { expect } from "@playwright/test";
import { callModel, makeKey, register } from "./support/member";
import { freshName, make, test } from "./support/people";

test("balances and amounts of the list have one number of decimals each", async ({ page }) => {
  const prefix = freshName("digits");
  const member = await register(page.request, { username: `${prefix}a` });
  const { secret } = await makeKey(page.request, member);
  expect((await callModel(page.request, secret)).status).toBe(200);
  await page.goto(`/admin/users?q=${prefix}`);
  const cells = (name: string) => page.getByRole("row").filter({ hasText: name }).getByRole("cell");
  const left = (name: string) => cells(name).filter({ hasText: " of ¥" });
  // One call takes a part of a cent: of a small balance alone, more than two decimals matter.
  await expect(left(`${prefix}a`)).toHaveText(/^¥9\.99\d\d of ¥10\.00$/);

  const rich = { username: `${prefix}b`, password: "quiet-river-42", quota: 50_000 };
  await make(page, "/api/admin/users", rich);
  await page.reload();
  await expect(left(`${prefix}b`)).toHaveText("¥500.00 of ¥500.00");
  await expect(left(`${prefix}a`)).toHaveText("¥9.99 of ¥10.00");
});
