"use client";

import type { ReactNode } from "react";
import { fill } from "../i18n/fill";
import { useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import type { ListState } from "./list-state";
import { PAGE_SIZE } from "./page-size";

/** One page of rows, as the API answers it; where neither number nor cursor is given, they are all there are. */
export interface RowPage<T> {
  data: T[];
  /** Null: not known. */
  total?: number | null;
  nextCursor?: string | null;
}

/** Which page of a list is shown, and the ways to others. */
export type Position = Pick<ListState, "page" | "cursor" | "goToPage" | "goToOlder" | "goToNewer">;

/** Whether there are rows behind a page; where their number is not known, a full page is taken to have some. */
export function hasPageAfter({ data, total }: RowPage<unknown>, page: number, pageSize: number): boolean {
  if (total === null) return data.length >= pageSize;
  return total !== undefined && page * pageSize < total;
}

/** The way to newer and older rows; nothing where all are shown. */
export function Pages<T>(props: {
  page: RowPage<T>;
  byCursor?: boolean;
  byTime?: boolean;
  pageSize?: number;
  foot?: ReactNode;
  state: Position;
}) {
  const common = useMessages("common");
  const { byCursor = false, byTime = true, pageSize = PAGE_SIZE, foot, state } = props;
  const { total, nextCursor = null } = props.page;
  const last = total == null ? null : Math.max(1, Math.ceil(total / pageSize));
  const hasNewer = byCursor ? state.cursor !== null : state.page > 1;
  const hasOlder = byCursor ? nextCursor !== null : hasPageAfter(props.page, state.page, pageSize);
  if (!hasNewer && !hasOlder) return foot;
  return (
    <div className="flex flex-wrap items-center justify-end gap-3">
      {foot !== undefined && <div className="mr-auto">{foot}</div>}
      {!byCursor && (
        <span className="tabular text-sm text-muted">
          {fill(common.page, { page: last === null ? state.page : `${state.page} / ${last}` })}
        </span>
      )}
      <Button
        size="sm"
        disabled={!hasNewer}
        onClick={() => (byCursor ? state.goToNewer() : state.goToPage(state.page - 1))}
      >
        {byTime ? common.newer : common.previousPage}
      </Button>
      <Button
        size="sm"
        disabled={!hasOlder}
        onClick={() =>
          byCursor && nextCursor !== null ? state.goToOlder(nextCursor) : state.goToPage(state.page + 1)
        }
      >
        {byTime ? common.older : common.nextPage}
      </Button>
    </div>
  );
}
