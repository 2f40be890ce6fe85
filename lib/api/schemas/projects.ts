import { z } from "zod";
import { atMost, characters } from "./fields";
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
