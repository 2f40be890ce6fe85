import { invalid } from "@/lib/kernel/errors";
import { type JsonObject, rowOf } from "@/lib/kernel/json-object";

const USUAL_PAGE = 20;
const MAX_PAGE = 100;

/** The requested items of a response. */
export interface ItemPageQuery {
  limit: number;
  order: "asc" | "desc";
  /** The id of the item before the page; null: the page is the first. */
  after: string | null;
}

/** Parses the query. Throws: INVALID_REQUEST. Source: docs/responses.md#s5-1. */
export function readItemPage(query: URLSearchParams): ItemPageQuery {
  const limit = query.get("limit") ?? String(USUAL_PAGE);
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > MAX_PAGE)
    throw invalid("limit", `limit must be a whole number from 1 to ${MAX_PAGE}.`);
  const order = query.get("order") ?? "desc";
  if (order !== "asc" && order !== "desc") throw invalid("order", "order must be asc or desc.");
  return { limit: Number(limit), order, after: query.get("after") };
}

/** One page of the items of a response; null when `after` is no item of it. Source: docs/responses.md#s5-1. */
export function itemPage(
  responseId: string,
  items: readonly JsonObject[],
  { limit, order, after }: ItemPageQuery,
): JsonObject | null {
  const named = withIds(items, responseId);
  if (order === "desc") named.reverse();
  const at = after === null ? -1 : named.findIndex(({ id }) => id === after);
  if (after !== null && at === -1) return null;
  const data = named.slice(at + 1, at + 1 + limit);
  const [first_id, last_id] = [data[0]?.id ?? null, data.at(-1)?.id ?? null];
  return { object: "list", data, first_id, last_id, has_more: at + 1 + data.length < named.length };
}

const idPrefixes: Readonly<Record<string, string>> = {
  message: "msg",
  reasoning: "rs",
  function_call: "fc",
  function_call_output: "fco",
  custom_tool_call: "ctc",
  custom_tool_call_output: "ctco",
};

/**
 * Items as clients read them: with a type, and with ids that are the same at each read. When several items have the
 * same id, the first one keeps it and the others get new ones, because pages continue after an id.
 */
function withIds(items: readonly JsonObject[], responseId: string): JsonObject[] {
  const taken = new Set<unknown>(items.map(({ id }) => id));
  const seen = new Set<string>();
  return items.map((item, index) => {
    const type = typeof item.type === "string" ? item.type : "message";
    if (typeof item.id === "string" && item.id !== "" && !seen.has(item.id)) {
      seen.add(item.id);
      return { ...item, type };
    }
    let id = `${rowOf(idPrefixes, type) ?? "item"}_${responseId.slice("resp_".length)}i${index}`;
    while (taken.has(id)) id += "x";
    taken.add(id);
    return { ...item, id, type };
  });
}
