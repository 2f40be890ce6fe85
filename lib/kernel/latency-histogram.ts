/** Upper bounds of the latency buckets; one more bucket holds everything above. Units: milliseconds. */
export const LATENCY_BOUNDS_MS: readonly number[] = Array.from({ length: 39 }, (_, index) =>
  Math.round(2 ** (index / 2)),
);

/** Number of latency buckets. */
export const LATENCY_BUCKETS = LATENCY_BOUNDS_MS.length + 1;

/** Index of the bucket that contains a latency. Units: milliseconds in. */
export function latencyBucket(latencyMs: number): number {
  const found = LATENCY_BOUNDS_MS.findIndex((bound) => latencyMs <= bound);
  return found === -1 ? LATENCY_BOUNDS_MS.length : found;
}

/**
 * Quantile of a histogram by linear interpolation inside its bucket; null when it is empty.
 * Units: `quantile` 0..1, milliseconds out.
 */
export function histogramQuantile(counts: readonly number[], quantile: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = quantile * total;
  let seen = 0;
  for (const [index, count] of counts.entries()) {
    if (count > 0 && seen + count >= rank) return interpolate(index, (rank - seen) / count);
    seen += count;
  }
  return LATENCY_BOUNDS_MS.at(-1) ?? null;
}

function interpolate(index: number, share: number): number {
  const low = index === 0 ? 0 : (LATENCY_BOUNDS_MS[index - 1] ?? 0);
  const high = LATENCY_BOUNDS_MS[index] ?? low * 2;
  return Math.round(low + (high - low) * share);
}
