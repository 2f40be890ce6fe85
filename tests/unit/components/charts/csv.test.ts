import { expect, test } from "vitest";
import { csvCell } from "@/components/charts/csv";

test("a cell is never a formula, and quotes what needs quoting", () => {
  expect(csvCell("=1+1")).toBe("'=1+1");
  expect(csvCell("@x")).toBe("'@x");
  expect(csvCell("+1")).toBe("'+1");
  expect(csvCell("-cmd")).toBe("'-cmd");
  for (const first of ["\0", "\t", "＝", "＋", "－", "＠"]) expect(csvCell(`${first}1`)).toBe(`'${first}1`);
  expect(csvCell("\n1")).toBe(`"'\n1"`);
  expect(csvCell("-2+3+cmd|' /C calc'!A0")).toBe("'-2+3+cmd|' /C calc'!A0");
  expect(csvCell("-1.5")).toBe("-1.5");
  expect(csvCell('a "b", c')).toBe('"a ""b"", c"');
  expect(csvCell("two\nlines")).toBe('"two\nlines"');
  expect(csvCell(12)).toBe("12");
});
