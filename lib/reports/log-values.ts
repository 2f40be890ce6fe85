import { count, desc, sql } from "drizzle-orm";
import type { Session } from "@/lib/db/database";
import { requestLog } from "@/lib/db/schema/usage";
import { inTime } from "./in-time";
import { clientName, type LogFilter, logCondition } from "./log-filter";

/** The most requests whose values are counted. */
const MAX_COUNTED = 10_000;

/** The most values of a field; clients may send any user agent. */
const MAX_VALUES = 50;

/** The fields whose values are counted. They have no index: counting all requests would read the whole log. */
const countedFilters = ["operation", "protocol", "stream", "httpStatus", "errorCode", "client"] as const;

type CountedFilter = (typeof countedFilters)[number];

/**
 * How often each value occurs among the newest requests, at most 10,000 of those that match the filters by other
 * fields, the most frequent first. A value is counted over the requests that match the filters of the other counted
 * fields.
 * Throws: INVALID_REQUEST when a filter takes too long over so many requests. Source: docs/contract.md#log-values.
 */
export async function readLogValues(db: Session, filter: LogFilter) {
  const others: LogFilter = { ...filter };
  for (const name of countedFilters) others[name] = undefined;
  const newest = db.orm
    .select({
      operation: sql<string>`${requestLog.operation}`.as("of_operation"),
      protocol: sql<string>`${requestLog.protocol}`.as("of_protocol"),
      stream: sql<string>`${requestLog.stream}::text`.as("of_stream"),
      httpStatus: sql<string>`${requestLog.httpStatus}::text`.as("of_http_status"),
      errorCode: sql<string | null>`${requestLog.errorCode}`.as("of_error_code"),
      client: sql<string | null>`${clientName}`.as("of_client"),
    })
    .from(requestLog)
    .where(logCondition(others))
    .orderBy(desc(requestLog.createdAt), desc(requestLog.requestId))
    .limit(MAX_COUNTED)
    .as("newest");
  const { operation, protocol, stream, httpStatus, errorCode, client } = newest;
  const columns = { operation, protocol, stream, httpStatus, errorCode, client };
  const rows = await inTime(
    db.orm
      .select({ ...columns, count: count() })
      .from(newest)
      .groupBy(...Object.values(columns)),
  );
  const counted = rows.reduce((sum, row) => sum + row.count, 0);
  return { counted, complete: counted < MAX_COUNTED, ...valuesOf(rows, filter) };
}

type CountedRow = Record<CountedFilter, string | null> & { count: number };

function valuesOf(rows: readonly CountedRow[], filter: LogFilter) {
  const isWanted = (row: CountedRow, name: CountedFilter) =>
    filter[name] === undefined || String(filter[name]) === row[name];
  const of = (counted: CountedFilter) => {
    const counts = new Map<string, number>();
    for (const row of rows) {
      const value = row[counted];
      if (value === null || !countedFilters.every((name) => name === counted || isWanted(row, name)))
        continue;
      counts.set(value, (counts.get(value) ?? 0) + row.count);
    }
    const sorted = [...counts].sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1));
    return sorted.slice(0, MAX_VALUES).map(([value, count]) => ({ value, count }));
  };
  return {
    operation: of("operation"),
    protocol: of("protocol"),
    stream: of("stream"),
    httpStatus: of("httpStatus"),
    errorCode: of("errorCode"),
    client: of("client"),
  };
}
