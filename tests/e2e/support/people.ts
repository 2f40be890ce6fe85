import { randomBytes } from "node:crypto";
import { type APIRequestContext, type Browser, test as base, expect, type Page } from "@playwright/test";

const ADMIN = { username: "admin", password: "correct-horse-battery" };

type StorageState = Awaited<ReturnType<Awaited<ReturnType<Browser["newContext"]>>["storageState"]>>;

/** Signs in through the login page. */
export async function signIn(page: Page, person: { username: string; password: string }): Promise<void> {
  await page.goto("/login");
  await page.locator("input[name=username]").fill(person.username);
  await page.locator("input[name=password]").fill(person.password);
  await page.locator("form button[type=submit]").click();
  await page.waitForURL("**/console**");
}

/** A bearer token of the admin, for what a test only needs to be there. */
export async function adminToken(request: APIRequestContext): Promise<string> {
  const answer = await request.post("/api/user/login", { data: ADMIN });
  expect(answer.status()).toBe(200);
  return (await answer.json()).token;
}

/** A name nobody has yet. */
export function freshName(prefix: string): string {
  return `${prefix}${randomBytes(4).toString("hex")}`;
}

/** Tests whose pages belong to the admin; one login serves a whole worker. */
export const test = base.extend<object, { adminState: StorageState }>({
  adminState: [
    async ({ browser }, use, info) => {
      const { baseURL } = info.project.use;
      const context = await browser.newContext({ ...(baseURL ? { baseURL } : {}), locale: "en-US" });
      await signIn(await context.newPage(), ADMIN);
      await use(await context.storageState());
      await context.close();
    },
    { scope: "worker" },
  ],
  storageState: ({ adminState }, use) => use(adminState),
});
