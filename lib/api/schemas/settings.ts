import { z } from "zod";
import { cents, characters, must, planId, registration, webAddress } from "./fields";

/** PATCH /api/admin/settings. */
export const settingsRequest = z.strictObject({
  inviteRewardCents: cents,
  statusPage: z.boolean(must("must be true or false")),
  registration,
  newAccountQuotaCents: cents.nullable().describe("Null: as it follows from the environment"),
  newAccountPlanId: planId.nullable().describe("Null: the first self-service plan"),
  contact: characters(1, 200)
    .nullable()
    .describe("How users reach the admins: a text, an e-mail address or an https link; null: not told"),
  name: characters(1, 40)
    .refine((text) => text.trim() !== "", "must not be blank")
    .meta({ pattern: "\\S" })
    .nullable()
    .describe("What pages call this gateway; null: Tollgate"),
  alertUrl: webAddress.nullable().describe("Where alerts are posted; null: nowhere"),
});
