import { centsDecimal } from "@/lib/kernel/money";
import type { LineSums } from "./lines";

/** Sums of nothing, to add to. */
export function noSums(): LineSums {
  return {
    requests: 0n,
    input_tokens: 0n,
    cache_read_tokens: 0n,
    cache_write_tokens: 0n,
    output_tokens: 0n,
    cost_micro_cents: 0n,
  };
}

/** Adds the sums of a line to others. */
export function addSums(to: LineSums, line: LineSums): void {
  to.requests += line.requests;
  to.input_tokens += line.input_tokens;
  to.cache_read_tokens += line.cache_read_tokens;
  to.cache_write_tokens += line.cache_write_tokens;
  to.output_tokens += line.output_tokens;
  to.cost_micro_cents += line.cost_micro_cents;
}

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
