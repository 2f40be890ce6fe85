import { expect } from "@playwright/test";
import { callModel, makeKey, test } from "./support/member";

test("the amounts of a column have their decimal points in one line, and every digit in the tooltip", async ({
  page,
  request,
  member,
}) => {
  const { secret } = await makeKey(request, member);
  for (const max_tokens of [5, 400]) await callModel(request, secret, { max_tokens });
  await callModel(request, secret, { model: "demo-messages" });
  for (const path of ["/console/logs", "/console/usage", "/console/billing"]) {
    await page.goto(path);
    const amounts = page.locator("table td span[title^='¥'], table td span[title^='−¥']");
    await expect(amounts.first()).toBeVisible();
    const shown = await amounts.evaluateAll((spans) =>
      spans.map((span) => ({
        column: span.closest("td")?.cellIndex,
        decimals: span.textContent?.split(".")[1]?.length,
        figures: getComputedStyle(span).fontVariantNumeric,
        right: span.getBoundingClientRect().right,
      })),
    );
    for (const column of new Set(shown.map((amount) => amount.column))) {
      const same = shown.filter((amount) => amount.column === column);
      expect(same.length, path).toBeGreaterThan(1);
      for (const name of ["decimals", "figures", "right"] as const)
        expect(new Set(same.map((amount) => amount[name])).size, `${path}: ${name}`).toBe(1);
      expect(same[0]?.figures).toContain("tabular-nums");
    }
  }
});
