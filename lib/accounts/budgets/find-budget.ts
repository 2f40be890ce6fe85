import { offsetOf, type PageRequest, pageOf } from "@/lib/accounts/page";
import type { Session, SqlValue } from "@/lib/db/database";
import { onlyRow } from "@/lib/db/rows";
import { NO_MEMBER } from "@/lib/db/schema/budgets";
import { GatewayError } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/uuid";
import type { BudgetUnit } from "@/lib/shared/budget-words";
import { type BudgetReader, readerParams } from "./budget-reader";
import {
  type BudgetRow,
  budgetOf,
  type CounterRow,
  counterOf,
  type MemberRow,
  memberOf,
} from "./budget-record";
import {
  COUNTER,
  IS_VISIBLE,
  IS_VISIBLE_MEMBER,
  MEMBER_COUNTER,
  MEMBERS,
  OWN_RULE,
  RULE_COLUMNS,
  ruleParts,
  SHARE,
} from "./budget-sql";
import { RULES } from "./budget-tables";

/** A rule that the reader may see, also one that has ended. Throws: NOT_FOUND. */
export async function findBudget(db: Session, reader: BudgetReader, id: string) {
  const [row] = await db.query<BudgetRow>(
    `SELECT ${RULE_COLUMNS} FROM ${RULES} ${ruleParts()} WHERE ${IS_VISIBLE} AND b.id = $3::uuid`,
    [...readerParams(reader), knownId(id)],
  );
  if (row === undefined) throw unknownBudget();
  return budgetOf(row, reader);
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
    WHERE b.id = $3::uuid AND w.member = coalesce($4::uuid, CASE b.each WHEN 'account' THEN $1::uuid ELSE '${NO_MEMBER}' END)
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
