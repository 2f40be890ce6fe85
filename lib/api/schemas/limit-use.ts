import { z } from "zod";

/** One limit over time, and its present use. */
export const limitUse = z.object({ limit: z.int().nullable(), used: z.number(), resetMs: z.int() });

/** Calls at once: how many may run, and how many do run. */
export const placesUse = z.object({ limit: z.int(), used: z.int() });

/** The limits of an account over all its keys, and their present use. Source: docs/contract.md#account-limits. */
export const accountUse = z
  .object({
    qps: limitUse,
    rpm: limitUse,
    tpm: limitUse,
    concurrent: placesUse.describe("Calls at once"),
    keys: z.object({ limit: z.int(), used: z.int() }).describe("Its number of keys"),
  })
  .partial()
  .nullable()
  .describe("Of the account, over all its keys: the limits that it has; null: none");

/** The limits of an account, or of each account on a plan; null: no limit. */
export const accountLimitsShown = z
  .object({
    qps: z.int().nullable(),
    rpm: z.int().nullable(),
    tpm: z.int().nullable(),
    concurrent: z.int().nullable().describe("Calls at once"),
    keys: z.int().nullable().describe("Number of keys"),
  })
  .describe("Over all keys of an account; null: no limit");
