/** A small seeded generator: the same seed gives the same demo. Shape: numbers in [0, 1). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A random entry, by weight. */
export function weighted<T extends { weight: number }>(entries: readonly T[], random: () => number): T {
  const total = entries.reduce((sum, entry) => sum + entry.weight, 0);
  let remaining = random() * total;
  for (const entry of entries) {
    remaining -= entry.weight;
    if (remaining < 0) return entry;
  }
  const last = entries.at(-1);
  if (last === undefined) throw new Error("there is nothing to choose from");
  return last;
}

/** A random number of a long-tailed distribution with this median. */
export function longTailed(median: number, random: () => number): number {
  const bell = random() + random() + random() - 1.5;
  return Math.max(1, Math.round(median * Math.exp(bell * 1.6)));
}
