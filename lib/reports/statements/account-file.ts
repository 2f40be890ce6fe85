import type { Session } from "@/lib/db/database";
import { centsDecimal } from "@/lib/kernel/money";
import type { Columns } from "../csv";
import { readStatementBalances } from "./balances";
import type { StatementCalendar } from "./calendar";
import { lineColumns, yuanDecimal } from "./csv-columns";
import type { StatementHead } from "./heads";
import { type StatementLine, walkStatementLines } from "./walk-lines";

/** A row of an account's file; money that was used is below 0, a balance is as it was. Units: micro-cents. */
export interface AccountFileRow {
  part: "opening" | "signup" | "grant" | "adjustment" | "invite" | "usage" | "late" | "others" | "closing";
  at: Date | null;
  reason: string;
  amount: bigint;
  line: StatementLine | null;
}

/**
 * The statement of an account as rows of a file: opening balance, what was granted, the lines, closing balance; of one
 * project its lines alone. Source: docs/budgets.md#statements.
 */
export async function* walkAccountFile(
  db: Pick<Session, "query">,
  calendar: StatementCalendar,
  head: StatementHead,
  of: { userId: string; projectId?: string | undefined; maxRows: number },
): AsyncGenerator<AccountFileRow[]> {
  const balances =
    of.projectId === undefined ? await readStatementBalances(db, calendar, head, of.userId) : null;
  let balance = balances?.opening ?? 0n;
  const balanceRow = (part: "opening" | "closing", at: Date) => [
    { part, at, reason: "", amount: balance, line: null },
  ];
  if (balances !== null) {
    yield balanceRow("opening", head.startsAt);
    const { grants, otherGrants } = balances;
    yield grants.map(({ type, at, reason, amount }) => ({ part: type, at, reason, amount, line: null }));
    if (otherGrants !== 0n) yield [{ part: "others", at: null, reason: "", amount: otherGrants, line: null }];
    balance = grants.reduce((sum, { amount }) => sum + amount, balance + otherGrants);
  }
  for await (const lines of walkStatementLines(db, calendar, head, of)) {
    const rows = lines.map((line): AccountFileRow => {
      const part = line.of_month === line.month ? "usage" : "late";
      return { part, at: null, reason: "", amount: -line.cost_micro_cents, line };
    });
    balance = rows.reduce((sum, { amount }) => sum + amount, balance);
    yield rows;
  }
  if (balances !== null) yield balanceRow("closing", head.endsAt);
}

const ofLine = Object.fromEntries(
  ["ofMonth", "costCentre", "projectId", "project", "member", "tokenId", "tokenName", "keyPrefix", "model"]
    .concat(["requests", "inputTokens", "cacheReadTokens", "cacheWriteTokens", "outputTokens"])
    .map((name) => [name, (row: AccountFileRow) => (row.line && lineColumns[name]?.(row.line)) ?? ""]),
);

/** The columns of an account's file. */
export function accountColumns({ month }: StatementHead): Columns<AccountFileRow> {
  return {
    part: ({ part }) => part,
    month: () => month,
    at: ({ at }) => at?.toISOString() ?? "",
    reason: ({ reason }) => reason,
    ...ofLine,
    amountCents: ({ amount }) => ({ number: centsDecimal(amount) }),
    amountYuan: ({ amount }) => ({ number: yuanDecimal(amount) }),
  };
}
