import { randomBytes } from "node:crypto";
import { type Browser, expect, type Locator, type Page } from "@playwright/test";
import { test as base } from "./gateway";

/** The first admin of the tests. */
export const ADMIN = { username: "admin", password: "correct-horse-battery" };

type StorageState = Awaited<ReturnType<Awaited<ReturnType<Browser["newContext"]>>["storageState"]>>;

/** Signs in through the login page. */
export async function signIn(page: Page, person: { username: string; password: string }): Promise<void> {
  await page.goto("/login");
  await page.locator("input[name=username]").fill(person.username);
  await page.locator("input[name=password]").fill(person.password);
  await page.locator("form button[type=submit]").click();
  await page.waitForURL("**/console**");
}

/** Makes something through the API with the session of the page. Throws: when it is refused. */
export async function make<T>(page: Page, path: string, data: object): Promise<T> {
  const { origin } = new URL(page.url());
  const answer = await page.request.post(path, { data, headers: { origin } });
  expect(answer.status(), await answer.text()).toBe(201);
  return answer.json();
}

/** A name that is not in use. */
export function freshName(prefix: string): string {
  return `${prefix}${randomBytes(4).toString("hex")}`;
}

const MOST_STEPS = 60;

/** Presses Tab until the target has the focus. Throws: after 60 presses. */
export async function tabTo(page: Page, target: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  for (let step = 0; step < MOST_STEPS; step += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error("the focus never reached the target");
}

/** Signs the pages of a test in as admin; a worker logs in once. */
export const test = base.extend<object, { adminState: StorageState }>({
  adminState: [
    async ({ browser, gateway }, use) => {
      const context = await browser.newContext({ baseURL: gateway.url, locale: "en-US" });
      await signIn(await context.newPage(), ADMIN);
      await use(await context.storageState());
      await context.close();
    },
    { scope: "worker" },
  ],
  storageState: ({ adminState }, use) => use(adminState),
});
