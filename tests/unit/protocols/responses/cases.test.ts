import { expect, test } from "vitest";
import { sourceFiles } from "@/tests/support/source-files";

/** The known faults of other gateways that speak Responses. */
const CASES = 41;

test("every known fault of others has a test whose name begins with its number", () => {
  const named = new Set(
    sourceFiles(/^tests\/(unit|api)\/.*\.test\.ts$/).flatMap(({ text }) =>
      [...text.matchAll(/["'`]((?:R-\d\d(?:, )?)+): /g)].flatMap(([, numbers = ""]) => numbers.split(", ")),
    ),
  );
  const all = Array.from({ length: CASES }, (_, at) => `R-${String(at + 1).padStart(2, "0")}`);
  expect(all.filter((number) => !named.has(number))).toEqual([]);
});
