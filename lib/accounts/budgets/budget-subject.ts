import { and, eq, isNull, ne, or, sql } from "drizzle-orm";
import type { Orm } from "@/lib/db/database";
import { apiKeys, plans, projectMembers, projects, users } from "@/lib/db/schema/accounts";
import { badField, GatewayError } from "@/lib/kernel/errors";
import type { BudgetScope } from "@/lib/shared/budget-words";
import { isKeyOf } from "../projects/access";
import type { BudgetReader } from "./budget-reader";

/** The ids of a rule's subject as the API takes them. */
export interface AskedSubject {
  scope: BudgetScope;
  planId?: number | undefined;
  userId?: string | undefined;
  projectId?: string | undefined;
  tokenId?: string | undefined;
}

/** Whose requests a rule counts. */
export interface BudgetSubject {
  scope: BudgetScope;
  planId: number | null;
  userId: string | null;
  projectId: string | null;
  keyId: string | null;
}

const fieldOfScope = {
  platform: null,
  plan: "planId",
  account: "userId",
  project: "projectId",
  key: "tokenId",
} as const;

/**
 * The subject of a rule that somebody makes: the own account, a key that it may change, a project as its owner; any for
 * admins.
 * Throws: INVALID_REQUEST (a field that is missing or belongs to another scope, a subject that is not known).
 */
export async function subjectOf(tx: Orm, by: BudgetReader, asked: AskedSubject): Promise<BudgetSubject> {
  const { scope } = asked;
  const given: AskedSubject = scope === "account" && !by.isAdmin ? { ...asked, userId: by.userId } : asked;
  for (const [other, field] of Object.entries(fieldOfScope)) {
    if (field === null || other === scope || given[field] === undefined) continue;
    throw badField(field, `is for rules of the scope ${other}`);
  }
  const field = fieldOfScope[scope];
  if (field !== null && given[field] === undefined)
    throw badField(field, `is required for the scope ${scope}`);
  if (field !== null && !(await isKnown(tx, by, given)))
    throw badField(
      field,
      `is not the id of ${scope === "account" ? "an account" : `a ${scope}`}${by.isAdmin ? "" : " of yours"}`,
    );
  const { planId = null, userId = null, projectId = null, tokenId = null } = given;
  return { scope, planId, userId, projectId, keyId: tokenId };
}

async function isKnown(tx: Orm, { userId, isAdmin }: BudgetReader, given: AskedSubject): Promise<boolean> {
  const any = isAdmin ? sql`true` : undefined;
  const found = { found: sql<number>`1` };
  const { planId = 0, projectId = "", tokenId = "" } = given;
  if (given.scope === "plan") return isRow(await tx.select(found).from(plans).where(eq(plans.id, planId)));
  if (given.scope === "account") {
    const account = and(eq(users.id, given.userId ?? ""), ne(users.status, "deleted"));
    return isRow(await tx.select(found).from(users).where(account));
  }
  if (given.scope === "key") {
    const own = any ?? isKeyOf(userId);
    const key = and(eq(apiKeys.id, tokenId), isNull(apiKeys.deletedAt), own);
    return isRow(await tx.select(found).from(apiKeys).where(key));
  }
  const owned = tx
    .select({ id: projectMembers.projectId })
    .from(projectMembers)
    .where(and(eq(projectMembers.userId, userId), eq(projectMembers.role, "owner")));
  const own = any ?? or(eq(projects.userId, userId), sql`${projects.id} IN (${owned})`);
  const project = and(eq(projects.id, projectId), isNull(projects.archivedAt), own);
  return isRow(await tx.select(found).from(projects).where(project));
}

const isRow = (rows: readonly unknown[]): boolean => rows.length > 0;

/** Refuses to change what an admin made, or what is somebody else's. Throws: FORBIDDEN. */
export function refuseForeignRule(by: BudgetReader, rule: { locked: boolean; own: boolean }): void {
  if (by.isAdmin) return;
  if (rule.locked)
    throw new GatewayError("FORBIDDEN", "An admin has made this budget; ask one to change it.");
  if (!rule.own) throw new GatewayError("FORBIDDEN", "This budget is not yours to change.");
}
