import { expect, test } from "vitest";
import { makeFormat } from "@/components/i18n/format";

const SECOND = 1000;
const DAY = 86_400 * SECOND;
const now = Date.parse("2026-11-21T12:00:00Z");

function words(deltaMs: number, locale: "en" | "zh-CN" = "en"): string {
  return makeFormat(locale, "UTC", "compact").relative(new Date(now + deltaMs), now);
}

test("a time that has just been chosen reads as it was chosen", () => {
  expect(words(7 * DAY - 3 * SECOND)).toBe("in 7 days");
  expect(words(30 * DAY - 3 * SECOND)).toBe("in 30 days");
  expect(words(90 * DAY - 3 * SECOND)).toBe("in 3 months");
  expect(words(30 * DAY - 3 * SECOND, "zh-CN")).toBe("30 天后");
});

test("no unit is filled beyond its size", () => {
  expect(words(-59.7 * SECOND)).toBe("1 minute ago");
  expect(words(-3599 * SECOND)).toBe("1 hour ago");
  expect(words(-86_399 * SECOND)).toBe("yesterday");
  expect(words(-365 * DAY)).toBe("last year");
});

test("the moment itself is now", () => {
  expect(words(0)).toBe("now");
});
