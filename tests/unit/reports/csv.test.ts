import { expect, test } from "vitest";
import { csvCell } from "@/lib/reports/csv";
import { csvName } from "@/lib/reports/csv-name";

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

/** Source: docs/contract.md#file-names. */
test("a file is named by the days that it covers, in the zone of the reader", () => {
  const now = new Date("2026-11-23T17:00:00Z");
  const name = (from: string | null, to: string | null, zone = "Asia/Shanghai") => {
    const moment = (text: string | null) => (text === null ? undefined : new Date(text));
    return csvName("requests", { from: moment(from), to: moment(to) }, zone, now);
  };
  const [november, end] = ["2026-10-31T16:00:00Z", "2026-11-22T16:00:00Z"];
  expect(name(november, end)).toBe("tollgate-requests-2026-11-01--2026-11-22.csv");
  expect(name(november, null)).toBe("tollgate-requests-2026-11-01--2026-11-24.csv");
  expect(name(november, "2027-01-01T00:00:00Z", "UTC")).toBe("tollgate-requests-2026-10-31--2026-11-23.csv");
  expect(name("2026-11-21T16:00:00Z", end)).toBe("tollgate-requests-2026-11-22.csv");
  expect(name(null, null)).toBe("tollgate-requests-until-2026-11-24.csv");
});
