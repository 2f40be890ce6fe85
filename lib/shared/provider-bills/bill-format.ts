import type { BillEntry, BillVendor } from "./bill";
import type { SourceEntry } from "./bill-source";

/** A kind of export. */
export interface BillFormat {
  vendor: BillVendor;
  /** The names that tell the kind; of several in one list, one is enough. */
  needs: readonly (readonly string[])[];
  /** Null: the entry says nothing. `other`: it is of no model, and left out. Throws: BillError for wrong values. */
  read(entry: SourceEntry): BillEntry | "other" | null;
}
