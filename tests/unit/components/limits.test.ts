import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { KeyLimits, KeyRecord } from "@/components/api/types";
import { limits as text } from "@/components/i18n/en/limits";
import { LanguageProvider } from "@/components/i18n/provider";
import { LimitMeters } from "@/components/limits/limit-meters";

/** The page of the limits of a usable key. */
function render(limits: Pick<KeyLimits, "qps" | "rpm" | "tpm">): string {
  const apiKey = { status: "active", quota: 100, usedQuota: 0, expiresAt: null } as KeyRecord;
  const children = createElement(LimitMeters, { apiKey, limits: limits as KeyLimits });
  const language = {
    locale: "en",
    timeZone: "UTC",
    numbers: "full",
    renderedAtMs: 0,
    isPhone: false,
  } as const;
  return renderToStaticMarkup(
    createElement(LanguageProvider, { ...language, messages: { limits: text }, children }),
  );
}

/** The words of a page, one element's apart from the next. */
const wordsOf = (html: string) => html.replace(/<[^>]+>/g, "|").replace(/\|+/g, "|");

test("what has no limit is told in words, without a meter", () => {
  const html = render({
    qps: { limit: null, used: 0, resetMs: 0 },
    rpm: { limit: 20, used: 3, resetMs: 4_000 },
    tpm: { limit: null, used: 1_200, resetMs: 4_000 },
  });
  expect(html.match(/role="meter"/g)).toHaveLength(1);
  const words = wordsOf(html);
  expect(words).toContain("|No limit on requests a second|");
  expect(words).toContain("|No limit on tokens a minute| · 1,200 used|");
  expect(words).toContain("|3 of 20|");
});

test("a plan without any limit says so once", () => {
  const none = { limit: null, used: 5, resetMs: 0 };
  const html = render({ qps: none, rpm: none, tpm: none });
  expect(html).not.toContain('role="meter"');
  expect(wordsOf(html)).toBe("|The next request may start now.|No rate limits|");
});
