import { z } from "zod";
import { planEntry } from "@/lib/config/file-schema";
import { accountLimitsShown } from "./limit-use";
import { listOf } from "./list-of";

/** POST /api/admin/plans; without an id it gets the next one. */
export const createPlanRequest = planEntry.partial({ id: true });

/** PATCH /api/admin/plans/{id}. */
export const updatePlanRequest = planEntry.omit({ id: true });

/** A plan. Source: docs/contract.md#s3. */
export const planRecord = z.object({
  id: z.int(),
  name: z.string(),
  qps: z.int().nullable(),
  rpm: z.int().nullable(),
  tpm: z.int().nullable(),
  concurrent: z.int().nullable().describe("Calls of one key at once"),
  accountLimits: accountLimitsShown,
  keyQuotaCents: z.number(),
  selfService: z.boolean(),
});

/** A plan as admins see it. */
export const adminPlanRecord = planRecord.extend({ managedByFile: z.boolean() });

/** A plan with how many keys and accounts have it. */
export const adminPlanView = adminPlanRecord.extend({
  keyCount: z.int(),
  userCount: z.int().describe("Accounts, deleted ones too"),
  currentUserCount: z.int().describe("Accounts that are not deleted"),
});

/** GET /api/admin/plans/refusals: plans of which no account was refused are left out. */
export const planRefusals = z.object({
  planId: z.int(),
  refusedUserCount: z.int().describe("Accounts of which a call with a key of the plan got RATE_LIMITED"),
});

/** GET /api/user/plans. */
export const plansResponse = listOf(planRecord.extend({ current: z.boolean() }));
