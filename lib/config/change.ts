import { isDeepStrictEqual } from "node:util";
import type { Orm } from "@/lib/db/database";

/**
 * One change of the stored configuration, executed within one transaction. After each change of an ordered list the
 * configuration is valid.
 */
export type Change = (tx: Orm) => Promise<unknown>;

/** The columns of a row that differ from the wanted ones; null when none do. */
export function differing<Row extends object>(row: Row, wanted: Partial<Row>): Partial<Row> | null {
  const found = Object.entries(wanted).filter(
    ([name, value]) => !isDeepStrictEqual(row[name as keyof Row], value),
  );
  return found.length === 0 ? null : (Object.fromEntries(found) as Partial<Row>); // columns of the same row
}
