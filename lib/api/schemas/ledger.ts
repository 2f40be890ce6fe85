import { z } from "zod";
import { must } from "./fields";
import { listOf } from "./list-of";
import { cursorQuery } from "./pages";

/** The kinds of changes of a balance. */
const ledgerTypes = ["signup", "grant", "adjustment", "invite", "charge"] as const;

const day = z.iso.date(must("must be a day such as 2026-11-21"));

/** GET /api/user/ledger/export and /months. */
export const ledgerFilter = z.object({
  type: z.enum(ledgerTypes, must(`must be one of ${ledgerTypes.join(", ")}`)).optional(),
  from: day.optional().describe("The first day, in the time zone"),
  to: day.optional().describe("The last day"),
});

/** GET /api/user/ledger. */
export const ledgerQuery = cursorQuery.extend(ledgerFilter.shape);

/** GET /api/user/ledger/months. Money in cents as exact decimal text. Source: docs/contract.md#ledger-months. */
export const ledgerMonths = listOf(
  z.object({
    month: z
      .string()
      .regex(/^\d{4}-\d{2}$/)
      .describe("In the time zone"),
    added: z.string().describe("Grants, adjustments and rewards, less what was taken away"),
    charged: z.string(),
    requestCount: z.int().describe("Requests that were recorded, whatever became of them"),
    balanceAfter: z.string(),
  }),
);

/** A change of the account's balance. Money in cents as exact decimal text. Source: docs/contract.md#s5 (ledger). */
export const ledgerEntry = z.object({
  id: z.string(),
  type: z.enum(ledgerTypes),
  createdAt: z.iso.datetime(),
  amount: z.string().describe("Signed"),
  balanceAfter: z.string(),
  reason: z.string(),
  date: z.iso.date().nullable().describe("The day of a charge, in the time zone"),
  tokenId: z.string().nullable(),
  tokenName: z.string().nullable(),
  keyPrefix: z.string().nullable(),
  requestCount: z.int().nullable(),
});
