import { z } from "zod";
import { accountReasons } from "@/lib/kernel/errors";
import { accountLimitsShown } from "./limit-use";
import { profile } from "./profile";

/** An account as admins see it. */
export const adminUserRecord = profile.extend({
  suspension: z
    .object({ since: z.iso.datetime().nullable().describe("Null: not known"), reason: z.string() })
    .nullable()
    .describe("Null: not suspended"),
  limitOverrides: z
    .object(accountLimitsShown.shape)
    .partial()
    .nullable()
    .describe("The account's own limits; what is absent is as its plan says"),
  costCentre: z.string().describe("Whom statements count its use for; empty: nobody"),
  invitedBy: z.string().nullable(),
  deletedAt: z.iso.datetime().nullable(),
});

/** An account on its own. */
export const adminUserView = adminUserRecord.extend({
  lastActiveAt: z.iso.datetime().nullable().describe("The last use of any of its keys"),
  keyPlanIds: z.array(z.int()).describe("The plans of its keys, each once"),
  keyCount: z.int().describe("Its keys, without deleted ones and the console key"),
  accountLimits: accountLimitsShown,
});

/** An account in a list. */
export const adminUserListed = adminUserView.extend({
  billed30d: z.string().describe("What it was billed in the last 30 days, today included: exact cents"),
});

/** PATCH of several accounts or models, POST /api/admin/users/grants: the outcome for each record, once. */
export const outcomes = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      error: z
        .object({
          code: z.string(),
          message: z.string(),
          reason: z
            .enum(accountReasons)
            .optional()
            .describe("Why, when the code does not say it; `outcome_unknown`: it may be done nevertheless"),
        })
        .nullable()
        .describe("Null: done; else, unless the reason is `outcome_unknown`, it is as it was"),
    }),
  ),
});

/** POST /api/admin/users/{id}/grants. */
export const grantResponse = z.object({
  grant: z.object({
    id: z.string(),
    type: z.enum(["signup", "grant", "adjustment", "invite"]),
    amount: z.string().describe("Cents as exact decimal text"),
    reason: z.string(),
    createdAt: z.iso.datetime(),
  }),
  user: adminUserRecord,
});

/** POST /api/admin/users/{id}/password: the only answer that shows it. */
export const resetPasswordResponse = z.object({ password: z.string() });
