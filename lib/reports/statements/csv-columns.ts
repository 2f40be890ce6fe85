import { decimalOf } from "@/lib/kernel/decimal-text";
import { centsDecimal } from "@/lib/kernel/money";
import type { Columns } from "../csv";
import type { LineSums } from "./lines";
import type { StatementLine } from "./walk-lines";

/** Micro-cents as exact decimal text in yuan. */
export function yuanDecimal(microCents: bigint): string {
  return decimalOf(microCents, 8);
}

const counts: Columns<LineSums> = {
  requests: (line) => ({ number: String(line.requests) }),
  inputTokens: (line) => ({ number: String(line.input_tokens) }),
  cacheReadTokens: (line) => ({ number: String(line.cache_read_tokens) }),
  cacheWriteTokens: (line) => ({ number: String(line.cache_write_tokens) }),
  outputTokens: (line) => ({ number: String(line.output_tokens) }),
};

/** The columns of the file of all lines. Source: docs/budgets.md#statements. */
export const lineColumns: Columns<StatementLine> = {
  month: (line) => line.month,
  ofMonth: (line) => line.of_month,
  accountId: (line) => line.user_id,
  account: (line) => line.username,
  costCentre: (line) => line.cost_centre,
  projectId: (line) => line.project_id ?? "",
  project: (line) => line.project ?? "",
  memberId: (line) => line.member_id,
  member: (line) => line.member,
  tokenId: (line) => line.key_id,
  tokenName: (line) => line.key_name ?? "",
  keyPrefix: (line) => line.key_prefix ?? "",
  model: (line) => line.model,
  ...counts,
  costCents: (line) => ({ number: centsDecimal(line.cost_micro_cents) }),
  costYuan: (line) => ({ number: yuanDecimal(line.cost_micro_cents) }),
};
