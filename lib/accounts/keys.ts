import { and, asc, count, desc, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import { allLimits } from "@/lib/config/account-limits";
import { MAX_KEYS } from "@/lib/config/file-schema";
import type { Orm, Session } from "@/lib/db/database";
import { onlyRow } from "@/lib/db/rows";
import { apiKeys, plans, projectMembers, projects, users } from "@/lib/db/schema/accounts";
import { badField, GatewayError } from "@/lib/kernel/errors";
import { centsNumber, microCentsFromCents } from "@/lib/kernel/money";
import { isUuid } from "@/lib/kernel/uuid";
import { accountLimitsOf } from "./account-limits";
import { requireChangeable, requirePaidKey } from "./key-access";
import { requireKnownModels } from "./key-models";
import { type KeyRow, keyRecordOf } from "./key-record";
import { generateKey } from "./key-text";
import { offsetOf, type Page, type PageRequest, pageOf } from "./page";
import { isKeyOf } from "./projects/access";
import { payerOfNewKey } from "./projects/payer";
import type { UserRow } from "./session";

/** A plan row. */
export type PlanRow = typeof plans.$inferSelect;

/** Every plan, in order of id. */
export async function listPlans(db: Session): Promise<PlanRow[]> {
  return db.orm.select().from(plans).orderBy(asc(plans.id));
}

/** A plan as the API shows it, with the field names of `tollgate.yaml`. Source: docs/contract.md#s3. */
export function planRecordOf(plan: PlanRow) {
  return {
    id: plan.id,
    name: plan.name,
    qps: plan.qps,
    rpm: plan.rpm,
    tpm: plan.tpm,
    concurrent: plan.concurrent,
    accountLimits: allLimits(plan.accountLimits),
    keyQuotaCents: centsNumber(plan.keyQuotaMicroCents),
    selfService: plan.selfService,
  };
}

/** The fields of a key that can change. Units: quota in whole cents. */
interface KeyFields {
  name: string;
  planId?: number | undefined;
  quota?: number | undefined;
  models?: string[] | null | undefined;
  expiresAt?: Date | null | undefined;
}

/** The fields of a new key. */
export interface NewKeyInput extends KeyFields {
  /** The project that it is made for; fixed for its life. */
  projectId?: string | undefined;
}

/** A change of a key; absent fields stay. */
export interface KeyChange extends Partial<KeyFields> {
  status?: "active" | "disabled" | undefined;
}

/** A filter of keys; absent fields match everything. */
export interface KeyListFilter {
  /** A project's id, or `personal` for keys of no project. */
  projectId?: string | undefined;
  /** Who made it; keys of no project were made by their account. */
  createdBy?: string | undefined;
}

/** The keys that an account may see, without console keys, newest first. Source: docs/projects.md#roles. */
export function listKeys(
  db: Session,
  userId: string,
  request: PageRequest & KeyListFilter,
): Promise<Page<ReturnType<typeof keyRecordOf>>> {
  // The payers come first, because keys have an index by account only.
  const payers = sql`SELECT ${projects.userId} FROM ${projects} JOIN ${projectMembers}
    ON ${projectMembers.projectId} = ${projects.id} WHERE ${projectMembers.userId} = ${userId}`;
  const isPaid = or(eq(apiKeys.userId, userId), sql`${apiKeys.userId} IN (${payers})`);
  return pageOfKeys(db, request, and(isPaid, isKeyOf(userId), conditionOf(request)));
}

/** The keys that an account pays, without its console key, newest first. */
export function listPaidKeys(
  db: Session,
  payerId: string,
  request: PageRequest,
): Promise<Page<ReturnType<typeof keyRecordOf>>> {
  return pageOfKeys(db, request, eq(apiKeys.userId, payerId));
}

async function pageOfKeys(db: Session, request: PageRequest, wanted: SQL | undefined) {
  const condition = and(wanted, isListed);
  const rows = await db.orm
    .select()
    .from(apiKeys)
    .where(condition)
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
    .limit(request.pageSize)
    .offset(offsetOf(request));
  const { total } = onlyRow(await db.orm.select({ total: count() }).from(apiKeys).where(condition));
  return pageOf(request, rows.map(keyRecordOf), total);
}

/** A malformed id matches nothing. */
function conditionOf({ projectId, createdBy }: KeyListFilter): SQL | undefined {
  const ofProject = (id: string) => (isUuid(id) ? eq(apiKeys.projectId, id) : sql`false`);
  const maker = sql`coalesce(${apiKeys.createdBy}, ${apiKeys.userId})`;
  return and(
    projectId === "personal" ? isNull(apiKeys.projectId) : undefined,
    projectId === undefined || projectId === "personal" ? undefined : ofProject(projectId),
    createdBy === undefined ? undefined : isUuid(createdBy) ? sql`${maker} = ${createdBy}` : sql`false`,
  );
}

/**
 * Creates a key, in a transaction, so that parallel creations cannot exceed the limit of keys; only this result
 * contains the secret. A key of a project belongs to the account that pays it, with its plans and limits.
 * Throws: INVALID_REQUEST (unknown plan or model, past expiry), FORBIDDEN (a plan the account may not choose), NOT_FOUND
 * (the project), CONFLICT (too many, archived).
 * Source: docs/spec.md#s4-7, docs/contract.md#s4, docs/projects.md#keys.
 */
export async function createKey(orm: Orm, maker: UserRow, input: NewKeyInput, now: Date) {
  const { projectId } = input;
  const user = projectId === undefined ? maker : await payerOfNewKey(orm, maker, projectId);
  const plan = await choosePlan(orm, user, input.planId ?? user.planId);
  checkExpiry(input.expiresAt, now);
  await requireKnownModels(orm, input.models ?? []);
  await requireRoomForKey(orm, user.id);
  const { key, keyHash, keyPrefix } = generateKey();
  const [row] = await orm
    .insert(apiKeys)
    .values({
      userId: user.id,
      keyHash,
      keyPrefix,
      name: input.name,
      planId: plan.id,
      models: distinct(input.models),
      expiresAt: input.expiresAt ?? null,
      quotaMicroCents: input.quota === undefined ? plan.keyQuotaMicroCents : microCentsFromCents(input.quota),
      ...(projectId !== undefined && { projectId, createdBy: maker.id }),
    })
    .returning();
  if (row === undefined) throw new Error("the inserted key was not returned");
  return { apiKey: keyRecordOf(row), key };
}

/**
 * Changes a key for an account that may. A key that an admin has disabled stays disabled. Throws: NOT_FOUND, FORBIDDEN,
 * INVALID_REQUEST, CONFLICT (the console key; enabling what an admin has disabled). Source: docs/spec.md#s4-8,
 * docs/contract.md#s5.
 */
export async function updateKey(orm: Orm, user: UserRow, keyId: string, change: KeyChange, now: Date) {
  const before = await requireChangeable(orm, user.id, keyId);
  if (change.status === "active" && before.status === "blocked")
    throw new GatewayError("CONFLICT", "An admin has disabled this key; ask one to enable it.");
  if (change.planId !== undefined && change.planId !== before.planId) {
    const payer = before.userId === user.id ? user : await accountOfKey(orm, before);
    await choosePlan(orm, payer, change.planId);
  }
  // An admin may disable the key at the same time.
  const status =
    change.status &&
    sql<KeyRow["status"]>`CASE WHEN ${apiKeys.status} = 'blocked' THEN 'blocked' ELSE ${change.status} END`;
  return writeChange(orm, before, { ...change, status }, now);
}

/**
 * Changes a key for an admin, who may give it any plan; a key that an admin has disabled stays so until an admin
 * enables it. Throws: NOT_FOUND, INVALID_REQUEST, CONFLICT (the console key). Source: docs/contract.md#people-keys.
 */
export async function updateKeyForAdmin(
  orm: Orm,
  userId: string,
  keyId: string,
  change: KeyChange,
  now: Date,
) {
  await requirePaidKey(orm, userId, keyId);
  const before = await requireChangeable(orm, userId, keyId);
  if (change.planId !== undefined) await requirePlan(orm, change.planId);
  const status = change.status === "disabled" ? "blocked" : change.status;
  return writeChange(orm, before, { ...change, status }, now);
}

async function writeChange(
  orm: Orm,
  before: KeyRow,
  change: Partial<KeyFields> & { status?: KeyRow["status"] | SQL<KeyRow["status"]> | undefined },
  now: Date,
) {
  checkExpiry(change.expiresAt, now);
  await requireKnownModels(orm, change.models ?? [], before.models ?? []);
  const values = {
    name: change.name,
    status: change.status,
    planId: change.planId,
    models: change.models === undefined ? undefined : distinct(change.models),
    expiresAt: change.expiresAt,
    quotaMicroCents: change.quota === undefined ? undefined : microCentsFromCents(change.quota),
  };
  if (Object.values(values).every((value) => value === undefined)) return keyRecordOf(before);
  const [row] = await orm
    .update(apiKeys)
    .set(values)
    .where(and(eq(apiKeys.id, before.id), isNull(apiKeys.deletedAt)))
    .returning();
  if (row === undefined) throw new GatewayError("NOT_FOUND", "There is no such key.");
  return keyRecordOf(row);
}

/**
 * Deletes a key permanently; row and hash stay, so that sums stay correct and the key is never issued again.
 * Throws: NOT_FOUND, CONFLICT (the console key).
 */
export async function deleteKey(orm: Orm, userId: string, keyId: string, now: Date): Promise<void> {
  const { id } = await requireChangeable(orm, userId, keyId);
  await orm.update(apiKeys).set({ status: "disabled", deletedAt: now }).where(eq(apiKeys.id, id));
}

/** The plan of a key. */
export function planOfKey(db: Session, key: KeyRow): Promise<PlanRow> {
  return planById(db, key.planId);
}

/** The plan of an account. */
export function planOfAccount(db: Session, user: UserRow): Promise<PlanRow> {
  return planById(db, user.planId);
}

/** The account that pays a key. */
export async function accountOfKey(orm: Orm, key: KeyRow): Promise<UserRow> {
  return onlyRow(await orm.select().from(users).where(eq(users.id, key.userId)));
}

async function planById(db: Session, id: number): Promise<PlanRow> {
  const [plan] = await db.orm.select().from(plans).where(eq(plans.id, id));
  if (plan === undefined) throw new Error(`the plan ${id} was not found`);
  return plan;
}

/**
 * Accounts may choose self-service plans and their own plan; others would be a free upgrade.
 * Source: docs/contract.md#s4.
 */
async function choosePlan(orm: Orm, user: UserRow, planId: number): Promise<PlanRow> {
  const plan = await requirePlan(orm, planId);
  if (plan.selfService || plan.id === user.planId) return plan;
  throw new GatewayError("FORBIDDEN", `The plan ${plan.name} is given by an admin only.`);
}

async function requirePlan(orm: Orm, planId: number): Promise<PlanRow> {
  const [plan] = await orm.select().from(plans).where(eq(plans.id, planId)).limit(1);
  if (plan === undefined) throw badField("planId", "is not the id of a plan");
  return plan;
}

/** Locks the account until the transaction ends. Throws: CONFLICT. Source: docs/contract.md#account-limits. */
async function requireRoomForKey(orm: Orm, userId: string): Promise<void> {
  const ofAccount = eq(users.id, userId);
  await orm.select({ id: users.id }).from(users).where(ofAccount).for("no key update");
  const [found] = await orm
    .select({ accountLimits: plans.accountLimits, limitOverrides: users.limitOverrides })
    .from(users)
    .innerJoin(plans, eq(plans.id, users.planId))
    .where(ofAccount);
  if (found === undefined) throw new Error("the account of a new key was not found");
  const limit = Math.min(MAX_KEYS, accountLimitsOf(found, found).keys ?? MAX_KEYS);
  if ((await countKeys(orm, userId)) < limit) return;
  const text =
    limit === 0
      ? "This account may have no keys."
      : `This account may have at most ${limit} keys. Delete one first.`;
  throw new GatewayError("CONFLICT", text, { reason: "account_limit", limit: "keys" });
}

function checkExpiry(expiresAt: Date | null | undefined, now: Date): void {
  if (expiresAt && expiresAt <= now) throw badField("expiresAt", "must be in the future");
}

/** How many keys an account pays, without its console key. */
export async function countKeys(orm: Orm, userId: string): Promise<number> {
  const ofAccount = and(eq(apiKeys.userId, userId), isListed);
  return onlyRow(await orm.select({ total: count() }).from(apiKeys).where(ofAccount)).total;
}

const isListed = and(isNull(apiKeys.deletedAt), isNull(apiKeys.consoleNumber));

function distinct(models: string[] | null | undefined): string[] | null {
  return models ? [...new Set(models)] : null;
}
