import type { Session } from "@/lib/db/database";
import { GatewayError } from "@/lib/kernel/errors";

/**
 * Who pays a project, for an account that may see its statements: the payer and owners. Throws: NOT_FOUND, FORBIDDEN.
 * Source: docs/budgets.md#statements.
 */
export async function payerOfProject(
  db: Pick<Session, "query">,
  projectId: string,
  readerId: string,
): Promise<string> {
  const [project] = await db.query<{ payer: string; owned: boolean }>(
    `SELECT user_id AS payer, user_id = $2::uuid OR EXISTS (
       SELECT FROM project_members WHERE project_id = p.id AND user_id = $2::uuid AND role = 'owner') AS owned
     FROM projects p WHERE id = $1::uuid`,
    [projectId, readerId],
  );
  if (project === undefined) throw new GatewayError("NOT_FOUND", "There is no such project.");
  if (!project.owned) throw new GatewayError("FORBIDDEN", "Only owners of a project see its statements.");
  return project.payer;
}
