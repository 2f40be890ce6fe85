import { describe, expect, test } from "vitest";
import { ClockSkews, LARGE_SKEW_MS, skewOf } from "@/lib/upstream/credentials/clock-skew";

const now = new Date("2026-11-29T12:00:00Z");
const MINUTE_MS = 60_000;

function refusal(minutes: number, errorType = "InvalidSignatureException", message = "Signature expired: x") {
  return { errorType, message, date: new Date(now.getTime() + minutes * MINUTE_MS).toUTCString() };
}

/** Source: docs/clouds.md#skew. */
describe("the skew of a host's clock", () => {
  test.each([
    [
      "InvalidSignatureException",
      "Signature expired: 20261129T114000Z is now earlier than 20261129T115500Z",
      20,
    ],
    ["InvalidSignatureException", "Signature not yet current: 20261129T124000Z is still later", -20],
    ["SignatureDoesNotMatch", "Signature expired: 20261129T114000Z", 20],
    ["RequestExpired", "", 20],
    ["com.amazon.coral.service#InvalidSignatureException", "Signature expired: x", 20],
    ["InvalidSignatureException:http://internal.amazon.com/coral/", "Signature expired: x", 20],
  ])("is read from %s with «%s»", (errorType, message, minutes) => {
    expect(skewOf(refusal(minutes, errorType, message), now)).toBe(minutes * MINUTE_MS);
    expect(Math.abs(minutes * MINUTE_MS)).toBeGreaterThan(LARGE_SKEW_MS);
  });

  test.each([
    ["InvalidSignatureException", "The request signature we calculated does not match"],
    ["ExpiredTokenException", "The security token included in the request is expired"],
    ["ValidationException", "expired"],
  ])("is not read from %s with «%s»", (errorType, message) => {
    expect(skewOf(refusal(20, errorType, message), now)).toBeNull();
  });

  test("needs a date that can be read", () => {
    expect(skewOf({ ...refusal(20), date: null }, now)).toBeNull();
    expect(skewOf({ ...refusal(20), date: "soon" }, now)).toBeNull();
    expect(skewOf({ ...refusal(20), errorType: null }, now)).toBeNull();
  });

  test("is kept for each host, and a second refusal with the same clock changes nothing", () => {
    const skews = new ClockSkews();
    expect(skews.of("a.example")).toBe(0);
    expect(skews.learn("a.example", refusal(-20), now)).toBe(-20 * MINUTE_MS);
    expect(skews.of("a.example")).toBe(-20 * MINUTE_MS);
    expect(skews.of("b.example")).toBe(0);
    expect(skews.learn("a.example", refusal(-20), now)).toBeNull();
    expect(skews.learn("a.example", refusal(0), now)).toBe(0);
    expect(skews.of("a.example")).toBe(0);
  });

  test("does not matter where the clocks agree", () => {
    expect(new ClockSkews().learn("a.example", refusal(0), now)).toBeNull();
  });
});
