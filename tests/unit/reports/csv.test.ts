import { expect, test } from "vitest";
import { csvCell } from "@/lib/reports/csv";

/** Source: docs/reliability.md#r-143. */
test.each([
  ["plain", "plain"],
  ['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
  ["+1", "'+1"],
  ["-1", "'-1"],
  ["@x", "'@x"],
  ["\tx", "'\tx"],
  ["\0x", "'\0x"],
  ["\nx", `"'\nx"`],
  ["＝1", "'＝1"],
  ["＋1", "'＋1"],
  ["－1", "'－1"],
  ["＠x", "'＠x"],
  ["a,b", '"a,b"'],
  ["two\nlines", '"two\nlines"'],
  ["\rx", `"'\rx"`],
  ['say "hi"', '"say ""hi"""'],
  ["", ""],
])("the cell %j becomes %j", (text, cell) => expect(csvCell(text)).toBe(cell));
