import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const OF_WHOLE_PAGES = ["best-practice"];

/**
 * What axe finds on a page, or within a part of it, with the rule that a control's name begins with its visible label, which
 * axe counts as experimental. Its rule about the size of targets accepts small ones that stand apart; see `smallTargets`.
 */
export async function axeViolations(page: Page, within?: string): Promise<string[]> {
  const axe = new AxeBuilder({ page }).options({
    runOnly: {
      type: "tag",
      values: within === undefined ? TAGS : TAGS.filter((tag) => !OF_WHOLE_PAGES.includes(tag)),
    },
    rules: { "label-content-name-mismatch": { enabled: true } },
  });
  const { violations } = await (within === undefined ? axe : axe.include(within)).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

/** The links and controls of a page that are less than 24 pixels high or wide; links in a sentence may be as high as it. */
export async function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const least = 23.5;
    const controls =
      "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=tab], [role=menuitem], [role=option]";

    const isInSentence = (element: Element): boolean => {
      if (getComputedStyle(element).display !== "inline") return false;
      const block = element.parentElement?.closest("p, li, dd, td, figcaption, label, div, span");
      const around = block?.textContent?.trim().length ?? 0;
      return around > (element.textContent?.trim().length ?? 0);
    };

    const found: string[] = [];
    for (const element of document.querySelectorAll(controls)) {
      if (!element.checkVisibility({ visibilityProperty: true }) || isInSentence(element)) continue;
      // A label is part of its control's target.
      const target = element.closest("label") ?? element;
      const { width, height } = target.getBoundingClientRect();
      const isOnlyRead = width <= 1 || height <= 1;
      const isOffScreen = element.classList.contains("skip-link");
      if (isOnlyRead || isOffScreen || (width >= least && height >= least)) continue;
      const name = element.getAttribute("aria-label") ?? element.textContent?.trim() ?? "";
      found.push(
        `<${element.tagName.toLowerCase()}> “${name.slice(0, 40)}” is ${Math.round(width)} x ${Math.round(height)} px`,
      );
    }
    return found;
  });
}
