"use client";

import { fill } from "../i18n/fill";
import { useMessages } from "../i18n/provider";
import { Button } from "./button";

/** Steps through numbered pages; nothing when there is only one. */
export function Pager(props: {
  page: number;
  pageSize: number;
  total: number | null;
  onPage: (page: number) => void;
}) {
  const text = useMessages("common");
  const last = props.total === null ? props.page : Math.max(1, Math.ceil(props.total / props.pageSize));
  if (last <= 1 && props.page === 1) return null;
  return (
    <div className="flex items-center justify-end gap-3">
      <span className="tabular text-sm text-muted">
        {fill(text.page, { page: `${props.page} / ${last}` })}
      </span>
      <Button size="sm" disabled={props.page <= 1} onClick={() => props.onPage(props.page - 1)}>
        {text.newer}
      </Button>
      <Button size="sm" disabled={props.page >= last} onClick={() => props.onPage(props.page + 1)}>
        {text.older}
      </Button>
    </div>
  );
}
