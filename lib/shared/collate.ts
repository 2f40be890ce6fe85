const collators = new Map<string, Intl.Collator>();

/**
 * Compares texts as readers of a language sort them, numbers in them by their size. Without a language a server and a
 * browser would each take its own, and draw rows in two orders. Source: docs/dashboard.md#same-text.
 */
export function comparing(locale: string): (a: string, b: string) => number {
  const known = collators.get(locale) ?? new Intl.Collator(locale, { numeric: true });
  collators.set(locale, known);
  return known.compare;
}

/** Compares codes and moments in ISO form, which no language sorts in its own way. */
export function compareCodes(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
