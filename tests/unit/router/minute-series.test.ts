import { expect, test } from "vitest";
import { MinuteSeries } from "@/lib/router/minute-series";

const MINUTE = 60_000;

test("has sixty points, oldest first, zero-filled, the last one still running", () => {
  const series = new MinuteSeries();
  const now = 100 * MINUTE + 15_000;
  series.succeeded(now - 3 * MINUTE, 200);
  series.failed(now - 3 * MINUTE);
  series.succeeded(now, 100);
  series.succeeded(now, 301);
  const points = series.points(now);
  expect(points).toHaveLength(60);
  expect(points.map((point) => point.agoMs).slice(0, 2)).toEqual([
    59 * MINUTE + 15_000,
    58 * MINUTE + 15_000,
  ]);
  expect(points[59]).toEqual({ agoMs: 15_000, attemptCount: 2, failureCount: 0, averageLatencyMs: 201 });
  expect(points[56]).toMatchObject({ attemptCount: 2, failureCount: 1, averageLatencyMs: 200 });
  expect(points.filter((point) => point.attemptCount > 0)).toHaveLength(2);
  expect(points[0]).toMatchObject({ attemptCount: 0, failureCount: 0, averageLatencyMs: null });
});

test("forgets what is older than an hour, also when nothing comes any more", () => {
  const series = new MinuteSeries();
  series.failed(5 * MINUTE);
  expect(series.points(64 * MINUTE)[0]).toMatchObject({ failureCount: 1 });
  expect(series.points(65 * MINUTE).every((point) => point.attemptCount === 0)).toBe(true);
  series.succeeded(500 * MINUTE, 1);
  expect(series.points(500 * MINUTE).filter((point) => point.attemptCount > 0)).toHaveLength(1);
});

test("a minute of failures alone has no average", () => {
  const series = new MinuteSeries();
  series.failed(0);
  expect(series.points(0)[59]).toMatchObject({ attemptCount: 1, averageLatencyMs: null });
});
