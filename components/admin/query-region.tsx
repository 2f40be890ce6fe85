"use client";

import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorPanel } from "../api/error-panel";
import { useMessages } from "../i18n/provider";
import { ProgressLine, SkeletonRows } from "../ui/states";

/** The states every region of an admin page has: first load, failure with the old data kept, refresh, content. */
export function QueryRegion<T>(props: {
  query: UseQueryResult<T>;
  skeleton?: ReactNode;
  children: (data: T) => ReactNode;
}) {
  const common = useMessages("common");
  const { query } = props;
  if (query.isPending) return props.skeleton ?? <SkeletonRows label={common.loading} height="h-12" />;
  return (
    <div className="relative grid min-w-0 gap-3">
      {query.isError && (
        <ErrorPanel error={query.error} onRetry={() => query.refetch()} dataFrom={query.dataUpdatedAt} />
      )}
      <div className="absolute inset-x-0 -top-2">
        <ProgressLine active={query.isFetching} />
      </div>
      {query.data !== undefined && props.children(query.data)}
    </div>
  );
}
