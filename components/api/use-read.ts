"use client";

import { type UseQueryOptions, useQuery } from "@tanstack/react-query";
import type { ApiOutput } from "@/lib/api/routes";
import { answerTo } from "./client";
import { type Freshness, freshness } from "./freshness";
import { type Read, type ReadInput, type ReadName, read, readKey } from "./read";

/** Whether a read is asked for, and how fresh it is kept where that is not as for all reads of the operation. */
type ReadOptions<Name extends ReadName> = Omit<Freshness, "refetchInterval"> &
  Pick<UseQueryOptions<ApiOutput<Name>>, "enabled" | "refetchInterval">;

/** Reads an operation by its name, such as `GET /api/user/self`, and keeps the answer as fresh as `freshness` says. */
export function useRead<Name extends ReadName>(
  name: Name,
  ...[input, options]: [...input: ReadInput<Name>, options?: ReadOptions<Name>]
) {
  // The compiler does not tell the two apart while the operation is open.
  const asked = read(name, ...([input] as ReadInput<Name>));
  const own = options as ReadOptions<Name> | undefined;
  return useQuery({ ...freshness[name], ...own, ...queryOf(asked) });
}

/** The query of a read, where it is asked for without a hook. */
export function queryOf<Name extends ReadName>(asked: Read<Name>) {
  const { name, params, query } = asked;
  return {
    queryKey: readKey(asked),
    queryFn: ({ signal }: { signal: AbortSignal }) => answerTo(name, { params, query, signal }),
  };
}
