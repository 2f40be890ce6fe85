"use client";

import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useMessages } from "../i18n/provider";
import { Dimmed, ProgressLine, SkeletonRows } from "../ui/states";
import { ErrorPanel } from "./error-panel";
import { useLatestData } from "./use-latest-data";

/**
 * The states of every region of an admin page: first load, failure with old data, refresh, content. `keepsOther`:
 * when a selection fails to load, the data of the previous selection stays visible, dimmed.
 */
export function QueryRegion<T>(props: {
  query: UseQueryResult<T>;
  skeleton?: ReactNode;
  keepsOther?: boolean;
  children: (data: T) => ReactNode;
}) {
  const common = useMessages("common");
  const { query } = props;
  const kept = useLatestData(query);
  // Offline, nothing newer can come: what was shown is better than nothing, when it is called old.
  const keepsOther = props.keepsOther === true || query.isPaused;
  const data = keepsOther ? kept.data : query.data;
  if (query.isPending && data === undefined && kept.problem === null)
    return props.skeleton ?? <SkeletonRows label={common.loading} height="h-12" />;
  return (
    <div className="relative grid min-w-0 gap-3">
      {kept.problem !== null && (
        <ErrorPanel
          error={kept.problem}
          onRetry={() => query.refetch()}
          dataFrom={data === undefined ? 0 : kept.readAt}
          otherSelection={keepsOther && kept.otherSelection}
        />
      )}
      <div className="absolute inset-x-0 -top-2">
        <ProgressLine active={query.isFetching} />
      </div>
      {data !== undefined &&
        (keepsOther ? <Dimmed active={kept.old}>{props.children(data)}</Dimmed> : props.children(data))}
    </div>
  );
}
