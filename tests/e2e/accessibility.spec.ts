import { expect, type Page } from "@playwright/test";
import { axeViolations, smallTargets } from "./support/axe";
import { layoutProblems, narrowWidths } from "./support/layout";
import { callModel, makeKey, openSession, register, test } from "./support/member";
import { consolePages } from "./support/pages";

const publicPaths = ["/", "/login", "/register", "/models", "/docs", "/docs/errors", "/nothing-here"];
const consolePaths = [
  ...consolePages,
  "/console/keys?create=1",
  "/console/usage?metric=latency",
  "/console/usage?by=key&from=2026-11-01&to=2026-11-02",
  "/console/billing/statement",
];
const themes = ["light", "dark"];
const languages = ["en", "zh-CN"];

const phone = 320;

/** Everything that is wrong with a page as it is now. */
async function problemsOf(page: Page, path: string): Promise<string[]> {
  await page.goto(path);
  await page.waitForLoadState("networkidle");
  const sideways = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  const headings = await page.locator("h1:visible").count();
  const dialog = /create=1|request=/.test(path);
  return [
    ...[...(await axeViolations(page)), ...(await smallTargets(page))].map((found) => `${path}: ${found}`),
    ...(sideways > 0 ? [`${path}: scrolls sideways by ${sideways} px`] : []),
    ...(headings === 1 || dialog ? [] : [`${path}: ${headings} first-level headings`]),
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
    const widths = theme === "light" && language === "en" ? [1440, phone] : [1440];

    test(`public pages pass axe: ${theme}, ${language}`, async ({ page, consoleErrors }) => {
      test.setTimeout(180_000);
      const problems: string[] = [];
      for (const width of widths) {
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
      for (const width of widths) {
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

for (const width of narrowWidths) {
  test(`nothing overlaps or scrolls sideways at ${width} pixels, in either language`, async ({
    page,
    request,
  }) => {
    test.setTimeout(240_000);
    const member = await register(request);
    const { secret } = await makeKey(request, member, { models: ["demo-chat"] });
    const { requestId } = await callModel(request, secret);
    await openSession(page, member.token);
    const wrong: string[] = [];
    for (const language of languages) {
      await prepare(page, "dark", language, width);
      for (const path of [...publicPaths, ...consolePaths, `/console/logs?request=${requestId}`]) {
        await page.goto(path);
        await page.waitForLoadState("networkidle");
        for (const problem of await layoutProblems(page)) wrong.push(`${path} in ${language}: ${problem}`);
      }
    }
    expect(wrong).toEqual([]);
  });
}
