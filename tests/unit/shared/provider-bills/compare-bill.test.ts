import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromScaled } from "@/lib/shared/decimal";
import { modelKey } from "@/lib/shared/model-names";
import type { BillRow, ProviderBill } from "@/lib/shared/provider-bills/bill";
import type { Cause } from "@/lib/shared/provider-bills/bill-causes";
import { compareBill } from "@/lib/shared/provider-bills/compare-bill";
import type { OurDay } from "@/lib/shared/provider-bills/our-days";

const [monday, tuesday, wednesday] = ["2026-11-16", "2026-11-17", "2026-11-18"];
const million = 1_000_000;

function theirs(told: Partial<BillRow>): BillRow {
  return {
    day: monday,
    model: "gpt-5.2-2025-12-11",
    inputTokens: null,
    cachedInputTokens: null,
    cacheWriteTokens: null,
    outputTokens: null,
    requests: null,
    amount: null,
    ...told,
  };
}

function ours(told: Partial<OurDay>): OurDay {
  return {
    day: monday,
    nodeId: "a",
    model: "gpt-main",
    upstreamModels: ["gpt-5.2"],
    attemptCount: 10,
    failureCount: 0,
    costedCount: 10,
    promptTokens: 0,
    completionTokens: 0,
    cost: null,
    ...told,
  };
}

function billOf(rows: BillRow[]): ProviderBill {
  const money = rows.some(({ amount }) => amount !== null);
  const tokens = rows.some(({ inputTokens }) => inputTokens !== null);
  return { vendor: "openai", unit: { tokens, money }, currency: money ? "USD" : null, rows, leftOut: 0 };
}

const causesOf = (bill: BillRow[], own: OurDay[], rate: string | null = "7"): Cause[] =>
  compareBill(billOf(bill), own, { rate })
    .rows.map(({ cause }) => cause)
    .reverse();

const equal = { kind: "equal" } as const;
const used = (inputTokens: number, amount: string | null = null, day = monday) =>
  theirs({ day, inputTokens, outputTokens: 0, amount });
const asked = (promptTokens: number, cost: string | null = null, day = monday) =>
  ours({ day, promptTokens, cost });

/** Source: docs/prices.md#bill-causes. */
describe("the cause of a difference", () => {
  test.each<[string, BillRow[], OurDay[], Cause[]]>([
    ["none", [used(million, "2")], [asked(million, "1400")], [equal]],
    ["none within half a percent", [used(million, "2")], [asked(995_001, "1393.1")], [equal]],
    ["none within a cent", [used(1_000, "0.001")], [asked(1_000, "1.5")], [equal]],
    ["none where the bill has tokens alone", [used(million)], [asked(million)], [equal]],
    ["the model was not called here", [used(million, "2")], [], [{ kind: "notHere" }]],
    ["nor another line", [theirs({ model: "web search", amount: "0.001" })], [], [{ kind: "notHere" }]],
    ["the bill does not name the model", [], [asked(million)], [{ kind: "missingThere" }]],
    [
      "prices",
      [used(million, "2")],
      [asked(million, "700")],
      [{ kind: "price", theirs: "1400", ours: "700" }],
    ],
    [
      "more tokens there",
      [used(million), used(million, null, tuesday)],
      [asked(million), asked(400_000, null, tuesday)],
      [equal, { kind: "tokens", more: "there", tokens: 600_000 }],
    ],
    [
      "more tokens here",
      [used(million)],
      [asked(3 * million)],
      [{ kind: "tokens", more: "here", tokens: 2 * million }],
    ],
    [
      "none here on a day",
      [used(million), used(1_000, null, tuesday)],
      [asked(million)],
      [equal, { kind: "tokens", more: "there", tokens: 1_000 }],
    ],
    [
      "days of another time zone",
      [used(700), used(1_300, null, tuesday), used(500, null, wednesday)],
      [asked(1_000), asked(1_000, null, tuesday), asked(500, null, wednesday)],
      [{ kind: "dayEdge", from: monday, to: tuesday }, { kind: "dayEdge", from: monday, to: tuesday }, equal],
    ],
    [
      "the same of amounts",
      [theirs({ amount: "1" }), theirs({ amount: "3", day: tuesday })],
      [asked(1, "1400"), asked(1, "1400", tuesday)],
      [
        { kind: "dayEdge", from: monday, to: tuesday },
        { kind: "dayEdge", from: monday, to: tuesday },
      ],
    ],
    [
      "amounts, where the bill tells no tokens",
      [theirs({ amount: "1" })],
      [asked(million, "1400")],
      [{ kind: "amount" }],
    ],
    [
      "no cost of the route",
      [used(million, "2")],
      [ours({ promptTokens: million, costedCount: 0 })],
      [{ kind: "noCost", requests: 10 }],
    ],
    [
      "no cost of some requests",
      [used(million, "2")],
      [ours({ promptTokens: million, cost: "700", costedCount: 5 })],
      [{ kind: "noCost", requests: 5 }],
    ],
  ])("is %s", (_name, bill, own, causes) => {
    expect(causesOf(bill, own)).toEqual(causes);
  });

  test("is the currency while no rate is typed, where the tokens agree", () => {
    expect(causesOf([used(million, "2")], [asked(million, "1400")], null)).toEqual([{ kind: "currency" }]);
    expect(causesOf([used(9, "2")], [asked(million, "1400")], null)).toMatchObject([{ kind: "tokens" }]);
    expect(causesOf([used(million)], [asked(million)], null)).toEqual([equal]);
  });
});

describe("a comparison", () => {
  test("finds the models of a bill by the names of routes, whatever their date, provider and order of words", () => {
    for (const [vendor, upstream] of [
      ["gpt-5.2-2025-12-11", "gpt-5.2"],
      ["claude-sonnet-4-5-20250929", "claude-sonnet-4-5"],
      ["Claude Haiku 3.5", "claude-3-5-haiku-20241022"],
      ["anthropic/claude-sonnet-4.5", "claude-sonnet-4-5@20250929"],
      ["gpt-4.1-0414", "gpt-4.1"],
      ["claude-3-5-haiku-20241022", "claude-3-5-haiku-latest"],
    ] as const)
      expect(modelKey(vendor), vendor).toBe(modelKey(upstream));
    for (const [one, other] of [
      ["gpt-5.2", "gpt-5.2-mini"],
      ["gpt-4o", "gpt-4"],
      ["openai/gpt-oss-120b", "openai/gpt-oss-120b:free"],
    ] as const)
      expect(modelKey(one)).not.toBe(modelKey(other));
  });

  test("adds up aliases and nodes of one model; an alias with two models makes them one row", () => {
    const bill = billOf([
      theirs({ inputTokens: 30, outputTokens: 3 }),
      theirs({ model: "gpt-5.2-mini", inputTokens: 70, outputTokens: 7, cachedInputTokens: 9 }),
    ]);
    const own = [
      ours({ promptTokens: 10, completionTokens: 1 }),
      ours({ model: "other", nodeId: "b", promptTokens: 10, completionTokens: 1 }),
      ours({
        model: "both",
        upstreamModels: ["gpt-5.2-mini", "gpt-5.2"],
        promptTokens: 80,
        completionTokens: 8,
      }),
    ];
    const { rows } = compareBill(bill, own, { rate: null });
    expect(rows).toMatchObject([
      {
        model: "gpt-5.2-mini",
        aliases: ["both", "gpt-main", "other"],
        theirs: { inputTokens: 100, outputTokens: 10, cachedInputTokens: 9 },
        ours: { inputTokens: 100, outputTokens: 10 },
        cause: equal,
      },
    ]);
  });

  test("is exact to the last digit, and adds up what is known", () => {
    const bill = billOf([used(1, "0.1"), used(2, "0.2", tuesday), theirs({ model: "other", amount: "1" })]);
    const own = [
      asked(1, "70.000001"),
      asked(2, "140", tuesday),
      ours({ model: "gone", upstreamModels: [] }),
    ];
    const { rows, totals } = compareBill(bill, own, { rate: "7" });
    expect(rows.map(({ day, model, difference }) => [day, model, difference.cents])).toEqual([
      [tuesday, "gpt-5.2-2025-12-11", "0"],
      [monday, "gone", null],
      [monday, "gpt-5.2-2025-12-11", "-0.000001"],
      [monday, "other", "700"],
    ]);
    expect(totals).toEqual({
      theirs: { tokens: 3, cents: "910" },
      ours: { tokens: 3, cents: "210.000001" },
      difference: { tokens: 0, cents: "699.999999" },
    });
  });

  test("leaves out lines with nothing but zeros", () => {
    const bill = billOf([theirs({ amount: "0", inputTokens: 0, outputTokens: 0 })]);
    expect(compareBill(bill, [ours({ attemptCount: 2, failureCount: 2 })], { rate: "7" }).rows).toEqual([]);
  });

  test("of a bill with what it was made of has no differences", () => {
    const models = ["gpt-5.2", "gpt-5.2-mini", "o3"];
    const anyDay = fc.record({
      day: fc.constantFrom(monday, tuesday, wednesday),
      upstream: fc.constantFrom(...models),
      nodeId: fc.constantFrom("a", "b"),
      promptTokens: fc.nat(1e9),
      completionTokens: fc.nat(1e9),
      microCents: fc.bigInt(0n, 10n ** 15n),
    });
    fc.assert(
      fc.property(fc.array(anyDay), fc.boolean(), fc.boolean(), (days, hasTokens, hasMoney) => {
        const own = days.map(({ upstream, microCents, ...day }) =>
          ours({
            ...day,
            model: `our-${upstream}`,
            upstreamModels: [upstream],
            cost: fromScaled(microCents * 10n ** 6n),
          }),
        );
        const rows = days.map(({ day, upstream, promptTokens, completionTokens, microCents }) =>
          theirs({
            day,
            model: `${upstream}-2026-01-01`,
            ...(hasTokens && { inputTokens: promptTokens, outputTokens: completionTokens }),
            ...(hasMoney && { amount: fromScaled(microCents * 10n ** 4n) }),
          }),
        );
        const { rows: compared, totals } = compareBill(billOf(rows), own, { rate: "1" });
        if (!hasTokens && !hasMoney) return;
        expect(compared.filter(({ cause }) => cause.kind !== "equal")).toEqual([]);
        if (hasTokens && days.length > 0) expect(totals.difference.tokens ?? 0).toBe(0);
        if (hasMoney && compared.length > 0) expect(totals.difference.cents).toBe("0");
      }),
    );
  });
});
