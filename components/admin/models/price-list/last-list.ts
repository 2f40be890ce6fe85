import type { FindPrices } from "@/lib/shared/prices/offers";
import type { Terms } from "@/lib/shared/prices/prices-from-list";

/** A price list as it was read, and how its dollars became prices. */
interface ReadList {
  find: FindPrices;
  terms: Terms;
}

let last: ReadList | null = null;

/** The list that was read last while this page is open; it is kept nowhere else. */
export function lastList(): ReadList | null {
  return last;
}

/** Keeps a list for the forms of models. */
export function keepList(list: ReadList): void {
  last = list;
}
