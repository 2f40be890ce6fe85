import { offsetOf, type Page, type PageRequest, pageOf } from "@/lib/accounts/page";
import type { Session, SqlValue } from "@/lib/db/database";
import { onlyRow } from "@/lib/db/rows";
import type { BudgetScope } from "@/lib/shared/budget-words";
import { type BudgetReader, readerParams } from "./budget-reader";
import { type BudgetRow, budgetOf } from "./budget-record";
import { IS_VISIBLE, isOwnKey, memberOfKey, RULE_COLUMNS, ruleParts } from "./budget-sql";
import { IS_LIVE, RULES } from "./budget-tables";

/** Which rules are listed; absent fields match everything. */
export interface BudgetFilter {
  scope?: BudgetScope | undefined;
  planId?: number | undefined;
  userId?: string | undefined;
  projectId?: string | undefined;
  /** The rules that this key meets. */
  tokenId?: string | undefined;
}

/**
 * The live rules that a reader may see, those nearest to their limit first; of a key each with the counter that it meets.
 * Source: docs/budgets.md#operations.
 */
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
  // The key's id is the last parameter.
  const parts = filter.tokenId === undefined ? ruleParts() : ruleParts(memberOfKey(`$${params.length}`));
  const rows = await db.query<BudgetRow>(
    `SELECT ${RULE_COLUMNS} FROM ${RULES} ${parts} WHERE ${where}
     ORDER BY b.enabled DESC, greatest(own.share, many.share, 0) DESC, b.created_at DESC, b.id
     LIMIT ${request.pageSize} OFFSET ${offsetOf(request)}`,
    params,
  );
  return pageOf(
    request,
    rows.map((row) => budgetOf(row, reader)),
    Number(total),
  );
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
    narrow(filter.userId, (user) => `${user}::uuid IN (b.user_id, k.user_id, j.user_id)`) +
    narrow(filter.projectId, (project) => `b.project_id = ${project}::uuid`) +
    narrow(filter.tokenId, metBy)
  );
}

/** A rule that a key meets, if the key is the reader's. */
function metBy(key: string): string {
  return `EXISTS (SELECT FROM api_keys met JOIN users payer ON payer.id = met.user_id
    WHERE met.id = ${key}::uuid AND ($2::boolean OR ${isOwnKey("met")})
      AND (b.scope = 'platform' OR b.key_id = met.id OR b.user_id = met.user_id OR b.project_id = met.project_id
        OR b.plan_id = CASE b.each WHEN 'key' THEN met.plan_id ELSE payer.plan_id END))`;
}
