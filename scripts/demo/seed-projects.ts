import { eq } from "drizzle-orm";
import { addMember } from "@/lib/accounts/projects/members";
import { createProject } from "@/lib/accounts/projects/projects";
import type { Database, Orm } from "@/lib/db/database";
import { onlyRow } from "@/lib/db/rows";
import { apiKeys, users } from "@/lib/db/schema/accounts";
import { demoProjects } from "./seed-plan";

/** Makes the projects of the demo with their members, and gives them keys of their payers. */
export async function seedProjects(db: Database, adminId: string): Promise<void> {
  const idOf = async (orm: Orm, username: string | null) => {
    if (username === null) return adminId;
    const rows = await orm.select({ id: users.id }).from(users).where(eq(users.username, username));
    return onlyRow(rows).id;
  };
  for (const { payer, name, costCentre, members, keys } of demoProjects) {
    await db.orm.transaction(async (tx) => {
      const payerId = await idOf(tx, payer);
      const project = await createProject(tx, payerId, { name, costCentre });
      for (const [username, role] of Object.entries(members))
        await addMember(tx, payerId, project.id, { username, role, addedBy: payerId });
      for (const [key, maker] of Object.entries(keys)) {
        const change = { projectId: project.id, createdBy: await idOf(tx, maker) };
        await tx.update(apiKeys).set(change).where(eq(apiKeys.name, key));
      }
    });
  }
}
