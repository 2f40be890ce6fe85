import { sqlState } from "@/lib/db/database-error";
import { badField } from "@/lib/kernel/errors";

const STATEMENT_TIMEOUT = "57014";

/**
 * Turns the statement timeout of a filter with few matches in a large log, or of sorting it, into an error of the caller.
 * Source: docs/contract.md#too-much-log.
 */
export async function inTime<Result>(query: PromiseLike<Result>, sorts = false): Promise<Result> {
  try {
    return await query;
  } catch (error) {
    if (!isTimeout(error)) throw error;
    const work = sorts ? "sorting takes" : "the filter takes";
    throw badField("from", `must be nearer: ${work} too long over so many entries`, "time_too_long");
  }
}

/** The result of a query; null when it exceeds the statement timeout. */
export async function inTimeOrNull<Result>(query: PromiseLike<Result>): Promise<Result | null> {
  try {
    return await query;
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return null;
  }
}

function isTimeout(error: unknown): boolean {
  return sqlState(error) === STATEMENT_TIMEOUT;
}
