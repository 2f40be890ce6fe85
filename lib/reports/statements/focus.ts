import type { Session } from "@/lib/db/database";
import type { Columns } from "../csv";
import type { StatementCalendar } from "./calendar";
import { yuanDecimal } from "./csv-columns";
import type { StatementHead } from "./heads";
import { walkStatementLines } from "./walk-lines";

/** The values of one charge by the columns of FOCUS; an absent one is null. A number is decimal text. */
type FocusRow = Readonly<Partial<Record<FocusColumn, string | { readonly number: string }>>>;

/**
 * The columns of FOCUS 1.2 that a statement has, in alphabetical order, and its own. A line mixes kinds of tokens, so
 * it has no unit price, and columns of unit prices would have to be filled.
 */
const FOCUS_COLUMNS = [
  "BilledCost",
  "BillingAccountId",
  "BillingAccountName",
  "BillingCurrency",
  "BillingPeriodEnd",
  "BillingPeriodStart",
  "ChargeCategory",
  "ChargeClass",
  "ChargeDescription",
  "ChargeFrequency",
  "ChargePeriodEnd",
  "ChargePeriodStart",
  "ConsumedQuantity",
  "ConsumedUnit",
  "ContractedCost",
  "EffectiveCost",
  "InvoiceIssuerName",
  "ListCost",
  "PricingQuantity",
  "PricingUnit",
  "ProviderName",
  "PublisherName",
  "ResourceId",
  "ResourceName",
  "ResourceType",
  "ServiceCategory",
  "ServiceName",
  "ServiceSubcategory",
  "SkuId",
  "SkuPriceId",
  "SubAccountId",
  "SubAccountName",
  "SubAccountType",
  "Tags",
  "x_CacheReadTokens",
  "x_CacheWriteTokens",
  "x_CostMicroCents",
  "x_InputTokens",
  "x_OutputTokens",
  "x_RequestCount",
] as const;
type FocusColumn = (typeof FOCUS_COLUMNS)[number];

/** The columns of the file. */
export const focusColumns: Columns<FocusRow> = Object.fromEntries(
  FOCUS_COLUMNS.map((column) => [column, (row: FocusRow) => row[column] ?? ""]),
);

const PROVIDER = "Tollgate";

/**
 * The lines of a month, then what was granted in it, as charges of FOCUS 1.2. A line of an earlier month is a
 * correction. Source: docs/budgets.md#focus.
 */
export async function* walkFocus(
  db: Pick<Session, "query">,
  calendar: StatementCalendar,
  heads: readonly StatementHead[],
  head: StatementHead,
  maxRows: number,
): AsyncGenerator<FocusRow[]> {
  const periods = new Map(heads.map((one) => [one.month, one]));
  for await (const lines of walkStatementLines(db, calendar, head, { maxRows })) {
    yield lines.map((line): FocusRow => {
      const late = line.of_month !== line.month;
      const tokens =
        line.input_tokens + line.cache_read_tokens + line.cache_write_tokens + line.output_tokens;
      return {
        ...chargeOf(head, line.cost_micro_cents, line),
        ...periodOf("Charge", periods.get(line.of_month) ?? head),
        ChargeCategory: "Usage",
        ...(late && { ChargeClass: "Correction" }),
        ChargeDescription: late
          ? `Inference with ${line.model}, settled after ${line.of_month} was closed`
          : `Inference with ${line.model}`,
        ChargeFrequency: "Usage-Based",
        ConsumedQuantity: whole(tokens),
        ConsumedUnit: "Tokens",
        PricingQuantity: whole(tokens),
        PricingUnit: "Tokens",
        ResourceId: line.key_id,
        ...(line.key_name && { ResourceName: line.key_name }),
        ResourceType: "API key",
        SkuId: line.model,
        SkuPriceId: line.model,
        ...(line.project_id !== null && {
          SubAccountId: line.project_id,
          SubAccountName: line.project ?? line.project_id,
          SubAccountType: "Project",
        }),
        Tags: JSON.stringify({ cost_centre: line.cost_centre, member: line.member }),
        x_CacheReadTokens: whole(line.cache_read_tokens),
        x_CacheWriteTokens: whole(line.cache_write_tokens),
        x_CostMicroCents: whole(line.cost_micro_cents),
        x_InputTokens: whole(line.input_tokens),
        x_OutputTokens: whole(line.output_tokens),
        x_RequestCount: whole(line.requests),
      };
    });
  }
  yield* walkCredits(db, head, maxRows);
}

interface Grant {
  user_id: string;
  username: string;
  cost_centre: string;
  kind: string;
  amount: bigint;
  reason: string;
  id: string;
  at: Date;
}

const CREDITS = `SELECT g.id::text AS id, g.user_id, u.username, u.cost_centre, g.kind, g.amount_micro_cents AS amount, g.reason, g.created_at AS at
FROM quota_grants g JOIN users u ON u.id = g.user_id
WHERE g.created_at >= $1::timestamptz AND g.created_at < $2::timestamptz AND ($3::uuid IS NULL OR g.id > $3::uuid)
ORDER BY g.id LIMIT $4::int`;
const BATCH = 20_000;

/** What was granted in a month, as credits. */
async function* walkCredits(
  db: Pick<Session, "query">,
  head: StatementHead,
  maxRows: number,
): AsyncGenerator<FocusRow[]> {
  let after: string | null = null;
  for (let given = 0; given < maxRows; given += BATCH) {
    const grants: Grant[] = await db.query(CREDITS, [head.startsAt, head.endsAt, after, BATCH]);
    yield grants.map((grant) => ({
      ...chargeOf(head, -grant.amount, grant),
      ...periodOf("Charge", head),
      ChargeCategory: "Credit",
      ChargeDescription: grant.reason === "" ? grant.kind : `${grant.kind}: ${grant.reason}`,
      ChargeFrequency: "One-Time",
      Tags: JSON.stringify({ cost_centre: grant.cost_centre }),
    }));
    after = grants.at(-1)?.id ?? null;
    if (grants.length < BATCH) return;
  }
}

/** What charges of both kinds have. */
function chargeOf(
  head: StatementHead,
  microCents: bigint,
  { user_id, username }: { user_id: string; username: string },
): FocusRow {
  const cost = { number: yuanDecimal(microCents) };
  return {
    BilledCost: cost,
    ContractedCost: cost,
    EffectiveCost: cost,
    ListCost: cost,
    BillingAccountId: user_id,
    BillingAccountName: username,
    BillingCurrency: "CNY",
    ...periodOf("Billing", head),
    InvoiceIssuerName: PROVIDER,
    ProviderName: PROVIDER,
    PublisherName: PROVIDER,
    ServiceCategory: "AI and Machine Learning",
    ServiceName: "Model inference",
    ServiceSubcategory: "Generative AI",
  };
}

function periodOf(of: "Billing" | "Charge", { startsAt, endsAt }: StatementHead): FocusRow {
  return { [`${of}PeriodStart`]: instant(startsAt), [`${of}PeriodEnd`]: instant(endsAt) };
}

const instant = (date: Date) => date.toISOString().replace(/\.\d+Z$/, "Z");

const whole = (value: bigint) => ({ number: String(value) });
