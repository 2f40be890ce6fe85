import { expect, test } from "vitest";
import { isAmbiguous, sqlState } from "@/lib/db/database-error";
import { onlyRow, readRows } from "@/lib/db/rows";

/** A result with what the driver says of it. */
function resultOf(rows: unknown[], count: number | null, columns: unknown[] | null): unknown {
  return Object.assign(rows, { count, columns });
}

const columns = [{ name: "one" }];

/** Source: docs/reliability.md#s2-13. */
test.each<[string, unknown]>([
  ["holes before its rows", resultOf(Object.assign(new Array(2), { 1: { one: 1 } }), 1, columns)],
  ["holes and no count", Object.assign(new Array(2), { 1: { one: 1 } })],
  ["a row that is undefined", [undefined]],
  ["a row that is null", [null]],
  ["a row that is text", ["1"]],
  ["fewer rows than the database sent", resultOf([], 1, columns)],
  ["more rows than the database sent", resultOf([{ one: 1 }, { one: 1 }], 1, columns)],
  ["no list", { one: 1 }],
  ["nothing", undefined],
])("a result with %s is an error of unknown outcome, and never no row", (_what, result) => {
  let thrown: unknown = null;
  try {
    readRows(result);
  } catch (error) {
    thrown = error;
  }
  expect(String(thrown)).toContain("malformed result");
  expect(isAmbiguous(thrown)).toBe(true);
});

test.each<[string, unknown, unknown[]]>([
  ["rows", resultOf([{ one: 1 }], 1, columns), [{ one: 1 }]],
  ["no row", resultOf([], 0, columns), []],
  ["rows as lists", resultOf([[1], [2]], 2, columns), [[1], [2]]],
  ["changed rows that were not asked for", resultOf([], 3, []), []],
  ["an answer without a number", resultOf([{ timeout: "2s" }], null, columns), [{ timeout: "2s" }]],
])("a result with %s is read as it is", (_what, result, rows) => {
  expect(readRows(result)).toEqual(rows);
});

test("a count without its row, or with two, is an error and never zero", () => {
  expect(onlyRow([{ total: 3 }])).toEqual({ total: 3 });
  expect(() => onlyRow([])).toThrow("0 rows came where there is always one");
  expect(() => onlyRow([{ total: 3 }, { total: 4 }])).toThrow("2 rows came");
});

test.each(["EPIPE", "ECONNRESET", "EPERM"])("%s is the code of a lost connection and no SQLSTATE", (code) => {
  const error = Object.assign(new Error("write failed"), { code });
  expect(sqlState(error)).toBeNull();
  expect(isAmbiguous(error)).toBe(true);
});

test.each(["57014", "XX000", "P0001", "42P01", "HV00B"])("%s is an SQLSTATE", (code) => {
  expect(sqlState(Object.assign(new Error("said no"), { code }))).toBe(code);
});
