import { and, eq, inArray } from "drizzle-orm";
import type { Orm } from "@/lib/db/database";
import { apiKeys, projectMembers, users } from "@/lib/db/schema/accounts";
import { budgetExceptions } from "@/lib/db/schema/budgets";
import { badField } from "@/lib/kernel/errors";
import type { BudgetColumns } from "./audited-budget";
import { storedAmount } from "./budget-amounts";

/** Another limit for one member; null: none. Units: cents, tokens or requests. */
export interface AskedException {
  member: string;
  limit: number | null;
}

/**
 * Replaces the exceptions of a rule. Throws: INVALID_REQUEST for a rule with one counter, a member twice, and a member that is
 * no account or no key.
 */
export async function writeExceptions(
  tx: Orm,
  rule: BudgetColumns,
  exceptions: readonly AskedException[],
): Promise<void> {
  if (exceptions.length > 0) await requireMembers(tx, rule, exceptions);
  await tx.delete(budgetExceptions).where(eq(budgetExceptions.budgetId, rule.id));
  if (exceptions.length === 0) return;
  await tx.insert(budgetExceptions).values(
    exceptions.map(({ member, limit }) => ({
      budgetId: rule.id,
      member,
      limitAmount: limit === null ? null : storedAmount(rule.unit, limit),
    })),
  );
}

/** Refuses a member that the rule has no counter for. Throws: INVALID_REQUEST. */
export async function requireMember(tx: Orm, rule: BudgetColumns, member: string | undefined): Promise<void> {
  if (rule.each === "none" && member !== undefined)
    throw badField("member", "is for rules with a counter for each");
  if (rule.each === "none") return;
  if (member === undefined) throw badField("member", "is required for a rule with a counter for each");
  if ((await knownMembers(tx, rule, [member])).size === 0)
    throw badField("member", `is ${unknownMember(rule)}`);
}

async function requireMembers(
  tx: Orm,
  rule: BudgetColumns,
  exceptions: readonly AskedException[],
): Promise<void> {
  if (rule.each === "none") throw badField("exceptions", "are for rules with a counter for each");
  const members = exceptions.map(({ member }) => member);
  const known = await knownMembers(tx, rule, members);
  for (const [index, member] of members.entries()) {
    if (members.indexOf(member) < index) throw badField(`exceptions.${index}.member`, "is listed twice");
    if (!known.has(member)) throw badField(`exceptions.${index}.member`, `is ${unknownMember(rule)}`);
  }
}

const unknownMember = ({ each, scope }: BudgetColumns): string =>
  each === "key"
    ? `not the id of a key${scope === "platform" || scope === "plan" ? "" : ` of the ${scope}`}`
    : `not the id of ${each === "member" ? "a member of the project" : "an account"}`;

/** Those of the ids that the rule can have a counter for. */
async function knownMembers(
  tx: Orm,
  { each, userId, projectId }: BudgetColumns,
  ids: readonly string[],
): Promise<Set<string>> {
  if (each === "member") return knownCreators(tx, projectId ?? "", ids);
  if (each !== "key") {
    const rows = await tx
      .select({ id: users.id })
      .from(users)
      .where(inArray(users.id, [...ids]));
    return new Set(rows.map(({ id }) => id));
  }
  const ofSubject = and(
    userId === null ? undefined : eq(apiKeys.userId, userId),
    projectId === null ? undefined : eq(apiKeys.projectId, projectId),
  );
  const rows = await tx
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(inArray(apiKeys.id, [...ids]), ofSubject));
  return new Set(rows.map(({ id }) => id));
}

/** Members of a project, and accounts that left keys in it. */
async function knownCreators(tx: Orm, projectId: string, ids: readonly string[]): Promise<Set<string>> {
  const members = await tx
    .select({ id: projectMembers.userId })
    .from(projectMembers)
    .where(and(eq(projectMembers.projectId, projectId), inArray(projectMembers.userId, [...ids])));
  const creators = await tx
    .selectDistinct({ id: apiKeys.createdBy })
    .from(apiKeys)
    .where(and(eq(apiKeys.projectId, projectId), inArray(apiKeys.createdBy, [...ids])));
  return new Set([...members, ...creators].flatMap(({ id }) => (id === null ? [] : [id])));
}
