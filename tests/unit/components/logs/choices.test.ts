import { expect, test } from "vitest";
import { countOutcomes, errorRateOf } from "@/components/logs/choices";

/** Source: docs/dashboard.md#outcomes. */
test("the error rate is the share of requests that failed or were refused", () => {
  const errors = { UPSTREAM_ERROR: 2, NO_AVAILABLE_NODE: 1, RATE_LIMITED: 4, INVALID_REQUEST: 3 };
  expect(countOutcomes(errors)).toEqual({ failed: 3, refused: 7 });
  expect(errorRateOf({ requestCount: 40, errors })).toBe(0.25);
  expect(errorRateOf({ requestCount: 0, errors: {} })).toBe(0);
});
