import type { Page } from "@playwright/test";

/**
 * Makes `goto` wait until the browser has taken the page over from the server: pages come with their data, so that a
 * test sees rows before there is anything behind their buttons and before any timer runs.
 */
export function waitForTakeover(page: Page): void {
  const goto = page.goto.bind(page);
  page.goto = async (url, options) => {
    const answer = await goto(url, options);
    await page.waitForFunction(() => {
      const main = document.querySelector("main");
      return main === null || Object.keys(main).some((name) => name.startsWith("__reactFiber"));
    });
    return answer;
  };
}
