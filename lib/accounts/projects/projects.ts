import { and, count, eq, isNull } from "drizzle-orm";
import type { Orm } from "@/lib/db/database";
import { constraintOf, isUniqueViolation } from "@/lib/db/database-error";
import { onlyRow } from "@/lib/db/rows";
import { projectMembers, projects, users } from "@/lib/db/schema/accounts";
import { GatewayError } from "@/lib/kernel/errors";
import { openForChange, type ProjectCaller, type ProjectRow } from "./access";

/** The most live projects that an account pays. */
const MAX_PROJECTS = 50;

/** The fields of a project. */
export interface ProjectInput {
  name: string;
  costCentre?: string | undefined;
}

/**
 * Makes a project that the account pays and owns. Throws: NOT_FOUND (an account that is not active), CONFLICT (its name,
 * too many). Source: docs/projects.md#bounds.
 */
export async function createProject(tx: Orm, payerId: string, input: ProjectInput): Promise<ProjectRow> {
  const payer = eq(users.id, payerId);
  const [locked] = await tx.select({ status: users.status }).from(users).where(payer).for("no key update");
  if (locked?.status !== "active") throw new GatewayError("NOT_FOUND", "There is no such account.");
  const live = and(eq(projects.userId, payerId), isNull(projects.archivedAt));
  const { total } = onlyRow(await tx.select({ total: count() }).from(projects).where(live));
  if (total >= MAX_PROJECTS)
    throw new GatewayError(
      "CONFLICT",
      `An account may pay at most ${MAX_PROJECTS} projects. Archive one first.`,
    );
  const made = tx.insert(projects).values({ userId: payerId, ...input });
  const project = onlyRow(await withFreeName(() => made.returning()));
  await tx
    .insert(projectMembers)
    .values({ projectId: project.id, userId: payerId, role: "owner", addedBy: payerId });
  return project;
}

/** Changes a project for an owner. Throws: NOT_FOUND, FORBIDDEN, CONFLICT (archived, its name). */
export async function changeProject(
  tx: Orm,
  caller: ProjectCaller,
  id: string,
  change: Partial<ProjectInput>,
): Promise<{ before: ProjectRow; after: ProjectRow }> {
  const before = await openForChange(tx, caller, id);
  if (change.name === undefined && change.costCentre === undefined) return { before, after: before };
  const changed = tx.update(projects).set(change).where(eq(projects.id, before.id));
  return { before, after: onlyRow(await withFreeName(() => changed.returning())) };
}

/** Turns the refusal of a taken name into a CONFLICT on the field. */
async function withFreeName<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isUniqueViolation(error) || constraintOf(error) !== "projects_live_name") throw error;
    const message = "is the name of another project";
    throw new GatewayError("CONFLICT", `\`name\` ${message}.`, { fields: { name: [message] }, cause: error });
  }
}
