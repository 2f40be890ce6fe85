import { expect } from "@playwright/test";
import { makeKey, test } from "./support/member";

const refusals = [
  { status: 402, code: "QUOTA_EXCEEDED", title: "Quota used up" },
  { status: 403, code: "FORBIDDEN", title: "You need admin rights" },
  { status: 404, code: "NOT_FOUND", title: "There is nothing here" },
  { status: 500, code: "INTERNAL_ERROR", title: "Something went wrong" },
  { status: 503, code: "NO_AVAILABLE_NODE", title: "All nodes for this model are unavailable" },
];

for (const { status, code, title } of refusals) {
  test(`a ${status} is told in words, with its request id and a way to try again`, async ({
    page,
    member: _member,
  }) => {
    let failing = true;
    await page.route("**/api/user/ledger?**", (route) =>
      failing
        ? route.fulfill({ status, json: { error: { code, message: `About ${code}.`, requestId: "req-42" } } })
        : route.continue(),
    );
    await page.goto("/console/billing");
    const alert = page.getByRole("alert").filter({ hasText: title });
    await expect(alert).toContainText(`About ${code}.`);
    await expect(alert).toContainText("req-42");
    failing = false;
    await alert.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByRole("row", { name: /Starting balance/ })).toBeVisible();
  });
}

test("a 429 is tried again by itself after Retry-After", async ({ page, member: _member }) => {
  let calls = 0;
  await page.route("**/api/user/ledger?**", (route) => {
    calls += 1;
    return calls === 1
      ? route.fulfill({
          status: 429,
          headers: { "retry-after": "1" },
          json: { error: { code: "RATE_LIMITED", message: "Slower.", requestId: "r" } },
        })
      : route.continue();
  });
  await page.goto("/console/billing");
  await expect(page.getByRole("row", { name: /Starting balance/ })).toBeVisible();
  expect(calls).toBe(2);
});

test("when a refresh fails, the old data stays and says from when it is", async ({
  page,
  member: _member,
}) => {
  await page.clock.install();
  await page.goto("/console/keys");
  await expect(page.getByText("No keys yet.")).toBeVisible();
  await page.route("**/api/user/tokens?**", (route) =>
    route.fulfill({
      status: 500,
      json: { error: { code: "INTERNAL_ERROR", message: "No.", requestId: "r" } },
    }),
  );
  await page.getByRole("link", { name: "Billing", exact: true }).click();
  await page.waitForURL("**/console/billing");
  await page.clock.runFor(10_500);
  await page.getByRole("link", { name: "API keys", exact: true }).click();
  await expect(page.getByText(/Showing data from \d\d:\d\d:\d\d/)).toBeVisible();
});

test("the first load shows blocks of the final size and says that it is busy", async ({
  page,
  member: _member,
}) => {
  let answer = () => {};
  const seen = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/api/user/stats?**", async (route) => {
    await seen;
    await route.continue();
  });
  await page.goto("/console/usage?period=24h");
  await expect(page.locator("main [aria-busy=true]")).toBeVisible();
  answer();
  await expect(page.locator("main [aria-busy=true]")).toBeHidden();
});

test("a call that is refused although the page's session holds leads to the login page, once", async ({
  page,
  member: _member,
}) => {
  const visited: string[] = [];
  page.on("request", (asked) => asked.isNavigationRequest() && visited.push(asked.url()));
  await page.route("**/api/user/tokens?**", (route) =>
    route.fulfill({
      status: 401,
      json: { error: { code: "UNAUTHORIZED", message: "Sign in.", requestId: "r" } },
    }),
  );
  await page.goto("/console/keys?status=disabled");
  await page.waitForURL("**/login?**");
  await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect(new URL(page.url()).searchParams.get("next")).toBe("/console/keys?status=disabled");
  expect(visited.filter((url) => url.includes("/login"))).toHaveLength(1);
});

test("a wait that is over says so, and nothing is sent by itself", async ({ page, member: _member }) => {
  let calls = 0;
  await page.route("**/v1/chat/completions", (route) => {
    calls += 1;
    return route.fulfill({
      status: 429,
      headers: { "retry-after": "2" },
      json: { error: { code: "RATE_LIMITED", message: "Slower.", type: "rate_limit_error" } },
    });
  });
  await page.clock.install();
  await page.goto("/console/playground?model=demo-chat");
  await page.getByLabel("Message").fill("Hello");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText("Possible again in 2 s")).toBeVisible();
  await page.clock.runFor(2_500);
  await expect(page.getByText("You can try again now.")).toBeVisible();
  expect(calls).toBe(1);
});

test("a form of an account with several mistakes says how many, and takes the focus", async ({ page }) => {
  await page.goto("/register");
  await page.getByRole("button", { name: "Create account" }).click();
  const summary = page.getByRole("alert").filter({ hasText: "Please correct 2 fields" });
  await expect(summary).toBeVisible();
  expect(await summary.evaluate((node) => node.parentElement === document.activeElement)).toBe(true);
});

test("where the keys cannot be read, no count of them is told beside the error", async ({
  page,
  request,
  member,
}) => {
  await makeKey(request, member, { name: "Unread" });
  let failing = true;
  await page.route("**/api/user/tokens?**", (route) =>
    failing
      ? route.fulfill({ status: 403, json: { error: { code: "FORBIDDEN", message: "No.", requestId: "r" } } })
      : route.continue(),
  );
  await page.goto("/console/keys?page=2");
  const alert = page.getByRole("alert").filter({ hasText: "You need admin rights" });
  await expect(alert).toBeVisible();
  await expect(page.getByLabel("Search keys by name or prefix")).toBeVisible();
  await expect(page.getByText(/\d+ keys?$/)).toHaveCount(0);
  failing = false;
  await alert.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("1 key", { exact: true })).toBeVisible();
});
