import { expect, type Page } from "@playwright/test";
import { callModel, makeKey, register } from "./support/member";
import { freshName, make, test } from "./support/people";

/** How far the middle of each cell's words or control is from the middle of the row; of those with one line. */
function offsets(page: Page, name: string): Promise<number[]> {
  return page.getByRole("row", { name }).evaluate((row) => {
    const { y, height } = row.getBoundingClientRect();
    return [...row.querySelectorAll("td:not(:has([role=meter]))")].flatMap((cell) => {
      const range = document.createRange();
      range.selectNode(document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode() ?? cell);
      const box = (cell.querySelector("input, svg") ?? range).getBoundingClientRect();
      return box.height === 0 ? [] : [Math.abs(box.y + box.height / 2 - y - height / 2)];
    });
  });
}

test("balances and amounts of the list have one number of decimals each", async ({ page }) => {
  const prefix = freshName("digits");
  const member = await register(page.request, { username: `${prefix}a` });
  const { secret } = await makeKey(page.request, member);
  expect((await callModel(page.request, secret)).status).toBe(200);
  await page.goto(`/admin/users?q=${prefix}`);
  const cells = (name: string) => page.getByRole("row").filter({ hasText: name }).getByRole("cell");
  const balance = (name: string) => cells(name).filter({ hasText: " of ¥" });
  const left = (name: string) => balance(name).getByText(" of ¥");
  // One call takes a part of a cent, which changes the decimals of no row.
  await expect(left(`${prefix}a`)).toHaveText("¥9.99 of ¥10.00");
  await expect(balance(`${prefix}a`)).toContainText("<0.1% used");
  await expect(cells(`${prefix}a`).getByText("<¥0.01", { exact: true })).toBeVisible();

  const rich = { username: `${prefix}b`, password: "quiet-river-42", quota: 50_000 };
  await make(page, "/api/admin/users", rich);
  await page.reload();
  await expect(left(`${prefix}b`)).toHaveText("¥500.00 of ¥500.00");
  // As every bar of a quota it fills with what is used.
  const meter = balance(`${prefix}b`).getByRole("meter", { name: "Used" });
  await expect(meter).toHaveAttribute("aria-valuenow", "0");
  await expect(meter).toHaveAttribute("aria-valuetext", /of ¥500\.00/);
  await expect(left(`${prefix}a`)).toHaveText("¥9.99 of ¥10.00");
});

test("the filter of the quota is as wide as its longest option, whatever stands beside it", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/admin/users");
  const quota = page.getByLabel("What is left", { exact: true });
  await expect(page.getByText(/^[\d,]+ accounts?$/).first()).toBeVisible();
  const before = await quota.boundingBox();
  const needed = await quota.evaluate((select) => {
    const alone = select.cloneNode(true) as HTMLSelectElement;
    alone.style.cssText = "position: absolute; width: max-content";
    document.body.append(alone);
    const { width } = alone.getBoundingClientRect();
    alone.remove();
    return width;
  });
  expect(before?.width).toBeGreaterThanOrEqual(needed - 1);
  await quota.selectOption({ label: "Nothing left" });
  await expect(page).toHaveURL(/quota=empty/);
  await expect(page.getByRole("button", { name: "Clear filters" }).first()).toBeVisible();
  expect((await quota.boundingBox())?.width).toBe(before?.width);
});

test("ticked accounts get quota together; who cannot be suspended with the others is told", async ({
  page,
}) => {
  const group = freshName("team");
  await page.goto("/admin/users");
  const made: { id: string }[] = [];
  for (const number of [1, 2, 3])
    made.push(
      await make(page, "/api/admin/users", {
        username: `${group}${number}`,
        password: "secret-password",
        quota: 1_000,
      }),
    );
  await page.getByRole("searchbox").fill(group);
  // The list before may have as many accounts.
  await expect(page.getByRole("link", { name: group })).toHaveCount(3);
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  const bar = page.getByRole("region", { name: "Selected accounts" });
  await expect(bar).toContainText("3 accounts selected");
  await bar.getByRole("button", { name: "Change quota" }).click();
  const grant = page.getByRole("dialog", { name: "Quota of 3 accounts" });
  await grant.getByLabel(/Amount in yuan/).fill("2.50");
  await grant.getByLabel("Reason").fill("workshop");
  await expect(grant.getByText("¥2.50 for each account, ¥7.50 in all.")).toBeVisible();
  await grant.getByRole("button", { name: "Give each ¥2.50" }).click();
  await expect(page.getByText("¥2.50 is granted to each of 3 accounts.").first()).toBeVisible();
  await expect(bar, "they stay selected").toContainText("3 accounts selected");
  for (const number of [1, 2, 3])
    await expect(page.getByRole("row", { name: new RegExp(`${group}${number}`) })).toContainText("of ¥12.50");

  await page.getByRole("button", { name: "Undo" }).click();
  await expect(
    page.getByRole("status").filter({ hasText: "3 accounts are as they were before" }),
  ).toBeVisible();
  for (const number of [1, 2, 3])
    await expect(page.getByRole("row", { name: new RegExp(`${group}${number}`) })).toContainText("of ¥10.00");

  const [first, second, third] = made.map(({ id }) => `/api/admin/users/${id}/grants`);
  for (const path of [first, second]) await make(page, path ?? "", { amount: 250, reason: "workshop" });
  await make(page, third ?? "", { amount: 150, reason: "workshop" });
  await page.reload();
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await bar.getByRole("button", { name: "Change quota" }).click();
  await grant.getByText("Take away", { exact: true }).click();
  await grant.getByLabel(/Amount in yuan/).fill("12.50");
  await grant.getByLabel("Reason").fill("term is over");
  await expect(grant.getByText("¥12.50 from each account, ¥25.00 in all.")).toBeVisible();
  await expect(grant.getByText("1 of them has a smaller quota than that")).toBeVisible();
  await grant.getByRole("button", { name: /^Take ¥12.50/ }).click();
  const short = page.getByRole("alertdialog", { name: "Not all accounts were changed" });
  const why = short.getByRole("row", { name: `${group}3` });
  await expect(why).toContainText("The quota is only ¥11.50.");
  await expect(why).not.toContainText("amount");
  await short.getByRole("button", { name: "Done" }).click();
  await page.request.patch(`/api/admin/users/${made[2]?.id}`, {
    data: { status: "suspended", reason: "unpaid" },
    headers: { origin: new URL(page.url()).origin },
  });
  await page.reload();
  await page.getByRole("checkbox", { name: `Select ${group}3` }).check();
  await expect(bar.getByRole("button", { name: "Reactivate" })).toBeVisible();
  await expect(bar.getByRole("button", { name: "Suspend" })).toHaveCount(0);
  await bar.getByRole("button", { name: "Clear selection" }).click();

  const remove = `/api/admin/users/${made[1]?.id}`;
  await page.getByRole("checkbox", { name: `Select ${group}1` }).check();
  await page.getByRole("checkbox", { name: `Select ${group}2` }).check();
  await page.getByRole("searchbox").fill("admin");
  const own = page.getByRole("checkbox", { name: "Select admin", exact: true });
  await own.check();
  await bar.getByRole("button", { name: "Suspend" }).click();
  const suspend = page.getByRole("alertdialog", { name: "Suspend 2 accounts?" });
  await expect(suspend).toContainText(`${group}1 and ${group}2`);
  await expect(suspend).toContainText("Your own account is left out.");
  await page.request.delete(remove, { headers: { origin: new URL(page.url()).origin } });
  await suspend.getByRole("button", { name: "Suspend" }).click();
  await expect(suspend.getByLabel("Why")).toBeFocused();
  await expect(suspend.getByLabel("Why")).toHaveAccessibleDescription(/Use 1 to 200 characters\./);
  await suspend.getByLabel("Why").fill("term is over");
  await suspend.getByRole("button", { name: "Suspend" }).click();
  const failures = page.getByRole("alertdialog", { name: "Not all accounts were changed" });
  await expect(failures).toContainText("1 changed, 1 not");
  await expect(failures.getByRole("row", { name: `${group}2` })).toContainText(
    "There is no such account any more.",
  );
  await failures.getByRole("button", { name: "Done" }).click();
  await expect(bar).toContainText("1 account selected");
  await expect(bar.getByRole("button", { name: "Suspend" })).toBeEnabled();
  await bar.getByRole("button", { name: "Clear selection" }).click();
  await own.check();
  await expect(bar.getByRole("button", { name: "Suspend" })).toBeDisabled();
  await expect(bar).toContainText("You cannot suspend your own account.");
});

test("nobody ticks all of the rows before while those of a search are read", async ({ page }) => {
  const { username } = await register(page.request);
  await page.goto("/admin/users");
  const all = page.getByRole("checkbox", { name: "Select all on this page" });
  await expect(all).toBeEnabled();
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/api\/admin\/users\?search=/, async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole("searchbox").fill(username);
  await expect(all).toBeDisabled();
  release();
  await expect(page.getByRole("checkbox", { name: "Select admin", exact: true })).toHaveCount(0);
  await all.check();
  await expect(page.getByRole("checkbox", { name: `Select ${username}` })).toBeChecked();
  await expect(page.getByRole("region", { name: "Selected accounts" })).toContainText("1 account selected");
});

test("on a phone the filters are folded, and what can be done with ticked accounts is one line", async ({
  page,
}) => {
  const { username } = await register(page.request);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/admin/users?search=${username}`);
  const first = page.getByRole("listitem").filter({ hasText: username });
  expect((await first.boundingBox())?.y).toBeLessThan(450);
  await expect(page.getByLabel("Plan", { exact: true })).toBeHidden();
  await page.getByRole("button", { name: "Filters", exact: true }).click();
  await expect(page.getByLabel("Plan", { exact: true })).toBeVisible();
  await expect(page.getByLabel("Role", { exact: true })).toBeVisible();
  await page.getByRole("checkbox", { name: `Select ${username}` }).check();
  const bar = page.getByRole("region", { name: "Selected accounts" });
  expect((await bar.boundingBox())?.height).toBeLessThan(64);
  await bar.getByRole("button", { name: "Actions" }).click();
  await page.getByRole("menuitem", { name: "Change plan" }).click();
  const dialog = page.getByRole("dialog", { name: "Plan of 1 account" });
  await expect(dialog).toContainText("Now: 1 Free.");
  await dialog.getByLabel("Plan", { exact: true }).selectOption("Starter");
  await expect(dialog).toContainText("1 Free becomes Starter.");
  await dialog.getByRole("button", { name: "Change plan" }).click();
  const done = page.getByRole("status").filter({ hasText: "1 account has the plan Starter." });
  await done.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("1 account is as it was before.")).toBeVisible();
  await expect(first).toContainText("Free");
});

test("the list is sorted by its heads and narrowed by what is left, in the address, and exported", async ({
  page,
}) => {
  const group = freshName("order");
  await page.goto("/admin/users");
  for (const [name, quota] of [
    ["b", 300],
    ["a", 0],
    ["c", 100],
  ] as const)
    await make(page, "/api/admin/users", { username: `${group}${name}`, password: "secret-password", quota });
  await page.getByRole("searchbox").fill(group);
  const names = () => page.getByRole("table").getByRole("row").getByRole("link").allTextContents();
  await expect.poll(names).toEqual([`${group}c`, `${group}a`, `${group}b`]);
  expect(Math.max(...(await offsets(page, `${group}b`))), "all cells stand in one line").toBeLessThan(1);
  await page.getByRole("table").getByRole("button", { name: "Account", exact: true }).click();
  await expect(page).toHaveURL(/sort=username/);
  await expect.poll(names).toEqual([`${group}a`, `${group}b`, `${group}c`]);
  await page.getByRole("button", { name: "Left", exact: true }).click();
  await expect.poll(names).toEqual([`${group}a`, `${group}c`, `${group}b`]);
  await page.getByRole("button", { name: "Left", exact: true }).click();
  await expect(page.getByRole("columnheader", { name: "Left" })).toHaveAttribute("aria-sort", "descending");
  await expect.poll(names).toEqual([`${group}b`, `${group}c`, `${group}a`]);
  await page.reload();
  await expect.poll(names).toEqual([`${group}b`, `${group}c`, `${group}a`]);
  await page.getByLabel("What is left").selectOption({ label: "Nothing left" });
  await expect.poll(names).toEqual([`${group}a`]);
  const href = await page.getByRole("link", { name: "Export CSV" }).getAttribute("href");
  const file = await (await page.request.get(href ?? "")).text();
  expect(file.trimEnd().split("\r\n")).toHaveLength(2);
  expect(file).toContain(`${group}a,`);
});

test("at 1440 px the list has room for all of its columns", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/admin/users");
  await expect(page.getByRole("columnheader", { name: "Requests" })).toBeVisible();
  await expect(page.getByRole("columnheader", { name: "Created" })).toBeVisible();
  const over = await page
    .getByRole("table")
    .evaluate(({ parentElement: box }) => (box ? box.scrollWidth - box.clientWidth : 1));
  expect(over).toBe(0);
});

for (const width of [390, 1024, 1440]) {
  test(`at ${width} pixels messages do not cover what can be done with ticked accounts`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    const group = freshName("bar");
    await register(page.request, { username: `${group}a` });
    await page.goto(`/admin/users?search=${group}`);
    await page.getByRole("checkbox", { name: `Select ${group}a` }).check();
    const bar = page.getByRole("region", { name: "Selected accounts" });
    await expect(bar).toContainText("1 account selected");
    // A list ends where messages appear.
    const end = (await bar.boundingBox())?.y ?? 0;
    await page.setViewportSize({ width, height: Math.round(end) + 140 });
    for (const action of ["Suspend", "Reactivate"]) {
      if (width < 640) {
        await bar.getByRole("button", { name: "Actions" }).click();
        await page.getByRole("menuitem", { name: action }).click();
      } else await bar.getByRole("button", { name: action }).click();
      const asked = page.getByRole("alertdialog");
      if (action === "Suspend") await asked.getByLabel("Why").fill("unpaid");
      await asked.getByRole("button", { name: action }).click();
      const said = page.getByRole("status").filter({ has: page.getByRole("button", { name: "Undo" }) });
      await expect(said.last()).toBeVisible();
      await expect(asked).toBeHidden();
      const boxes = await said.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
      const { x = 0, y = 0, width: wide = 0, height = 0 } = (await bar.boundingBox()) ?? {};
      const covers = boxes.map(
        (box) => box.left < x + wide && box.right > x && box.top < y + height && box.bottom > y,
      );
      expect(covers.length).toBeGreaterThan(0);
      expect(covers).not.toContain(true);
    }
  });
}
