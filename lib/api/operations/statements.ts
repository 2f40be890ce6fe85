import type { z } from "zod";
import { wholeList } from "@/lib/accounts/page";
import { openProject, requireOwner } from "@/lib/accounts/projects/access";
import {
  accountStatement,
  accountStatementExportQuery,
  accountStatementQuery,
  groupedStatement,
  groupedStatementQuery,
  statementExportQuery,
  statementMonths,
} from "@/lib/api/schemas/statements";
import { runtime } from "@/lib/gateway/runtime";
import { csvOf } from "@/lib/reports/csv";
import { accountColumns, walkAccountFile } from "@/lib/reports/statements/account-file";
import { readAccountStatement } from "@/lib/reports/statements/account-statement";
import { databaseNow, readStatementCalendar } from "@/lib/reports/statements/calendar";
import { lineColumns } from "@/lib/reports/statements/csv-columns";
import { focusColumns, walkFocus } from "@/lib/reports/statements/focus";
import { readGroupedStatement } from "@/lib/reports/statements/grouped-statement";
import { headOf, readStatementHeads, type StatementHead } from "@/lib/reports/statements/heads";
import { readMonthSums } from "@/lib/reports/statements/month-sums";
import { walkStatementLines } from "@/lib/reports/statements/walk-lines";
import { defineOperation } from "../operation";

const own = { method: "get", tag: "Usage", caller: "account" } as const;
const all = { method: "get", tag: "Admin: people", caller: "admin", reader: true } as const;

/** The most rows of an export. */
const MAX_ROWS = 1_000_000;

const file = (description: string) =>
  ({
    status: 200,
    description,
    other: { mediaType: "text/csv", description: "One line a row, safe to open in a spreadsheet" },
  }) as const;

/** Statements of months, of the caller and of all accounts. Source: docs/budgets.md#statements. */
export const statementOperations = [
  defineOperation(
    {
      ...own,
      path: "/api/user/statements",
      id: "listStatements",
      summary: "List the months of your statements",
      success: { status: 200, description: "With their sums, the newest first", schema: statementMonths },
    },
    ({ user }) =>
      runtime().reports.run(user.id, async () => {
        const { db, calendar, heads } = await readCalendar();
        const since = heads.filter(({ endsAt }) => endsAt > user.createdAt);
        return wholeList(await readMonthSums(db, calendar, since, user.id));
      }),
  ),
  defineOperation(
    {
      ...own,
      path: "/api/user/statements/{month}",
      id: "getStatement",
      summary: "Show your statement of a month",
      query: accountStatementQuery,
      success: { status: 200, description: "Balances, grants and use", schema: accountStatement },
      errors: ["INVALID_REQUEST", "FORBIDDEN", "NOT_FOUND"],
    },
    ({ user, params, query }) =>
      runtime().reports.run(user.id, async () => {
        const { db, calendar, head } = await readMonth(params.month);
        return readAccountStatement(db, calendar, head, await accountOf(user.id, query));
      }),
  ),
  defineOperation(
    {
      ...own,
      path: "/api/user/statements/{month}/export",
      id: "exportStatement",
      summary: "Download your statement of a month",
      query: accountStatementExportQuery,
      success: file("Balances, grants and lines by key and model as CSV; exact amounts"),
      errors: ["INVALID_REQUEST", "FORBIDDEN", "NOT_FOUND"],
    },
    async ({ user, params, query: { bom, ...query } }) => {
      const { db, calendar, head } = await readMonth(params.month);
      const of = { ...(await accountOf(user.id, query)), maxRows: MAX_ROWS };
      const bounds = { reports: runtime().reports, accountId: user.id, bom };
      return {
        name: nameOf(query.projectId === undefined ? "statement" : "project-statement", head),
        content: await csvOf(walkAccountFile(db, calendar, head, of), bounds, accountColumns(head)),
      };
    },
  ),
  defineOperation(
    {
      ...all,
      path: "/api/admin/statements",
      id: "listAllStatements",
      summary: "List the months of everybody's statements",
      success: { status: 200, description: "With their sums, the newest first", schema: statementMonths },
    },
    ({ user }) =>
      runtime().reports.run(user.id, async () => {
        const { db, calendar, heads } = await readCalendar();
        return wholeList(await readMonthSums(db, calendar, heads));
      }),
  ),
  defineOperation(
    {
      ...all,
      path: "/api/admin/statements/{month}",
      id: "getGroupedStatement",
      summary: "Show a month's sums by account, project or cost centre",
      query: groupedStatementQuery,
      success: { status: 200, description: "Each beside the month before", schema: groupedStatement },
      errors: ["INVALID_REQUEST", "NOT_FOUND"],
    },
    ({ user, params, query }) =>
      runtime().reports.run(user.id, async () => {
        const { db, calendar, head } = await readMonth(params.month);
        return readGroupedStatement(db, calendar, head, query.by);
      }),
  ),
  defineOperation(
    {
      ...all,
      path: "/api/admin/statements/{month}/export",
      id: "exportStatementLines",
      summary: "Download all lines of a month",
      query: statementExportQuery,
      success: file("The lines of all accounts by key and model as CSV; exact amounts"),
      errors: ["INVALID_REQUEST", "NOT_FOUND"],
    },
    async ({ user, params, query: { bom } }) => {
      const { db, calendar, head } = await readMonth(params.month);
      const bounds = { reports: runtime().reports, accountId: user.id, bom };
      return {
        name: nameOf("statement-lines", head),
        content: await csvOf(
          walkStatementLines(db, calendar, head, { maxRows: MAX_ROWS }),
          bounds,
          lineColumns,
        ),
      };
    },
  ),
  defineOperation(
    {
      ...all,
      path: "/api/admin/statements/{month}/focus",
      id: "exportFocus",
      summary: "Download all lines of a month in the FOCUS format",
      query: statementExportQuery,
      success: file("The lines and grants of all accounts as CSV by FOCUS 1.2"),
      errors: ["INVALID_REQUEST", "NOT_FOUND"],
    },
    async ({ user, params, query: { bom } }) => {
      const { db, calendar, heads, head } = await readMonth(params.month);
      const bounds = { reports: runtime().reports, accountId: user.id, bom };
      return {
        name: nameOf("focus", head),
        content: await csvOf(walkFocus(db, calendar, heads, head, MAX_ROWS), bounds, focusColumns),
      };
    },
  ),
];

/** The months of statements at this moment. */
async function readCalendar() {
  const { db, settings } = runtime();
  const calendar = await readStatementCalendar(db, settings.reportTimezone, await databaseNow(db));
  return { db, calendar, heads: await readStatementHeads(db, calendar) };
}

/** The same with one month. Throws: NOT_FOUND. */
async function readMonth(month: string) {
  const read = await readCalendar();
  return { ...read, head: headOf(read.heads, month) };
}

/** Whose lines a caller asks for. Throws: NOT_FOUND, FORBIDDEN. */
async function accountOf(userId: string, { projectId }: z.infer<typeof accountStatementQuery>) {
  if (projectId === undefined) return { userId };
  const { project, role } = await openProject(runtime().db.orm, userId, projectId);
  requireOwner(role);
  return { userId: project.userId, projectId };
}

function nameOf(what: string, { month, closedAt }: StatementHead): string {
  return `tollgate-${what}-${month}${closedAt === null ? "-open" : ""}.csv`;
}
