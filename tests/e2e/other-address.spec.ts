import { expect } from "@playwright/test";
import { freePort } from "@/bench/free-port";
import { discardServer, startServer } from "@/tests/support/server";
import { test as base } from "./support/gateway";
import { ADMIN } from "./support/people";

const PUBLIC_URL = "https://gate.example";
/** A name that is not this machine's for the browser, as loopback names are secure without https. */
const HERE = "gate.inside";

/** A gateway whose public address is https, opened over http under another name. */
const test = base.extend<object, { here: string }>({
  launchOptions: [
    async ({ launchOptions }, use) => {
      const args = [...(launchOptions.args ?? []), `--host-resolver-rules=MAP ${HERE} 127.0.0.1`];
      await use({ ...launchOptions, args });
    },
    { scope: "worker" },
  ],
  here: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures it needs from the pattern
    async ({}, use) => {
      const port = String(await freePort());
      const server = await startServer({ env: { PUBLIC_URL, PORT: port, DEMO_PROVIDER: "1" } });
      await use(`http://${HERE}:${port}`);
      await discardServer(server);
    },
    { scope: "worker" },
  ],
  baseURL: ({ here }, use) => use(here),
});

const readers = [
  {
    locale: "en-US",
    signIn: "Sign in",
    register: "Create account",
    link: "Sign in there",
    sentence: (here: string) =>
      `This gateway is at ${PUBLIC_URL}. Sign in there: at this address (${here}) your browser keeps no session.`,
  },
  {
    locale: "zh-CN",
    signIn: "登录",
    register: "注册",
    link: "前往登录",
    sentence: (here: string) =>
      `本网关的地址是 ${PUBLIC_URL}。请在那里登录：在当前地址（${here}）浏览器不会保存会话。`,
  },
];

for (const { locale, signIn, register, link, sentence } of readers) {
  test.describe(locale, () => {
    test.use({ locale });

    /** Source: docs/contract.md#other-address. */
    test("who signs in or registers at another address is told where the gateway is, with a link", async ({
      page,
      here,
    }) => {
      const told = page.getByRole("alert").filter({ hasText: PUBLIC_URL });
      const ways = [
        { path: "/login", button: signIn, person: ADMIN },
        { path: "/register", button: register, person: { ...ADMIN, username: "newcomer" } },
      ];
      for (const { path, button, person } of ways) {
        await page.goto(path);
        await page.locator("input[name=username]").fill(person.username);
        await page.locator("input[name=password]").fill(person.password);
        await page.locator("form").getByRole("button", { name: button, exact: true }).click();
        await expect(told).toContainText(sentence(here));
        await expect(told.getByRole("link", { name: link })).toHaveAttribute("href", `${PUBLIC_URL}/login`);
        await expect(page.locator("input[name=username]")).toHaveValue(person.username);
        expect(new URL(page.url()).pathname).toBe(path);
      }
    });
  });
}
