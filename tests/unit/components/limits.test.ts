import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { KeyLimits, KeyRecord } from "@/components/api/types";
import { limits as text } from "@/components/i18n/en/limits";
import { LanguageProvider } from "@/components/i18n/provider";
import { LimitMeters } from "@/components/limits/limit-meters";

test("what has no limit is told in words, without a meter", () => {
  const apiKey = { status: "active", quota: 100, usedQuota: 0, expiresAt: null } as KeyRecord;
  const limits = {
    qps: { limit: null, used: 0, resetMs: 0 },
    rpm: { limit: 20, used: 3, resetMs: 4_000 },
    tpm: { limit: null, used: 1_200, resetMs: 4_000 },
  } as KeyLimits;
  const children = createElement(LimitMeters, { apiKey, limits });
  const language = {
    locale: "en",
    timeZone: "UTC",
    numbers: "full",
    renderedAtMs: 0,
    isPhone: false,
  } as const;
  const html = renderToStaticMarkup(
    createElement(LanguageProvider, { ...language, messages: { limits: text }, children }),
  );
  expect(html.match(/role="meter"/g)).toHaveLength(1);
  const words = html.replace(/<[^>]+>/g, "|").replace(/\|+/g, "|");
  expect(words).toContain("|No limit on requests a second|");
  expect(words).toContain("|No limit on tokens a minute| · 1,200 used|");
  expect(words).toContain("|3 of 20|");
});
