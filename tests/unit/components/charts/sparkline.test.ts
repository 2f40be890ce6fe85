import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Sparkline } from "@/components/charts/sparkline";

test.each([1, 7, 24, 30, 90])("%i bars are all seen, beside each other and within the picture", (count) => {
  const values = Array.from({ length: count }, (_, index) => index);
  const markup = renderToStaticMarkup(createElement(Sparkline, { values }));
  const bars = [...markup.matchAll(/<rect x="([^"]+)" y="[^"]+" width="([^"]+)"/g)].map(([, x, width]) => ({
    from: Number(x),
    to: Number(x) + Number(width),
  }));
  expect(bars).toHaveLength(count);
  for (const [index, { from, to }] of bars.entries()) {
    expect(to).toBeGreaterThan(from);
    expect(from).toBeGreaterThan(bars[index - 1]?.to ?? -1);
  }
  expect(bars.at(-1)?.to).toBeLessThanOrEqual(84.001);
});
