import { z } from "zod";
import { decimal } from "./fields";
import { projectRole } from "./project-members";

/** A project. */
export const projectRecord = z.object({
  id: z.string(),
  name: z.string(),
  costCentre: z.string(),
  payer: z.object({ id: z.string(), username: z.string() }).describe("The account that pays"),
  role: projectRole.nullable().describe("What you are in it; null: an admin who is no member"),
  memberCount: z.int(),
  keyCount: z.int().describe("Without deleted ones"),
  createdAt: z.iso.datetime(),
  archivedAt: z.iso.datetime().nullable().describe("Null: live; an archived one can only be read"),
});

/** A project in a list. */
export const projectListed = projectRecord.extend({
  billed30d: decimal.describe("What its keys were billed in the last 30 days, today included: exact cents"),
});
