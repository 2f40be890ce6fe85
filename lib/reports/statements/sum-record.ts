import { centsDecimal } from "@/lib/kernel/money";
import type { LineSums } from "./lines";

/** Sums as the API shows them; the cost in cents as exact decimal text. */
export function sumRecordOf(sums: LineSums) {
  return {
    requestCount: Number(sums.requests),
    inputTokens: Number(sums.input_tokens),
    cacheReadTokens: Number(sums.cache_read_tokens),
    cacheWriteTokens: Number(sums.cache_write_tokens),
    outputTokens: Number(sums.output_tokens),
    cost: centsDecimal(sums.cost_micro_cents),
  };
}
