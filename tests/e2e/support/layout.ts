import type { Page } from "@playwright/test";

/** Widths in CSS pixels: a small phone, and a screen of 1280 pixels at 200 % zoom. */
export const narrowWidths = [320, 640];

/** What is wrong on a page as it is now: it has stopped, scrolls sideways, or has texts that overlap. */
export async function layoutProblems(page: Page): Promise<string[]> {
  const stopped = await page.getByText(/This part of the page stopped|页面的这一部分已停止运行/).count();
  return [...(stopped > 0 ? ["the page has stopped"] : []), ...(await overprinted(page))];
}

async function overprinted(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = document.documentElement;
    const sideways = root.scrollWidth - root.clientWidth;

    const clipped = (element: Element, rect: DOMRect): DOMRect | null => {
      let { left, top, right, bottom } = rect;
      for (
        let box: Element | null = element;
        box !== null && box !== document.body;
        box = box.parentElement
      ) {
        const style = getComputedStyle(box);
        if (style.position === "fixed" || style.position === "sticky") return null;
        if (style.overflow === "visible") continue;
        const edge = box.getBoundingClientRect();
        [left, top] = [Math.max(left, edge.left), Math.max(top, edge.top)];
        [right, bottom] = [Math.min(right, edge.right), Math.min(bottom, edge.bottom)];
      }
      return right - left > 2 && bottom - top > 2 ? new DOMRect(left, top, right - left, bottom - top) : null;
    };

    const lines: { node: Node; text: string; rect: DOMRect }[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const parent = node.parentElement;
      const text = node.textContent?.trim() ?? "";
      if (parent === null || text === "" || parent.closest("script, style, svg, [aria-busy]") !== null)
        continue;
      if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const line of range.getClientRects()) {
        const rect = clipped(parent, line);
        if (rect !== null) lines.push({ node, text: text.slice(0, 40), rect });
      }
    }

    const overlaps = lines.flatMap((one, index) =>
      lines.slice(index + 1).flatMap((other) => {
        const width = Math.min(one.rect.right, other.rect.right) - Math.max(one.rect.left, other.rect.left);
        const height = Math.min(one.rect.bottom, other.rect.bottom) - Math.max(one.rect.top, other.rect.top);
        const least = Math.min(one.rect.height, other.rect.height);
        if (one.node === other.node || width <= 3 || height <= least * 0.4) return [];
        return [`“${one.text}” and “${other.text}” overlap by ${Math.round(width)} px`];
      }),
    );
    return [...(sideways > 0 ? [`scrolls sideways by ${sideways} px`] : []), ...new Set(overlaps)];
  });
}
