import fc from "fast-check";
import type { ModelCost, ModelNeeds, ModelRule } from "./budget-model";

/** The most rules that a request meets. Source: docs/budgets.md#rule. */
export const MOST_RULES = 24;

/** The sets of rules of one history. */
const SETS = 3;

const PERIODS = ["day", "week", "month", "quarter", "year", "total"] as const;

const ZONES = ["UTC", "Asia/Shanghai", "America/Havana", "Pacific/Apia", "Australia/Lord_Howe"] as const;

/** A rule before it is written. */
export interface DeclaredRule extends Pick<ModelRule, "unit" | "mode" | "limit"> {
  period: (typeof PERIODS)[number];
  timeZone: string;
  /** Its counter is that of the account, not a common one. */
  ofMember: boolean;
}

/** The rules of a history, and which of them the requests of each set meet. */
export interface Declared {
  rules: DeclaredRule[];
  sets: number[][];
}

const amount = fc.bigInt({ min: 0n, max: 40n });

/** Between so many rules of all kinds, and the sets of them. */
export function anyRules(least: number, most: number): fc.Arbitrary<Declared> {
  const rule: fc.Arbitrary<DeclaredRule> = fc.record({
    unit: fc.constantFrom("money" as const, "tokens" as const, "requests" as const),
    mode: fc.constantFrom("stop" as const, "hard" as const, "warn" as const),
    limit: fc.bigInt({ min: 0n, max: 100n }),
    period: fc.constantFrom(...PERIODS),
    timeZone: fc.constantFrom(...ZONES),
    ofMember: fc.boolean(),
  });
  return fc.array(rule, { minLength: least, maxLength: most }).chain((rules) => {
    const set = fc.uniqueArray(fc.nat(rules.length - 1), { maxLength: rules.length });
    return fc.array(set, { minLength: SETS, maxLength: SETS }).map((sets) => ({ rules, sets }));
  });
}

const anyNeeds: fc.Arbitrary<ModelNeeds> = fc.record({
  mostMicroCents: amount,
  expectedMicroCents: amount,
  mostTokens: amount,
  expectedTokens: amount,
});
const anyCost: fc.Arbitrary<ModelCost> = fc.record({
  microCents: amount,
  tokens: amount,
  billed: fc.boolean(),
});
const one = <K extends string>(name: K) => fc.constant(name);
const request = fc.nat(60);
const rule = fc.nat(MOST_RULES - 1);
/** A set behind the last one has no rules. */
const anyWork = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: one("hold"), set: fc.nat(SETS), needs: anyNeeds }) },
  { weight: 2, arbitrary: fc.record({ do: one("settle"), request, cost: anyCost }) },
);

/** A hold, or a settlement of a request that was held, perhaps once more or after its hold has ended. */
export type Work = typeof anyWork extends fc.Arbitrary<infer T> ? T : never;

/** One step of a history; rules and requests are counted on from the last one to the first. */
export const anyStep = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: one("batch"),
      work: fc.array(anyWork, { minLength: 1, maxLength: 8 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: one("release"), request }) },
  { weight: 1, arbitrary: fc.record({ do: one("expire"), request }) },
  { weight: 1, arbitrary: fc.record({ do: one("crash") }) },
  { weight: 2, arbitrary: fc.record({ do: one("turn"), rule }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: one("limit"), rule, limit: fc.bigInt({ min: 0n, max: 200n }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: one("extra"), rule, extra: amount }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: one("exception"),
      rule,
      limit: fc.oneof(amount, fc.constant(null), fc.constant(undefined)),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: one("mode"),
      rule,
      mode: fc.constantFrom("stop" as const, "warn" as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: one("enabled"), rule, enabled: fc.boolean() }) },
);

export type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;
