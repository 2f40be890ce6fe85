import { expect, test } from "vitest";
import { hasPageAfter } from "@/components/lists/pages";

const rows = (count: number) => Array.from({ length: count }, (_, row) => row);

test("a list whose number of rows is known ends with its last page", () => {
  expect(hasPageAfter({ data: rows(50), total: 101 }, 2, 50)).toBe(true);
  expect(hasPageAfter({ data: rows(50), total: 100 }, 2, 50)).toBe(false);
  expect(hasPageAfter({ data: [], total: 0 }, 1, 50)).toBe(false);
});

/** Source: docs/contract.md#s5 (lists): `total` is null above 10,000. */
test("a list that is too long to be counted goes on as long as its pages are full", () => {
  expect(hasPageAfter({ data: rows(50), total: null }, 200, 50)).toBe(true);
  expect(hasPageAfter({ data: rows(49), total: null }, 201, 50)).toBe(false);
});

test("a list that is sent as a whole has one page", () => {
  expect(hasPageAfter({ data: rows(50) }, 1, 50)).toBe(false);
});
