import { z } from "zod";
import { statementGroups } from "@/lib/reports/statements/grouped-statement";
import { must } from "./fields";
import { listOf } from "./list-of";
import { moment } from "./moments";
import { exportQuery } from "./stats";

const CENTS = "Cents as exact decimal text";

const head = z.object({
  month: z.string().regex(/^\d{4}-\d{2}$/),
  state: z.enum(["open", "closed"]),
  startsAt: moment,
  endsAt: moment.describe("Not included"),
  closesAt: moment.nullable().describe("From when on it is closed; null: it is"),
  closedAt: moment.nullable(),
  sha256: z.string().nullable().describe("Of the lines of all accounts; null: it is open"),
});

const sums = z.object({
  requestCount: z.int(),
  inputTokens: z.int().describe("Without those of the cache"),
  cacheReadTokens: z.int(),
  cacheWriteTokens: z.int(),
  outputTokens: z.int(),
  cost: z.string().describe(CENTS),
});

/** GET /api/user/statements, /api/admin/statements. Source: docs/budgets.md#statements. */
export const statementMonths = listOf(head.extend(sums.shape));

/** GET /api/user/statements/{month}. */
export const accountStatementQuery = z.object({
  projectId: z.uuid("must be the id of a project").optional().describe("The lines of one project alone"),
});

/** GET /api/user/statements/{month}/export. */
export const accountStatementExportQuery = accountStatementQuery.extend({ bom: exportQuery.shape.bom });

/** GET /api/admin/statements/{month}/export and /focus. */
export const statementExportQuery = exportQuery.pick({ bom: true });

const rows = z.object({
  rows: z
    .array(
      sums.extend({
        id: z.string(),
        name: z.string(),
        keyPrefix: z.string().nullable().describe("Of a key"),
        ofMonth: z.string().nullable().describe("Of a late line: the month of its requests"),
      }),
    )
    .describe("At most 200, by cost"),
  others: sums
    .extend({ count: z.int() })
    .nullable()
    .describe("The sum of further ones; null: there are none"),
});

/** GET /api/user/statements/{month}. Source: docs/budgets.md#statements. */
export const accountStatement = head.extend({
  timezone: z.string(),
  opening: z.string().nullable().describe(`${CENTS}; null: of one project`),
  closing: z.string().nullable().describe("The opening balance with grants and without the lines"),
  grants: z
    .array(
      z.object({
        id: z.string(),
        type: z.enum(["signup", "grant", "adjustment", "invite"]),
        createdAt: moment,
        amount: z.string().describe("Signed"),
        reason: z.string(),
      }),
    )
    .describe("At most 1,000, oldest first"),
  otherGrants: z.string().describe("The sum of further ones"),
  totals: sums.describe("Of all lines, late ones too"),
  models: rows,
  keys: rows,
  late: rows.describe("What settled after its month was closed, by month, key and model"),
});

/** GET /api/admin/statements/{month}. */
export const groupedStatementQuery = z.object({
  by: z
    .enum(statementGroups, must(`must be one of ${statementGroups.join(", ")}`))
    .prefault("account")
    .describe("What the sums are of"),
});

const figures = sums.extend({
  lateCost: z.string().describe("What of the cost belongs to earlier months"),
  previous: z.object({ requestCount: z.int(), cost: z.string() }).describe("Of the statement before"),
});

/** GET /api/admin/statements/{month}. Source: docs/budgets.md#statements. */
export const groupedStatement = head.extend({
  timezone: z.string(),
  by: z.enum(statementGroups),
  totals: figures,
  rows: z
    .array(
      figures.extend({
        id: z.string().describe("Empty: of no project, without a cost centre"),
        name: z.string(),
        owner: z.string().nullable().describe("Who pays a project"),
      }),
    )
    .describe("At most 200, by cost"),
  others: figures
    .extend({ count: z.int() })
    .nullable()
    .describe("The sum of further ones; null: there are none"),
});
