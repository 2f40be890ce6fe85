import { createUser, type NewUser } from "@/lib/accounts/users";
import type { Session } from "@/lib/db/database";
import type { UserRole } from "@/lib/shared/user-roles";
import { type Actor, recordAudit } from "./audit";
import { userRecordOf } from "./user-records";

/** Creates an account. Throws: CONFLICT (taken name), INVALID_REQUEST (unknown plan). */
export async function addUser(
  db: Session,
  actor: Actor,
  input: NewUser & {
    role?: UserRole | undefined;
    planId?: number | undefined;
    quota?: number | undefined;
    costCentre?: string | undefined;
  },
  defaultQuotaCents: number,
) {
  const { role, planId, quota, costCentre, ...person } = input;
  const quotaCents = quota ?? defaultQuotaCents;
  const terms = { role: role ?? "user", planId, quotaCents, costCentre } as const;
  const made = await createUser(db, person, terms, (tx, user) => {
    const event = { action: "user.create", targetType: "user", targetId: user.id } as const;
    return recordAudit(tx, actor, { ...event, after: userRecordOf(user) });
  });
  return userRecordOf(made);
}
