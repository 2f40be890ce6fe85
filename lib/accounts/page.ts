/** Totals are exact up to this; larger ones are not counted. Source: docs/contract.md#s5 (lists). */
export const MAX_TOTAL = 10_000;

/** A requested page of a list. */
export interface PageRequest {
  /** 1-based. */
  page: number;
  pageSize: number;
}

/** A requested page of a list that also supports a cursor. */
export interface CursorRequest extends PageRequest {
  cursor?: string | undefined;
}

/** The body of every list. Source: docs/contract.md#s5. */
export interface Page<Entry> {
  data: Entry[];
  page: number | null;
  pageSize: number;
  total: number | null;
  nextCursor: string | null;
}

/** The number of rows before a page. */
export function offsetOf({ page, pageSize }: PageRequest): number {
  return (page - 1) * pageSize;
}

/** One page of a list without a cursor. */
export function pageOf<Entry>(request: PageRequest, data: Entry[], total: number): Page<Entry> {
  return { data, page: request.page, pageSize: request.pageSize, total, nextCursor: null };
}

/** A list that is always returned completely. */
export function wholeList<Entry>(data: Entry[]): Page<Entry> {
  return { data, page: 1, pageSize: data.length, total: data.length, nextCursor: null };
}
