import { z } from "zod";
import { must, username } from "./fields";

/** What a member of a project may do. Source: docs/projects.md#roles. */
export const projectRole = z.enum(["owner", "member"], must("must be owner or member"));

/** A member of a project. */
export const projectMember = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string(),
  role: projectRole,
  isPayer: z.boolean().describe("Always an owner; cannot leave"),
  keyCount: z.int().describe("Keys that it made in the project, without deleted ones"),
  createdAt: z.iso.datetime(),
});

/** POST of a member. */
export const addMemberRequest = z.strictObject({ username, role: projectRole });

/** PATCH of a member. */
export const updateMemberRequest = z.strictObject({ role: projectRole });

/** DELETE of a member. */
export const removeMemberQuery = z.object({
  keys: z
    .enum(["disable", "keep"], "must be disable or keep")
    .prefault("disable")
    .describe("What becomes of the keys that it made in the project; only owners may keep them working"),
});
