import { eq } from "drizzle-orm";
import { INVITE_REWARD_SETTING } from "@/lib/accounts/users";
import type { Session } from "@/lib/db/database";
import { settingsTable } from "@/lib/db/schema/catalog";
import { type Actor, recordAudit } from "./audit";

/** Settings that admins change at run time. Units: whole cents. */
export interface AdminSettings {
  inviteRewardCents: number;
}

/** Reads the settings. */
export async function readSettings(db: Session): Promise<AdminSettings> {
  const [row] = await db.orm
    .select()
    .from(settingsTable)
    .where(eq(settingsTable.name, INVITE_REWARD_SETTING));
  return { inviteRewardCents: Number(row?.value ?? 0) };
}

/** Changes the settings. Source: docs/contract.md#s4 (`inviteCode`). */
export async function updateSettings(
  db: Session,
  actor: Actor,
  change: AdminSettings,
): Promise<AdminSettings> {
  const before = await readSettings(db);
  const value = String(change.inviteRewardCents);
  await db.orm.transaction(async (tx) => {
    await tx
      .insert(settingsTable)
      .values({ name: INVITE_REWARD_SETTING, value })
      .onConflictDoUpdate({ target: settingsTable.name, set: { value } });
    await recordAudit(tx, actor, {
      action: "setting.update",
      targetType: "setting",
      targetId: INVITE_REWARD_SETTING,
      before,
      after: change,
    });
  });
  return change;
}
