import { offsetOf, type Page, type PageRequest, pageOf } from "@/lib/accounts/page";
import type { Session, SqlValue } from "@/lib/db/database";
import { onlyRow } from "@/lib/db/rows";
import { GatewayError } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/uuid";
import type { BudgetScope, BudgetUnit } from "@/lib/shared/budget-words";
import {
  type BudgetRow,
  budgetOf,
  type CounterRow,
  counterOf,
  type MemberRow,
  memberOf,
} from "./budget-record";
import {
  type BudgetReader,
  COUNTER,
  IS_LIVE,
  IS_VISIBLE,
  IS_VISIBLE_MEMBER,
  MEMBER_COUNTER,
  MEMBERS,
  OWN_RULE,
  RULE_COLUMNS,
  RULE_PARTS,
  RULES,
  readerParams,
  SHARE,
} from "./budget-sql";

/** Which rules are listed; absent fields match everything. */
export interface BudgetFilter {
  scope?: BudgetScope | undefined;
  planId?: number | undefined;
  userId?: string | undefined;
  projectId?: string | undefined;
  /** The rules that this key meets. */
  tokenId?: string | undefined;
}

/** The live rules that a reader may see, those nearest to their limit first. Source: docs/budgets.md#operations. */
export async function listBudgets(
  db: Session,
  reader: BudgetReader,
  filter: BudgetFilter,
  request: PageRequest,
): Promise<Page<ReturnType<typeof budgetOf>>> {
  const params = readerParams(reader);
  const where = `${IS_VISIBLE} AND ${IS_LIVE}${conditionsOf(filter, params)}`;
  const { total } = onlyRow(
    await db.query<{ total: bigint }>(`SELECT count(*) AS total FROM ${RULES} WHERE ${where}`, params),
  );
  const rows = await db.query<BudgetRow>(
    `SELECT ${RULE_COLUMNS} FROM ${RULES} ${RULE_PARTS} WHERE ${where}
     ORDER BY b.enabled DESC, greatest(own.share, many.share, 0) DESC, b.created_at DESC, b.id
     LIMIT ${request.pageSize} OFFSET ${offsetOf(request)}`,
    params,
  );
  return pageOf(request, rows.map(budgetOf), Number(total));
}

function conditionsOf(filter: BudgetFilter, params: SqlValue[]): string {
  const narrow = (value: string | number | undefined, condition: (parameter: string) => string) => {
    if (value === undefined) return "";
    params.push(value);
    return ` AND ${condition(`$${params.length}`)}`;
  };
  return (
    narrow(filter.scope, (scope) => `b.scope = ${scope}::text`) +
    narrow(filter.planId, (plan) => `b.plan_id = ${plan}::integer`) +
    narrow(filter.userId, (user) => `(b.user_id = ${user}::uuid OR k.user_id = ${user}::uuid)`) +
    narrow(filter.projectId, (project) => `b.project_id = ${project}::uuid`) +
    narrow(filter.tokenId, metBy)
  );
}

/** A rule that a key meets, if the key is the reader's. */
function metBy(key: string): string {
  return `EXISTS (SELECT FROM api_keys met JOIN users payer ON payer.id = met.user_id
    WHERE met.id = ${key}::uuid AND ($2::boolean OR met.user_id = $1::uuid OR met.created_by = $1::uuid)
      AND (b.scope = 'platform' OR b.key_id = met.id OR b.user_id = met.user_id OR b.project_id = met.project_id
        OR b.plan_id = CASE b.each WHEN 'key' THEN met.plan_id ELSE payer.plan_id END))`;
}

/** A rule that the reader may see, also one that has ended. Throws: NOT_FOUND. */
export async function findBudget(db: Session, reader: BudgetReader, id: string) {
  const [row] = await db.query<BudgetRow>(
    `SELECT ${RULE_COLUMNS} FROM ${RULES} ${RULE_PARTS} WHERE ${IS_VISIBLE} AND b.id = $3::uuid`,
    [...readerParams(reader), knownId(id)],
  );
  if (row === undefined) throw unknownBudget();
  return budgetOf(row);
}

/** The periods of a rule's counter, the newest first; `member`: of a rule with a counter for each. Throws: NOT_FOUND. */
export async function listBudgetWindows(
  db: Session,
  reader: BudgetReader,
  id: string,
  request: PageRequest & { member?: string | undefined },
) {
  const unit = await unitOf(db, reader, id);
  const params: SqlValue[] = [...readerParams(reader), id, request.member ?? null];
  // Others' use of a common counter of the platform or a plan is none of the reader's business.
  const from = `${RULES} JOIN budget_windows w ON w.budget_id = b.id
    LEFT JOIN budget_exceptions e ON e.budget_id = w.budget_id AND e.member = w.member
    WHERE b.id = $3::uuid AND w.member = coalesce($4::uuid, CASE b.each WHEN 'account' THEN $1::uuid ELSE '00000000-0000-0000-0000-000000000000' END)
      AND (${IS_VISIBLE_MEMBER} OR (b.each = 'none' AND b.scope = 'project' AND ${IS_VISIBLE}))`;
  const { total } = onlyRow(
    await db.query<{ total: bigint }>(`SELECT count(*) AS total FROM ${from}`, params),
  );
  const rows = await db.query<{ counter: CounterRow }>(
    `SELECT ${COUNTER} AS counter FROM ${from} ORDER BY w.ends_at DESC LIMIT ${request.pageSize} OFFSET ${offsetOf(request)}`,
    params,
  );
  return pageOf(
    request,
    rows.map(({ counter }) => counterOf(unit, counter)),
    Number(total),
  );
}

/** The counters of the members of a rule in the running period. Throws: NOT_FOUND. */
export async function listBudgetMembers(
  db: Session,
  reader: BudgetReader,
  id: string,
  request: PageRequest & { sort: "share" | "used" },
) {
  const unit = await unitOf(db, reader, id);
  const params: SqlValue[] = [...readerParams(reader), id];
  const from = `${RULES}, LATERAL (SELECT w.member, w.used, ${SHARE} AS share, ${MEMBER_COUNTER} AS row
    FROM ${MEMBERS} WHERE b.each <> 'none' AND ${IS_VISIBLE_MEMBER}) found WHERE b.id = $3::uuid`;
  const { total } = onlyRow(
    await db.query<{ total: bigint }>(`SELECT count(*) AS total FROM ${from}`, params),
  );
  const rows = await db.query<{ row: MemberRow }>(
    `SELECT found.row FROM ${from} ORDER BY found.${request.sort} DESC, found.member
     LIMIT ${request.pageSize} OFFSET ${offsetOf(request)}`,
    params,
  );
  return pageOf(
    request,
    rows.map(({ row }) => memberOf(unit, row)),
    Number(total),
  );
}

async function unitOf(db: Session, reader: BudgetReader, id: string): Promise<BudgetUnit> {
  const [row] = await db.query<{ unit: BudgetUnit }>(
    `SELECT b.unit FROM ${RULES} WHERE ${IS_VISIBLE} AND b.id = $3::uuid`,
    [...readerParams(reader), knownId(id)],
  );
  if (row === undefined) throw unknownBudget();
  return row.unit;
}

/** Whether a reader may change a rule and give more in a period, apart from locks. Throws: NOT_FOUND. */
export async function ownsBudget(db: Session, reader: BudgetReader, id: string): Promise<boolean> {
  const [row] = await db.query<{ own: boolean }>(
    `SELECT ${OWN_RULE} AS own FROM ${RULES} WHERE ${IS_VISIBLE} AND b.id = $3::uuid`,
    [...readerParams(reader), knownId(id)],
  );
  if (row === undefined) throw unknownBudget();
  return row.own;
}

/** Throws: NOT_FOUND for a malformed id, as for an unknown one. */
function knownId(id: string): string {
  if (!isUuid(id)) throw unknownBudget();
  return id;
}

function unknownBudget(): GatewayError {
  return new GatewayError("NOT_FOUND", "There is no such budget.");
}
