import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { callModel, makeKey, openSession, register, test } from "./support/member";

const publicPaths = ["/", "/login", "/register", "/models", "/docs", "/nothing-here"];
const consolePaths = [
  "/console",
  "/console/keys",
  "/console/keys?create=1",
  "/console/usage",
  "/console/usage?metric=latency",
  "/console/logs",
  "/console/models",
  "/console/playground",
  "/console/connect",
  "/console/limits",
  "/console/billing",
  "/console/settings",
];
const themes = ["light", "dark"];
const languages = ["en", "zh-CN"];

/** Everything that is wrong with a page as it is now. */
async function problemsOf(page: Page, path: string): Promise<string[]> {
  await page.goto(path);
  await page.waitForLoadState("networkidle");
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
    .analyze();
  const sideways = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  const headings = await page.locator("h1:visible").count();
  return [
    ...violations.map(
      (found) => `${path}: ${found.id} at ${found.nodes.map((node) => node.target.join(" ")).join(", ")}`,
    ),
    ...(sideways > 0 ? [`${path}: scrolls sideways by ${sideways} px`] : []),
    ...(headings === 1 || path.includes("create=1") ? [] : [`${path}: ${headings} first-level headings`]),
  ];
}

async function prepare(page: Page, theme: string, language: string, width: number): Promise<void> {
  const url = "http://127.0.0.1";
  await page.context().addCookies([
    { name: "theme", value: theme, url },
    { name: "locale", value: language, url },
    { name: "tz", value: "Asia/Shanghai", url },
  ]);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.setViewportSize({ width, height: 900 });
}

for (const theme of themes) {
  for (const language of languages) {
    test(`public pages pass axe: ${theme}, ${language}`, async ({ page, consoleErrors }) => {
      test.setTimeout(180_000);
      const problems: string[] = [];
      for (const width of [1440, 320]) {
        await prepare(page, theme, language, width);
        for (const path of publicPaths) problems.push(...(await problemsOf(page, path)));
      }
      expect(problems).toEqual([]);
      expect(consoleErrors.filter((text) => !text.includes("404"))).toEqual([]);
    });

    test(`console pages pass axe: ${theme}, ${language}`, async ({ page, request, consoleErrors }) => {
      test.setTimeout(240_000);
      const member = await register(request);
      const { secret } = await makeKey(request, member, { models: ["demo-chat"] });
      const { requestId } = await callModel(request, secret);
      await callModel(request, secret, { model: "demo-messages" });
      await openSession(page, member.token);
      const problems: string[] = [];
      for (const width of [1440, 320]) {
        await prepare(page, theme, language, width);
        for (const path of [...consolePaths, `/console/logs?request=${requestId}`]) {
          problems.push(...(await problemsOf(page, path)));
        }
      }
      expect(problems).toEqual([]);
      expect(consoleErrors).toEqual([]);
    });
  }
}
