/** An estimate with the interval in which it lies with 95 % confidence. */
export interface Estimate {
  median: number;
  low: number;
  high: number;
  count: number;
}

const RESAMPLES = 4_000;
const SEED = 20_261_121;

/** The middle value; the mean of the two middle ones for an even count. Throws: RangeError for no values. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which a share of the values lies, interpolated. Throws: RangeError for no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)];
  const above = sorted[Math.ceil(place)];
  if (below === undefined || above === undefined) throw new RangeError("no values");
  return below + (above - below) * (place - Math.floor(place));
}

/**
 * The median with its 95 % interval: the percentiles of the medians of resamples. The same values always give the
 * same interval. Throws: RangeError for no values.
 */
export function estimate(values: readonly number[]): Estimate {
  const random = randomFrom(SEED);
  const medians = Array.from({ length: RESAMPLES }, () => median(resample(values, random)));
  return {
    median: median(values),
    low: quantile(medians, 0.025),
    high: quantile(medians, 0.975),
    count: values.length,
  };
}

/** The values in a random order. `random` gives numbers in [0, 1). */
export function shuffled<T>(values: readonly T[], random: () => number): T[] {
  return values
    .map((value) => ({ value, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value);
}

/** Numbers in [0, 1), the same for the same seed. Mulberry32: small, and good enough to draw resamples. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function resample(values: readonly number[], random: () => number): number[] {
  return values.map((value) => values[Math.floor(random() * values.length)] ?? value);
}
