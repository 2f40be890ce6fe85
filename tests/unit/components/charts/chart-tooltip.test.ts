import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ChartTooltip } from "@/components/charts/chart-tooltip";
import type { ChartWords } from "@/components/charts/stacked-bars";
import { makeFormat } from "@/components/i18n/format";

test("amounts of a tooltip have every digit, and the same number of decimals", () => {
  const format = makeFormat("en", "UTC", "full");
  const words = {
    ...{ range: () => "", percent: format.percent, more: String, total: "Total", inProgress: "" },
    full: format.exactColumn,
  } as unknown as ChartWords;
  const values = { a: "271.1896411", b: "15.527589" };
  const bucket = { startMs: 0, endMs: 1, partial: false, values, total: "286.7172301" };
  const series = Object.keys(values).map((id) => ({ id, name: id, color: "", total: "0", share: 0 }));
  const html = renderToStaticMarkup(createElement(ChartTooltip, { bucket, series, words }));
  expect(html.match(/¥[\d.]+/g)).toEqual(["¥2.867172301", "¥2.711896411", "¥0.155275890"]);
});
