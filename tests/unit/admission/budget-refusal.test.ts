import { expect, test } from "vitest";
import type { KeyBudget } from "@/lib/accounts/key-budgets";
import { type AskedRefusal, budgetRefusal } from "@/lib/admission/budget-refusal";
import { NO_MEMBER } from "@/lib/db/schema/budgets";

const rule: KeyBudget = {
  id: "r",
  name: "November",
  scope: "key",
  each: "none",
  models: null,
  unit: "money",
  period: "month",
  timeZone: "Asia/Shanghai",
  limit: 500_000_000n,
  mode: "hard",
  locked: false,
  member: NO_MEMBER,
};

const refusal: AskedRefusal = {
  budgetId: "r",
  limit: 500_000_000n,
  used: 499_000_000n,
  reserved: 0n,
  resetsAtMs: Date.parse("2026-11-30T16:00:00Z"),
  need: 12_000_000n,
  now: new Date("2026-11-30T12:00:00Z"),
  contact: null,
};

const told = (of: Partial<KeyBudget>, as: Partial<AskedRefusal> = {}) =>
  budgetRefusal({ ...rule, ...of }, { ...refusal, ...as });

/** Source: docs/budgets.md#refusal. */
test.each<[string, Partial<KeyBudget>, Partial<AskedRefusal>, string]>([
  [
    "whoever can raise it",
    {},
    {},
    'The budget "November" of this key allows ¥5.00 a month; ¥4.99 are used; this request reserves up to ¥0.12. It starts again on 1 Dec 2026, 00:00 (Asia/Shanghai); a smaller output limit (max_tokens) reserves less, or raise it to go on.',
  ],
  [
    "those who run the gateway, for a rule of an admin, as they can be reached",
    { locked: true },
    { contact: "ops@example.org", resetsAtMs: null },
    'The budget "November" of this key allows ¥5.00 a month; ¥4.99 are used; this request reserves up to ¥0.12. It never starts again; a smaller output limit (max_tokens) reserves less, or ask those who run the gateway (ops@example.org) for more.',
  ],
  [
    "an owner of the project",
    { scope: "project", each: "member" },
    {},
    'The budget "November" of this project allows ¥5.00 a month for this member; ¥4.99 are used; this request reserves up to ¥0.12. It starts again on 1 Dec 2026, 00:00 (Asia/Shanghai); a smaller output limit (max_tokens) reserves less, or ask an owner of the project for more.',
  ],
])("a refusal names %s", (_name, of, as, text) => {
  expect(told(of, as).message).toBe(text);
});

test("where only running requests stand in the way, the wait is short, and a counter of all tells nothing of them", () => {
  const running = { used: 100_000_000n, reserved: 399_000_000n };
  const own = told({}, running);
  expect(own.details).toMatchObject({ retryAfterSeconds: 2, passesSoon: true });
  expect(own.message).toMatch(
    /¥1.00 are used and ¥3.99 reserved by running requests; this request reserves up to ¥0.12\. Try again once they have ended\.$/,
  );
  const shared = told({ scope: "platform" }, running);
  expect(shared.details).toMatchObject({ retryAfterSeconds: 2 });
  expect(shared.message).toBe(
    'The budget "November" of this gateway allows ¥5.00 a month, which does not cover this request now. Try again shortly.',
  );
  expect(shared.details.budget).toEqual({
    id: "r",
    name: "November",
    scope: "platform",
    unit: "money",
    period: "month",
    limit: "500",
    needed: "12",
    resetsAt: "2026-12-01T00:00:00+08:00",
  });
});

test("a wait is told up to an hour, and trying again before is no use", () => {
  expect(told({}).details).toMatchObject({ final: true });
  expect(told({}).details).not.toHaveProperty("retryAfterSeconds");
  expect(told({}, { now: new Date("2026-11-30T15:30:00Z") }).details).toMatchObject({
    final: true,
    retryAfterSeconds: 1_800,
  });
});
