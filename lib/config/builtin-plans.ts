import type { PlanEntry } from "./file-schema";

/** A built-in plan limits each key only. */
const perKey = { concurrent: null, accountLimits: null };

/** The plans of an installation that declares none. Source: docs/spec.md#s8, docs/contract.md#s3. */
export const builtinPlans: readonly PlanEntry[] = [
  { id: 1, name: "Free", qps: 2, rpm: 20, tpm: 40_000, keyQuotaCents: 500, selfService: true, ...perKey },
  {
    id: 2,
    name: "Starter",
    qps: 10,
    rpm: 120,
    tpm: 200_000,
    keyQuotaCents: 2_000,
    selfService: true,
    ...perKey,
  },
  {
    id: 3,
    name: "Pro",
    qps: 30,
    rpm: 600,
    tpm: 2_000_000,
    keyQuotaCents: 10_000,
    selfService: true,
    ...perKey,
  },
  {
    id: 4,
    name: "Enterprise",
    qps: null,
    rpm: null,
    tpm: null,
    keyQuotaCents: 100_000,
    selfService: false,
    ...perKey,
  },
];
