import { z } from "zod";
import { atMost, must, queryFlag } from "./fields";
import { moment, startMoment, untilMoment } from "./moments";
import { pageQuery } from "./pages";

/** GET /api/admin/audit/export. */
export const auditExportQuery = z.object({
  from: startMoment.optional(),
  to: untilMoment.optional(),
  accountId: atMost(100)
    .optional()
    .describe("What this account or one of its keys did, or what was done to them"),
  actorId: atMost(100).optional(),
  action: atMost(100).optional(),
  newStatus: z
    .enum(["active", "suspended"], must("must be active or suspended"))
    .optional()
    .describe("Only changes that suspended an account, or reactivated it"),
  targetType: atMost(100).optional(),
  targetId: atMost(200).optional(),
  batchId: atMost(100).optional().describe("Of one change of several accounts"),
  search: atMost(200)
    .optional()
    .describe("In the name or id of the target or actor, or in a value of the record before or after"),
});

/** GET /api/admin/audit. */
export const auditQuery = pageQuery.extend(auditExportQuery.shape).extend({
  grouped: queryFlag
    .optional()
    .describe("Only the newest entry of each change of several accounts, with `batchCount`"),
});

/** One entry of the audit log; without secrets. */
export const auditEntry = z.object({
  id: z.string(),
  createdAt: moment,
  actorId: z.string().nullable(),
  actorName: z.string(),
  action: z.string(),
  targetType: z.string(),
  targetId: z.string(),
  before: z.unknown(),
  after: z.unknown(),
  ip: z.string(),
  batchId: z.string().nullable().describe("Shared by the entries of one change of several accounts"),
  batchCount: z
    .int()
    .describe("Of how many matching entries this is the newest: more than 1 only when `grouped`"),
  names: z
    .record(z.string(), z.string())
    .describe("The current names of the accounts, keys, projects, nodes and models that it mentions, by id"),
});
