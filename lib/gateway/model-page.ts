import { invalid } from "@/lib/kernel/errors";

const MAX_PAGE = 1_000;

/**
 * The part of the models that a query asks for; all of them when it asks for no page.
 * Throws: INVALID_REQUEST. Source: docs/protocols.md#s15-1, docs/contract.md#b12.
 */
export function pageOf<M extends { alias: string }>(
  all: readonly M[],
  query: URLSearchParams,
): { page: M[]; hasMore: boolean } {
  const afterId = query.get("after_id") ?? query.get("after");
  const beforeId = query.get("before_id");
  const isPaged = afterId !== null || beforeId !== null;
  const limit = readLimit(query.get("limit")) ?? (isPaged ? MAX_PAGE : all.length);
  const from = afterId === null ? 0 : all.findIndex((model) => model.alias === afterId) + 1;
  const to =
    beforeId === null
      ? all.length
      : Math.max(
          0,
          all.findIndex((model) => model.alias === beforeId),
        );
  if (beforeId !== null && afterId === null) {
    const start = Math.max(0, to - limit);
    return { page: all.slice(start, to), hasMore: start > 0 };
  }
  return { page: all.slice(from, Math.min(to, from + limit)), hasMore: from + limit < to };
}

function readLimit(text: string | null): number | null {
  if (text === null) return null;
  const limit = Number(text);
  if (!/^\d{1,4}$/.test(text) || limit < 1 || limit > MAX_PAGE)
    throw invalid("limit", `limit must be a whole number from 1 to ${MAX_PAGE}.`);
  return limit;
}
