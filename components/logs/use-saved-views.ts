"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../api/client";
import { queryKeys } from "../api/page-reads";
import type { SavedView } from "../api/types";

/** A change of the account's views, made on their newest state. */
export type ViewChange = (views: SavedView[]) => SavedView[];

/** The views that the account has saved, on every machine, and the call that changes them. */
export function useSavedViews() {
  const client = useQueryClient();
  const { data, error } = useQuery({
    queryKey: queryKeys.views,
    queryFn: ({ signal }) => callApi("GET /api/user/views", { signal }),
  });
  const { mutateAsync } = useMutation({
    mutationFn: async (change: ViewChange) => {
      const { views } = await callApi("GET /api/user/views");
      return callApi("PATCH /api/user/views", { body: { views: change(views) } });
    },
    onSuccess: (saved) => client.setQueryData(queryKeys.views, saved),
  });
  return { views: data?.views ?? [], error, change: mutateAsync };
}
