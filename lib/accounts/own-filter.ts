import type { Orm } from "@/lib/db/database";
import { GatewayError } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/uuid";
import { requireOwnKeyOrDeleted } from "./key-access";
import { openProject } from "./projects/access";

/** Which keys a log or a statistic is about. */
interface AskedKeys {
  tokenId?: string | undefined;
  /** A project's id, or `personal`. */
  projectId?: string | undefined;
  createdBy?: string | undefined;
  groupBy?: string | undefined;
}

/**
 * Restricts a filter to what an account may see: its own requests, or with `projectId` or `tokenId` those of a project or
 * a key that it may see, deleted keys too. `log`: single requests, of which members see those of their own keys;
 * `sums`: of a project members see the sums, but not by key or member.
 * Throws: NOT_FOUND (key, project, or another maker for a member), FORBIDDEN (sums by key or member).
 * Source: docs/projects.md#roles, docs/contract.md#foreign-ids.
 */
export async function ownFilter<Filter extends AskedKeys>(
  orm: Orm,
  userId: string,
  filter: Filter,
  kind: "log" | "sums",
): Promise<Filter & { userId: string }> {
  const { tokenId, projectId, createdBy } = filter;
  if (createdBy !== undefined && !isUuid(createdBy)) throw unknownMaker();
  const key = tokenId === undefined ? null : await requireOwnKeyOrDeleted(orm, userId, tokenId);
  if (projectId === undefined || projectId === "personal")
    return { ...filter, userId: key?.userId ?? userId };
  const { project, role } = await openProject(orm, userId, projectId);
  const owned = { ...filter, userId: project.userId };
  if (role === "owner" || createdBy === userId) return owned;
  if (createdBy !== undefined) throw unknownMaker();
  if (kind === "log") return { ...owned, createdBy: userId };
  if (filter.groupBy === undefined) return owned;
  throw new GatewayError("FORBIDDEN", "Only owners of the project see its sums by key or member.");
}

function unknownMaker(): GatewayError {
  return new GatewayError("NOT_FOUND", "There is no such member.");
}
