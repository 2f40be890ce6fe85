import { type SQL, sql } from "drizzle-orm";
import { isUuid } from "@/lib/kernel/uuid";

/** Whose keys count; absent fields match every key. */
export interface KeyFilter {
  /** The account that pays. */
  userId?: string | undefined;
  /** A project's id, or `personal` for keys of no project. */
  projectId?: string | undefined;
  /** Who made the key; keys of no project were made by their account. */
  createdBy?: string | undefined;
}

/**
 * The condition on `user_id` and `key_id` of a filter by project or maker, as ` AND …`; empty without one. `bind` makes a
 * parameter of an id; `of` names the table, with a dot. Keys have an index by account only, so the account comes first. A
 * malformed id matches nothing.
 */
export function keyCondition(filter: KeyFilter, bind: (id: string) => string, of = ""): string {
  const { userId, projectId, createdBy } = filter;
  if (projectId === undefined && createdBy === undefined) return "";
  const project = projectId === "personal" ? undefined : projectId;
  if ([project, createdBy].some((id) => id !== undefined && !isUuid(id))) return " AND false";
  // Each id is bound where it stands in the text.
  const payerOf = (id: string) => `(SELECT p.user_id FROM projects p WHERE p.id = ${bind(id)})`;
  const payer = project === undefined ? "" : ` AND ${of}user_id = ${payerOf(project)}`;
  const conditions = [
    userId !== undefined && isUuid(userId) && `k.user_id = ${bind(userId)}`,
    projectId === "personal" && "k.project_id IS NULL",
    project !== undefined && `k.user_id = ${payerOf(project)} AND k.project_id = ${bind(project)}`,
    createdBy !== undefined && `coalesce(k.created_by, k.user_id) = ${bind(createdBy)}`,
  ];
  const keys = conditions.filter((condition) => condition !== false).join(" AND ");
  return `${payer} AND ${of}key_id IN (SELECT k.id FROM api_keys k WHERE ${keys})`;
}

/** The same for the log, in a query that drizzle writes; undefined without a filter by project or maker. */
export function logKeyCondition(filter: KeyFilter): SQL | undefined {
  const ids: string[] = [];
  const text = keyCondition(
    filter,
    (id) => {
      ids.push(id);
      return "?::uuid";
    },
    "request_log.",
  );
  if (text === "") return undefined;
  const pieces = text.split("?").map((piece) => sql.raw(piece));
  return sql.join([
    sql`true`,
    ...pieces.flatMap((piece, at) => (at < ids.length ? [piece, sql`${ids[at]}`] : [piece])),
  ]);
}
