import { and, asc, desc, eq, gt, isNull, lt, lte, or, sql } from "drizzle-orm";
import type { Orm, Session } from "@/lib/db/database";
import { constraintOf, isUniqueViolation } from "@/lib/db/database-error";
import { invitations, plans, quotaGrants, users } from "@/lib/db/schema/accounts";
import { settingsTable } from "@/lib/db/schema/catalog";
import { badField, GatewayError } from "@/lib/kernel/errors";
import { MAX_CENTS, microCentsFromCents } from "@/lib/kernel/money";
import type { UserRole } from "@/lib/shared/user-roles";
import { randomBase62 } from "./key-text";
import { hashPassword } from "./password";
import type { UserRow } from "./session";

const INVITE_CODE_LENGTH = 10;

/** The message after the field's name; the same for an unknown code and for one that is no longer valid. */
const REFUSED_CODE = "is not known or no longer valid";

/** The name of the setting with the reward of an inviter, in whole cents. */
export const INVITE_REWARD_SETTING = "invite_reward_cents";

/** The row of `settings` with the plan of a new account. */
export const NEW_ACCOUNT_PLAN_SETTING = "new_account_plan_id";

/** The fields of a new account. */
export interface NewUser {
  username: string;
  password: string;
  email?: string | undefined;
  name?: string | undefined;
  inviteCode?: string | undefined;
}

/** The fields of a new account that its user may not choose. */
export interface NewUserTerms {
  quotaCents: number;
  role?: UserRole;
  /**
   * Which invite code is required: `code`, that of an active account or of an invitation; `invitation`, that of an
   * invitation. Source: docs/contract.md#registration.
   */
  needs?: "code" | "invitation" | undefined;
  /** Absent: the first self-service plan. */
  planId?: number | undefined;
  /** Whom statements count its use for. */
  costCentre?: string | undefined;
}

/** The lower-case form that makes usernames unique without regard to case. */
export function usernameKey(username: string): string {
  return username.toLowerCase();
}

/** The origin of the invite code of a new account: another account, or an admin's invitation. */
interface Invited {
  inviterId: string | null;
  invitation: UsedInvitation | null;
}

/** The invitation with which an account was created. */
export type UsedInvitation = Pick<typeof invitations.$inferSelect, "id" | "note" | "planId" | "quotaCents">;

/**
 * Creates an account with its first grant, rewards the inviter, and counts the use of an invitation, whose plan and
 * quota precede those of the terms; `alongside` runs in the same transaction.
 * Throws: CONFLICT for a taken name, INVALID_REQUEST for an unknown invite code or plan, FORBIDDEN without the invite
 * code that the terms require.
 */
export async function createUser(
  db: Session,
  input: NewUser,
  terms: NewUserTerms,
  alongside?: (tx: Orm, user: UserRow, invitation: UsedInvitation | null) => Promise<void>,
): Promise<UserRow> {
  if (terms.needs !== undefined && input.inviteCode === undefined) throw inviteRequired("is required");
  const passwordHash = await hashPassword(input.password);
  try {
    return await db.orm.transaction(async (tx) => {
      const invited = await invitedBy(tx, input.inviteCode, terms);
      const { planId, quotaCents } = invited.invitation ?? {};
      const own = { planId: planId ?? terms.planId, quotaCents: quotaCents ?? terms.quotaCents };
      const user = await insertUser(tx, input, { ...terms, ...own }, passwordHash, invited.inviterId);
      await alongside?.(tx, user, invited.invitation);
      return user;
    });
  } catch (error) {
    if (isUniqueViolation(error) && constraintOf(error) === "users_username_key_unique") {
      throw new GatewayError("CONFLICT", "This username is taken.", {
        fields: { username: ["is taken"] },
        cause: error,
      });
    }
    throw error;
  }
}

async function insertUser(
  tx: Orm,
  input: NewUser,
  terms: NewUserTerms,
  passwordHash: string,
  inviterId: string | null,
): Promise<UserRow> {
  const planId = await planFor(tx, terms.planId);
  const [user] = await tx
    .insert(users)
    .values({
      username: input.username,
      usernameKey: usernameKey(input.username),
      name: input.name ?? "",
      email: input.email ?? "",
      passwordHash,
      role: terms.role ?? "user",
      planId,
      quotaMicroCents: microCentsFromCents(terms.quotaCents),
      inviteCode: randomBase62(INVITE_CODE_LENGTH),
      invitedBy: inviterId,
      costCentre: terms.costCentre ?? "",
    })
    .returning();
  if (user === undefined) throw new Error("the inserted account was not returned");
  if (terms.quotaCents > 0) await grant(tx, user.id, "signup", terms.quotaCents, "");
  if (inviterId !== null) await rewardInviter(tx, inviterId, user.username);
  return user;
}

async function invitedBy(tx: Orm, inviteCode: string | undefined, { needs }: NewUserTerms): Promise<Invited> {
  if (inviteCode === undefined) return { inviterId: null, invitation: null };
  const [inviter] = await tx.select().from(users).where(eq(users.inviteCode, inviteCode)).limit(1);
  if (inviter?.status === "active" && needs !== "invitation")
    return { inviterId: inviter.id, invitation: null };
  const invitation = await takeInvitation(tx, inviteCode);
  if (invitation !== null) return { inviterId: null, invitation };
  throw needs !== undefined ? inviteRequired(REFUSED_CODE) : badField("inviteCode", REFUSED_CODE);
}

/**
 * Counts a use of an invitation with remaining uses; its row stays locked until the transaction ends. Null: there is
 * none.
 */
async function takeInvitation(tx: Orm, code: string): Promise<UsedInvitation | null> {
  const { usedCount, maxUses, expiresAt } = invitations;
  const [taken] = await tx
    .update(invitations)
    .set({ usedCount: sql`${usedCount} + 1` })
    .where(
      and(
        eq(invitations.code, code),
        lt(usedCount, maxUses),
        or(isNull(expiresAt), gt(expiresAt, sql`now()`)),
      ),
    )
    .returning({
      id: invitations.id,
      note: invitations.note,
      planId: invitations.planId,
      quotaCents: invitations.quotaCents,
    });
  return taken ?? null;
}

/** The refusal when registration needs an invitation; `message` continues the field's name. */
function inviteRequired(message: string): GatewayError {
  return new GatewayError("FORBIDDEN", "Registration needs a valid invite code here.", {
    reason: "invite_required",
    fields: { inviteCode: [message] },
  });
}

/**
 * The plan of a new account: the requested one, else the one that admins have set, else the first self-service plan.
 * Throws: INVALID_REQUEST. Source: docs/contract.md#registration.
 */
export async function planFor(tx: Orm, planId: number | undefined): Promise<number> {
  const isDecided = sql`coalesce(${plans.id}::text = (SELECT ${settingsTable.value} FROM ${settingsTable}
    WHERE ${settingsTable.name} = ${NEW_ACCOUNT_PLAN_SETTING}), false)`;
  const [plan] = await tx
    .select({ id: plans.id })
    .from(plans)
    .where(planId === undefined ? undefined : eq(plans.id, planId))
    .orderBy(desc(isDecided), desc(plans.selfService), asc(plans.id))
    .limit(1);
  if (plan !== undefined) return plan.id;
  if (planId !== undefined) throw badField("planId", "is not known");
  throw new Error("there is no plan; the first start creates them");
}

async function rewardInviter(tx: Orm, inviterId: string, invited: string): Promise<void> {
  const [setting] = await tx
    .select()
    .from(settingsTable)
    .where(eq(settingsTable.name, INVITE_REWARD_SETTING));
  const cents = Number(setting?.value ?? 0);
  if (cents <= 0) return;
  const reward = microCentsFromCents(cents);
  const rewarded = await tx
    .update(users)
    .set({ quotaMicroCents: sql`${users.quotaMicroCents} + ${reward}` })
    // An inviter at the largest quota gets no reward; the registration succeeds anyway.
    .where(and(eq(users.id, inviterId), lte(users.quotaMicroCents, microCentsFromCents(MAX_CENTS) - reward)))
    .returning({ id: users.id });
  if (rewarded.length > 0) await grant(tx, inviterId, "invite", cents, `invited ${invited}`);
}

async function grant(
  tx: Orm,
  userId: string,
  kind: "signup" | "invite",
  cents: number,
  reason: string,
): Promise<void> {
  await tx.insert(quotaGrants).values({ userId, kind, amountMicroCents: microCentsFromCents(cents), reason });
}

/** The account with this id in any state, or null. */
export async function findUser(db: Session, userId: string): Promise<UserRow | null> {
  const [user] = await db.orm.select().from(users).where(eq(users.id, userId)).limit(1);
  return user ?? null;
}
