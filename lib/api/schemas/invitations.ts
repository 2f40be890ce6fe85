import { z } from "zod";
import { cents, characters, planId, whole } from "./fields";
import { endMoment } from "./moments";

/** POST /api/admin/invitations. Source: docs/contract.md#invitations. */
export const invitationRequest = z.strictObject({
  note: characters(0, 100).default("").describe("For admins: whom or what it is for"),
  maxUses: whole(1, 1_000).default(1).describe("How many accounts can be made with it"),
  expiresAt: endMoment.nullable().default(null).describe("Null: it does not expire"),
  planId: planId
    .nullable()
    .default(null)
    .describe("The plan of the accounts that come with it; null: that of every new account"),
  quotaCents: cents
    .nullable()
    .default(null)
    .describe("Their quota in whole cents; null: that of every new account"),
});

/** An invitation. */
export const invitationRecord = z.object({
  id: z.string(),
  code: z.string().describe("What `inviteCode` of a registration has to be"),
  note: z.string(),
  maxUses: z.int(),
  usedCount: z.int(),
  expiresAt: z.iso.datetime().nullable(),
  planId: z.int().nullable().describe("Null, also once the plan is deleted: that of every new account"),
  quotaCents: z.number().nullable().describe("Null: that of every new account"),
  createdAt: z.iso.datetime(),
});
