import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { GatewayError } from "@/lib/kernel/errors";
import type { RefusalName } from "@/lib/kernel/refusals";
import { Refusals } from "@/lib/ops/refusals";

let counted: RefusalName[];
let lines: unknown[];
let refusals: Refusals;

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-29T12:00:00Z") });
  counted = [];
  lines = [];
  refusals = new Refusals({
    count: (reason) => counted.push(reason),
    warn: ({ refused }) => lines.push(refused),
    date: () => new Date(),
  });
});
afterEach(() => {
  refusals.stop();
  vi.useRealTimers();
});

const add = (name: RefusalName, times: number) => {
  for (let time = 0; time < times; time += 1) refusals.add(name);
};

test("every refusal is counted, and the log gets at most one line a second, with all of them", () => {
  add("overload", 100);
  add("key-lookup", 3);
  vi.advanceTimersByTime(999);
  expect(lines).toEqual([{ overload: 1 }]);
  vi.advanceTimersByTime(1);
  expect(lines).toEqual([{ overload: 1 }, { overload: 99, "key-lookup": 3 }]);
  add("overload", 2);
  vi.advanceTimersByTime(5_000);
  expect(lines).toEqual([{ overload: 1 }, { overload: 99, "key-lookup": 3 }, { overload: 2 }]);
  expect(counted).toHaveLength(105);
});

test("what has no line yet when the process ends is written then", () => {
  add("reports", 4);
  refusals.stop();
  expect(lines).toEqual([{ reports: 1 }, { reports: 3 }]);
  vi.advanceTimersByTime(5_000);
  expect(lines).toHaveLength(2);
});

test("a caller's own doing is counted without a line", () => {
  refusals.sent(new GatewayError("RATE_LIMITED", "too many"));
  refusals.sent(new GatewayError("QUOTA_EXCEEDED", "used up"));
  vi.advanceTimersByTime(5_000);
  expect(lines).toEqual([]);
  expect(counted).toEqual(["rate-limits", "quota"]);
});

test("an error is counted under its own reason, else under that of its code; mistakes are no refusals", () => {
  refusals.sent(new GatewayError("NO_AVAILABLE_NODE", "busy", { refusal: "database-busy" }));
  refusals.sent(new GatewayError("NO_AVAILABLE_NODE", "none"));
  refusals.sent(new GatewayError("INTERNAL_ERROR", "broken"));
  refusals.sent(new GatewayError("INVALID_REQUEST", "bad"));
  refusals.sent(new GatewayError("INVALID_API_KEY", "unknown"));
  refusals.sent(new GatewayError("UPSTREAM_ERROR", "its fault"));
  expect(counted).toEqual(["database-busy", "no-node", "malfunction"]);
});

test("what was refused in the last hour is told by reason, the most frequent first", () => {
  add("overload", 2);
  vi.advanceTimersByTime(30 * 60_000);
  add("overload", 1);
  add("pages", 5);
  expect(refusals.recent()).toEqual([
    { reason: "pages", count: 5, last: new Date("2026-11-29T12:30:00Z") },
    { reason: "overload", count: 3, last: new Date("2026-11-29T12:30:00Z") },
  ]);
  vi.advanceTimersByTime(30 * 60_000);
  expect(refusals.recent().map(({ reason, count }) => [reason, count])).toEqual([
    ["pages", 5],
    ["overload", 1],
  ]);
  vi.advanceTimersByTime(30 * 60_000);
  expect(refusals.recent()).toEqual([]);
});
