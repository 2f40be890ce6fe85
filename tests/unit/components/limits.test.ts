import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { KeyLimits, KeyRecord } from "@/components/api/types";
import { limits as text } from "@/components/i18n/en/limits";
import { LanguageProvider } from "@/components/i18n/provider";
import { AccountLimits } from "@/components/limits/account-limits";
import { KeyBudgets } from "@/components/limits/key-budgets";
import { LimitMeters } from "@/components/limits/limit-meters";

/** The page of the limits of a usable key. */
function render(given: Partial<KeyLimits>): string {
  const limits = { budgets: [], ...given };
  const apiKey = { status: "active", quota: 100, usedQuota: 0, expiresAt: null } as KeyRecord;
  const children = [
    createElement(LimitMeters, { key: "key", apiKey, limits: limits as KeyLimits }),
    createElement(AccountLimits, { key: "account", account: limits.account ?? null }),
    createElement(KeyBudgets, { key: "budgets", budgets: limits.budgets }),
  ];
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

/** Source: docs/contract.md#account-limits. */
test("the limits of the account are shown beside those of the key, and decide about the next request", () => {
  const none = { limit: null, used: 0, resetMs: 0 };
  const html = render({
    qps: none,
    rpm: none,
    tpm: none,
    concurrent: { limit: 5, used: 1 },
    account: {
      rpm: { limit: 30, used: 30, resetMs: 4_000 },
      concurrent: { limit: 8, used: 3 },
      keys: { limit: 10, used: 4 },
    },
  });
  const words = wordsOf(html);
  expect(words).toContain("of your account is used up.");
  expect(words).toContain("|Calls at once|1 of 5|");
  expect(words).toContain("|Your account, over all keys|");
  expect(words).toContain("|Calls at once|3 of 8|");
  expect(words).toContain("|Number of keys|4 of 10|");
  expect(html.match(/role="meter"/g)).toHaveLength(4);
});

test("a call that would be one too many at once is told to wait for another one", () => {
  const none = { limit: null, used: 0, resetMs: 0 };
  const limits = { qps: none, rpm: none, tpm: none, concurrent: { limit: 2, used: 2 } };
  expect(wordsOf(render(limits))).toContain("|The next request has to wait until a running one ends.|");
});

/** Source: docs/budgets.md#told. */
test("rules by period are meters, but for those that others use too, and one that is used up is told first", () => {
  const none = { limit: null, used: 0, resetMs: 0 };
  const rule = { unit: "money", period: "month", mode: "stop", models: null } as const;
  const resetsAt = "2026-12-01T00:00:00+08:00";
  const html = render({
    qps: none,
    rpm: none,
    tpm: none,
    budgets: [
      { ...rule, name: "Mine", scope: "key", limit: 1_000, used: 900, held: 100, remaining: 0, resetsAt },
      { ...rule, name: "All", scope: "platform", limit: 5_000, resetsAt },
      {
        ...rule,
        name: "Calls",
        scope: "plan",
        unit: "requests",
        period: "total",
        mode: "warn",
        models: ["small"],
        limit: null,
        used: 1,
        held: 0,
        remaining: null,
        resetsAt: null,
      },
    ],
  });
  expect(html.match(/role="meter"/g)).toHaveLength(1);
  expect(html).toContain('aria-valuenow="100"');
  const words = wordsOf(html);
  expect(words).toContain("|The next request may be refused: the budget Mine is used up.|");
  expect(words).toContain("|Mine|¥9.00 of ¥10.00 a month|");
  expect(words).toContain(
    "|Of this key · Starts again on Nov 30, 2026, 16:00 · ¥1.00 reserved by running requests|",
  );
  expect(words).toContain("|All|¥50.00 a month|");
  expect(words).toContain(
    "|Calls|1 request used|Of the plan · No limit for it · Only small · Refuses nothing|",
  );
});
