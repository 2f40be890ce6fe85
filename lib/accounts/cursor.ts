import { badField } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/uuid";

/** The row before a page. */
interface Position {
  at: string;
  requestId: string;
  /** The value by which the list is sorted; null when the newest rows come first. */
  value: string | null;
}

/** The value by which a list is sorted before the time. */
interface SortValue {
  sort: string;
  value: bigint | number;
}

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** At most 18 digits, which fit into a bigint of the database. */
const SORT_VALUE = /^\d{1,18}$/;

/** A cursor that continues after a row. */
export function cursorAfter(row: { createdAt: Date; requestId: string }, by: SortValue | null): string {
  const parts = [row.createdAt.toISOString(), row.requestId, ...(by === null ? [] : [by.sort, by.value])];
  return Buffer.from(parts.join(" ")).toString("base64url");
}

/**
 * The row that a cursor continues after, in the order by `sort`; null: newest first.
 * Throws: INVALID_REQUEST for a cursor that is not of this list in this order.
 */
export function readCursor(cursor: string, sort: string | null): Position {
  const [at = "", requestId = "", by = null, value = null] = Buffer.from(cursor, "base64url")
    .toString("utf8")
    .split(" ");
  const isRow = MOMENT.test(at) && !Number.isNaN(Date.parse(at)) && isUuid(requestId);
  if (!isRow || by !== sort || (by !== null && !SORT_VALUE.test(value ?? ""))) {
    throw badField("cursor", "is not a cursor of this list");
  }
  return { at, requestId, value };
}
