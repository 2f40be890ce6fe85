import { expect, test } from "vitest";
import { diffOf, shortValue } from "@/components/admin/audit/diff";

test("only what differs is shown, nested members by their path, times of change left out", () => {
  const before = { name: "a", timeouts: { idleMs: 1, totalMs: 2 }, updatedAt: "x", tags: ["p"] };
  const after = { name: "a", timeouts: { idleMs: 1, totalMs: 3 }, updatedAt: "y", tags: ["p", "q"] };
  expect(diffOf(before, after)).toEqual([
    { field: "timeouts.totalMs", before: 2, after: 3 },
    { field: "tags", before: ["p"], after: ["p", "q"] },
  ]);
});

test("a new record shows every member it got, a removed one every member it had", () => {
  expect(diffOf(undefined, { id: 1 })).toEqual([{ field: "id", before: undefined, after: 1 }]);
  expect(diffOf({ id: 1 }, undefined)).toEqual([{ field: "id", before: 1, after: undefined }]);
});

test("values are told in one line", () => {
  expect([null, "text", ["a"], false].map(shortValue)).toEqual(["", "text", '["a"]', "false"]);
});
