import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ChartTooltip } from "@/components/charts/chart-tooltip";
import type { ChartWords } from "@/components/charts/chart-words";
import { makeFormat } from "@/components/i18n/format";

function amountsOf(values: Record<string, string>, total: string): string[] | null {
  const format = makeFormat("en", "UTC", "full");
  const words = {
    range: () => "",
    percent: format.percent,
    more: String,
    total: "Total",
    inProgress: "",
    full: format.tooltipColumn,
  } as unknown as ChartWords;
  const bucket = { startMs: 0, endMs: 1, partial: false, values, total };
  const series = Object.keys(values).map((id) => ({ id, name: id, color: "", total: "0", share: 0 }));
  const html = renderToStaticMarkup(createElement(ChartTooltip, { bucket, series, words }));
  return html.match(/¥[\d.]+/g);
}

test("amounts of a tooltip have the same number of decimals, six at most unless one would have no digit", () => {
  expect(amountsOf({ a: "271.1896411", b: "15.527589" }, "286.7172301")).toEqual([
    "¥2.867172",
    "¥2.711896",
    "¥0.155276",
  ]);
  expect(amountsOf({ a: "271.5", b: "15.25" }, "286.75")).toEqual(["¥2.8675", "¥2.7150", "¥0.1525"]);
  expect(amountsOf({ a: "2.00001", b: "0.00001" }, "2.00002")).toEqual([
    "¥0.0200002",
    "¥0.0200001",
    "¥0.0000001",
  ]);
});
