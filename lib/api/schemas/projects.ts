import { z } from "zod";
import { atMost, characters, decimal, must, username } from "./fields";
import { pageQuery } from "./pages";

const MAX_COST_CENTRE = 40;

/** Whom statements count use for; empty for none. Source: docs/projects.md#cost-centres. */
export const costCentre = atMost(
  MAX_COST_CENTRE,
  `must be text of at most ${MAX_COST_CENTRE} characters`,
).describe("Whom statements count its use for; empty: nobody");

const projectName = characters(1, 80)
  .refine((text) => text.trim() !== "", "must not be blank")
  .meta({ pattern: "\\S" });

const role = z.enum(["owner", "member"], must("must be owner or member"));

/** POST /api/user/projects. */
export const createProjectRequest = z.strictObject({ name: projectName, costCentre: costCentre.optional() });

/** POST /api/admin/projects: for an account, which pays it. */
export const createProjectOfUserRequest = createProjectRequest.extend({ userId: characters(1, 100) });

/** PATCH of a project. */
export const updateProjectRequest = createProjectRequest.partial();

/** GET /api/user/projects. */
export const projectsQuery = pageQuery.extend({
  status: z.enum(["live", "archived"], "must be live or archived").optional(),
  search: atMost(100).optional().describe("Part of a name, a cost centre or a payer's username"),
});

/** GET /api/admin/projects. */
export const adminProjectsQuery = projectsQuery.extend({
  userId: atMost(100).optional().describe("The account that pays"),
});

/** A project. */
export const projectRecord = z.object({
  id: z.string(),
  name: z.string(),
  costCentre: z.string(),
  payer: z.object({ id: z.string(), username: z.string() }).describe("The account that pays"),
  role: role.nullable().describe("What you are in it; null: an admin who is no member"),
  memberCount: z.int(),
  keyCount: z.int().describe("Without deleted ones"),
  createdAt: z.iso.datetime(),
  archivedAt: z.iso.datetime().nullable().describe("Null: live; an archived one can only be read"),
});

/** A project in a list. */
export const projectListed = projectRecord.extend({
  billed30d: decimal.describe("What its keys were billed in the last 30 days, today included: exact cents"),
});

/** A member of a project. */
export const projectMember = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string(),
  role,
  isPayer: z.boolean().describe("Always an owner; cannot leave"),
  keyCount: z.int().describe("Keys that it made in the project, without deleted ones"),
  createdAt: z.iso.datetime(),
});

/** POST of a member. */
export const addMemberRequest = z.strictObject({ username, role });

/** PATCH of a member. */
export const updateMemberRequest = z.strictObject({ role });

/** DELETE of a member. */
export const removeMemberQuery = z.object({
  keys: z
    .enum(["disable", "keep"], "must be disable or keep")
    .prefault("disable")
    .describe("What becomes of the keys that it made in the project; only owners may keep them working"),
});
