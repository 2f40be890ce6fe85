import { and, asc, count, desc, eq, ilike, inArray, max, or, type SQL, sql } from "drizzle-orm";
import { accountLimitsOf } from "@/lib/accounts/account-limits";
import { typedPrefix } from "@/lib/accounts/key-text";
import { offsetOf, type Page, type PageRequest, pageOf } from "@/lib/accounts/page";
import { profileOf } from "@/lib/accounts/profile-of";
import type { UserRow } from "@/lib/accounts/session";
import type { Orm, Session } from "@/lib/db/database";
import { onlyRow } from "@/lib/db/rows";
import { type AccountLimits, apiKeys, plans, users } from "@/lib/db/schema/accounts";
import { badField } from "@/lib/kernel/errors";
import { centsDecimal } from "@/lib/kernel/money";
import { requireFound, uuidOf } from "./audit";

/** The account as admins see it. */
export function userRecordOf(row: UserRow) {
  return {
    ...profileOf(row),
    limitOverrides: row.limitOverrides,
    costCentre: row.costCentre,
    invitedBy: row.invitedBy,
    deletedAt: row.deletedAt?.toISOString() ?? null,
    suspension:
      row.status === "suspended"
        ? { since: row.suspendedAt?.toISOString() ?? null, reason: row.suspendedReason ?? "" }
        : null,
  };
}

/** The row of an account in any state. Throws: NOT_FOUND. */
export async function userById(orm: Orm, id: string): Promise<UserRow> {
  const [row] = await orm
    .select()
    .from(users)
    .where(eq(users.id, uuidOf(id, "account")))
    .limit(1);
  return requireFound(row, "account");
}

/** A filter of accounts; absent fields match everything. */
export interface UserFilter {
  /** Part of a username, display name or e-mail. */
  search?: string | undefined;
  role?: UserRow["role"] | undefined;
  /** `current`: not deleted. */
  status?: UserRow["status"] | "current" | undefined;
  planId?: number | undefined;
  /** `low`: at most a tenth of the quota is left; `empty`: nothing is. */
  quota?: "low" | "empty" | undefined;
}

/** What accounts are sorted by. */
export type UserSort = "createdAt" | "username" | "used" | "billed30d" | "remaining" | "lastActiveAt";

/** An account on its own page. */
export type UserView = ReturnType<typeof userRecordOf> & {
  lastActiveAt: string | null;
  /** The plans of its keys, deleted ones left out. */
  keyPlanIds: number[];
  /** Without deleted ones and the console key. */
  keyCount: number;
  accountLimits: AccountLimits;
};

/** An account in a list. Units: cents, exact. */
export type ListedUser = UserView & { billed30d: string };

/** The roll-ups of the 30 days of `billed30d`, as a table to select from. */
interface BilledIn {
  rollups: SQL;
}

const remaining = sql`(${users.quotaMicroCents} - ${users.usedMicroCents})`;

/**
 * Accounts in the requested order. Sorting by amounts or by the last use reads every account, and sorting by billed
 * amounts also the roll-ups of that time, as statistics do; all other queries use an index. Source:
 * docs/contract.md#s5.
 */
export async function listUsers(
  db: Session,
  filter: Ordered,
  request: PageRequest,
): Promise<Page<ListedUser>> {
  const ids = await idsInOrder(db, filter, { limit: request.pageSize, offset: offsetOf(request) });
  const { total } = onlyRow(await db.orm.select({ total: count() }).from(users).where(conditionOf(filter)));
  return pageOf(request, await listedInOrder(db, ids, filter), total);
}

type Ordered = UserFilter & BilledIn & { sort: UserSort; order: "asc" | "desc" };

async function idsInOrder(
  db: Session,
  filter: Ordered,
  { limit, offset }: { limit: number; offset: number },
): Promise<string[]> {
  const billed = billedIn(db, filter.rollups).as("billed");
  // The database leaves these joins out unless the order needs them, because they add no row.
  const active = db.orm
    .select({ userId: apiKeys.userId, at: max(apiKeys.lastUsedAt).as("at") })
    .from(apiKeys)
    .groupBy(apiKeys.userId)
    .as("active");
  const found = await db.orm
    .select({ id: users.id })
    .from(users)
    .leftJoin(active, eq(active.userId, users.id))
    .leftJoin(billed, eq(billed.userId, users.id))
    .where(conditionOf(filter))
    .orderBy(...ordering(filter, { lastUse: sql`${active.at}`, billed: sql`${billed.amount}` }))
    .limit(limit)
    .offset(offset);
  return found.map(({ id }) => id);
}

async function listedInOrder(db: Session, ids: string[], billedIn: BilledIn): Promise<ListedUser[]> {
  const rows = ids.length === 0 ? [] : await db.orm.select().from(users).where(inArray(users.id, ids));
  const views = new Map((await listedOf(db, rows, billedIn)).map((view) => [view.id, view]));
  return ids.flatMap((id) => views.get(id) ?? []);
}

function conditionOf(filter: UserFilter): SQL | undefined {
  const { status, quota } = filter;
  return and(
    filter.search === undefined ? undefined : matches(filter.search),
    filter.role && eq(users.role, filter.role),
    status === "current" ? sql`${users.status} <> 'deleted'` : status && eq(users.status, status),
    filter.planId === undefined ? undefined : eq(users.planId, filter.planId),
    quota && (quota === "low" ? sql`${remaining} <= ${users.quotaMicroCents} / 10` : sql`${remaining} <= 0`),
  );
}

function ordering(
  { sort, order }: { sort: UserSort; order: "asc" | "desc" },
  { lastUse, billed }: { lastUse: SQL; billed: SQL },
): SQL[] {
  const directed = order === "asc" ? asc : desc;
  const keys = {
    createdAt: users.createdAt,
    username: users.usernameKey,
    used: users.usedMicroCents,
    billed30d: sql`coalesce(${billed}::numeric, 0)`,
    remaining,
    // Accounts that were never active are the least recently active.
    lastActiveAt: sql`coalesce(${lastUse}, '-infinity'::timestamptz)`,
  };
  return [directed(keys[sort]), directed(users.id)];
}

/** The billed amounts of all or some accounts; accounts without a billed amount are left out. Units: micro-cents. */
function billedIn({ orm }: Session, rollups: SQL, ids?: string[]) {
  const userId = sql<string>`user_id`;
  return orm
    .select({
      userId: userId.as("billed_user"),
      amount: sql<string>`sum(cost_micro_cents)::text`.as("billed_amount"),
    })
    .from(sql`${rollups} found`)
    .where(ids && inArray(userId, ids))
    .groupBy(userId);
}

async function listedOf(db: Session, rows: readonly UserRow[], { rollups }: BilledIn): Promise<ListedUser[]> {
  if (rows.length === 0) return [];
  const views = await viewsOf(db, rows);
  const sums = await billedIn(
    db,
    rollups,
    rows.map(({ id }) => id),
  );
  const billed = new Map(sums.map(({ userId, amount }) => [userId, BigInt(amount)]));
  return views.map((view) => ({ ...view, billed30d: centsDecimal(billed.get(view.id) ?? 0n) }));
}

/**
 * The accounts with the last use of any of their keys, deleted ones included, and the plans of the keys that are not
 * deleted.
 */
async function viewsOf(db: Session, rows: readonly UserRow[]): Promise<UserView[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const uses = await db.orm
    .select({
      userId: apiKeys.userId,
      at: max(apiKeys.lastUsedAt),
      plans: sql<
        string | null
      >`string_agg(DISTINCT ${apiKeys.planId}::text, ',') FILTER (WHERE ${apiKeys.deletedAt} IS NULL)`,
      keys: sql<number>`(count(*) FILTER (WHERE ${apiKeys.deletedAt} IS NULL AND ${apiKeys.consoleNumber} IS NULL))::int`,
    })
    .from(apiKeys)
    .where(inArray(apiKeys.userId, ids))
    .groupBy(apiKeys.userId);
  const limitsOf = new Map(
    (await db.orm.select({ id: plans.id, accountLimits: plans.accountLimits }).from(plans)).map((plan) => [
      plan.id,
      plan,
    ]),
  );
  const usesOf = new Map(uses.map((use) => [use.userId, use]));
  return rows.map((row) => {
    const { at = null, plans = null, keys = 0 } = usesOf.get(row.id) ?? {};
    const keyPlanIds = (plans?.split(",") ?? []).map(Number).sort((a, b) => a - b);
    return {
      ...userRecordOf(row),
      lastActiveAt: at?.toISOString() ?? null,
      keyPlanIds,
      keyCount: keys,
      accountLimits: accountLimitsOf(limitsOf.get(row.planId) ?? { accountLimits: null }, row),
    };
  });
}

/** All matching accounts in the requested order, in batches and at most `maxRows`, each with the name of its plan. */
export async function* walkUsers(
  db: Session,
  filter: Ordered,
  maxRows: number,
  batchSize = 1_000,
): AsyncGenerator<(ListedUser & { plan: string })[]> {
  const known = await db.orm.select({ id: plans.id, name: plans.name }).from(plans);
  const names = new Map(known.map((plan) => [plan.id, plan.name]));
  const ids = await idsInOrder(db, filter, { limit: maxRows, offset: 0 });
  for (let at = 0; at < ids.length; at += batchSize) {
    const views = await listedInOrder(db, ids.slice(at, at + batchSize), filter);
    if (views.length > 0) yield views.map((view) => ({ ...view, plan: names.get(view.planId) ?? "" }));
  }
}

/** The columns of the file of accounts, in the order of the list. Units: cents. */
const userColumns: Readonly<Record<string, (user: ListedUser & { plan: string }) => string>> = {
  id: (user) => user.id,
  username: (user) => user.username,
  name: (user) => user.name,
  email: (user) => user.email,
  role: (user) => user.role,
  status: (user) => user.status,
  suspendedSince: (user) => user.suspension?.since ?? "",
  suspendedReason: (user) => user.suspension?.reason ?? "",
  plan: (user) => user.plan,
  costCentre: (user) => user.costCentre,
  quotaCents: (user) => user.quota,
  usedCents: (user) => user.usedExact,
  heldCents: (user) => user.heldExact,
  billed30dCents: (user) => user.billed30d,
  lastActiveAt: (user) => user.lastActiveAt ?? "",
  requests: (user) => user.requestCount,
  createdAt: (user) => user.createdAt,
};

/** The columns of the file of these names, separated by commas; all without names. Throws: INVALID_REQUEST. */
export function chosenColumns(names: string | undefined): typeof userColumns {
  if (names === undefined) return userColumns;
  const chosen = Object.entries(userColumns).filter(([name]) => names.split(",").includes(name));
  if (chosen.length < names.split(",").length)
    throw badField("columns", `must be some of ${Object.keys(userColumns).join(",")}`);
  return Object.fromEntries(chosen);
}

/** One account. Throws: NOT_FOUND. */
export async function findAccount(db: Session, id: string): Promise<UserView> {
  const row = await userById(db.orm, id);
  const [view] = await viewsOf(db, [row]);
  if (view === undefined) throw new Error("the account that was read has no view");
  return view;
}

function matches(search: string): SQL | undefined {
  const pattern = `%${search.replace(/[\\%_]/g, "\\$&")}%`;
  const prefix = typedPrefix(search);
  const hasKey = sql`${users.id} IN (SELECT ${apiKeys.userId} FROM ${apiKeys} WHERE starts_with(${apiKeys.keyPrefix}, ${prefix}))`;
  return or(
    ilike(users.username, pattern),
    ilike(users.name, pattern),
    ilike(users.email, pattern),
    prefix === null ? undefined : hasKey,
  );
}
