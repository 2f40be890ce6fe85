import { describe, expect, test } from "vitest";
import { sortedRows } from "@/components/lists/row-order";
import { comparing } from "@/lib/shared/collate";
import { sourceFiles } from "@/tests/support/source-files";

/** Source: docs/dashboard.md#same-text. */
describe("pages draw the same text on the server and in every browser", () => {
  test("equal rows stand in the order of the language of the page", () => {
    const rows = ["demo-b", "未知模型", "demo-a"];
    const sorted = (locale: "en" | "zh-CN") =>
      sortedRows(
        rows,
        () => 0,
        "desc",
        (row) => row,
        comparing(locale),
      );
    expect(sorted("en")).toEqual(["demo-a", "demo-b", "未知模型"]);
    expect(sorted("zh-CN")).toEqual(["未知模型", "demo-a", "demo-b"]);
  });

  test("nothing is sorted or written in the language of the process or the browser", () => {
    // A zone is asked of the browser after it has taken the page over.
    const own =
      /\.localeCompare\(|\.toLocale\w+\(\s*\)|Intl\.\w+\((\s*\)|undefined)(?!\.resolvedOptions\(\)\.timeZone)/;
    const found = sourceFiles(/^(components|app)\/.*\.tsx?$/).flatMap(({ path, text }) =>
      text
        .split("\n")
        .flatMap((line, index) => (own.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
    );
    expect(found).toEqual([]);
  });
});
