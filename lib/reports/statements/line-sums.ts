import { type LineSums, SUMS } from "./lines";

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
  for (const column of SUMS) to[column] += line[column];
}
