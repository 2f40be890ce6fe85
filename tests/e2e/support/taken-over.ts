import type { Page } from "@playwright/test";

/**
 * Makes `goto` and `reload` wait until the browser has taken the page over from the server: pages come with their data,
 * so that a test sees rows before there is anything behind their buttons and before any timer runs.
 */
export function waitForTakeover(page: Page): void {
  const goto = page.goto.bind(page);
  const reload = page.reload.bind(page);
  page.goto = async (url, options) => takenOver(page, await goto(url, options));
  page.reload = async (options) => takenOver(page, await reload(options));
}

async function takenOver<Answer>(page: Page, answer: Answer): Promise<Answer> {
  await page.waitForFunction(() => {
    const main = document.querySelector("main");
    return main === null || Object.keys(main).some((name) => name.startsWith("__reactFiber"));
  });
  return answer;
}
