import { isDeepStrictEqual } from "node:util";
import type { Orm } from "@/lib/db/database";

/**
 * One change of the stored configuration, made whole in the transaction it is given. Whichever of a list of changes have
 * been made, in their order, the configuration is one that works.
 */
export type Change = (tx: Orm) => Promise<unknown>;

/** The columns of a row that are not as wanted; null when all are. */
export function differing<Row extends object>(row: Row, wanted: Partial<Row>): Partial<Row> | null {
  const found = Object.entries(wanted).filter(
    ([name, value]) => !isDeepStrictEqual(row[name as keyof Row], value),
  );
  return found.length === 0 ? null : (Object.fromEntries(found) as Partial<Row>); // columns of the same row
}
