import type { LeftBehind } from "@/lib/accounts/projects/leave-all";
import type { EndedKey } from "@/lib/accounts/projects/made-keys";
import { projectRecordOf } from "@/lib/accounts/projects/project-record";
import type { Orm } from "@/lib/db/database";
import { type Actor, recordAudit } from "./audit";

/** Records keys of projects that ended with their maker's account; call it in the transaction of the change. */
export async function recordEndedKeys(tx: Orm, actor: Actor, keys: readonly EndedKey[]): Promise<void> {
  const { loaded: _, ...plain } = actor;
  for (const { before, after } of keys)
    await recordAudit(tx, plain, {
      action: "key.update",
      targetType: "key",
      targetId: before.id,
      before,
      after,
    });
}

/** Records what a deleted account left; call it in the transaction of the deletion. */
export async function recordLeftBehind(tx: Orm, actor: Actor, left: LeftBehind): Promise<void> {
  await recordEndedKeys(tx, actor, left.keys);
  for (const { before, after } of left.projects)
    await recordAudit(tx, actor, {
      action: "project.archive",
      targetType: "project",
      targetId: after.id,
      before: projectRecordOf(before),
      after: projectRecordOf(after),
    });
}
