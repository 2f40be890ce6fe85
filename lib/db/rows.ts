/** A result with other rows than its statement returned. It does not tell whether a row exists. */
class MalformedResultError extends Error {
  constructor(problem: string) {
    super(`the database driver gave a malformed result: ${problem}`);
    this.name = "MalformedResultError";
  }
}

/** What the driver knows of a result beside its rows: those of the command tag, and the described columns. */
interface ResultFacts {
  count?: unknown;
  columns?: unknown;
}

/**
 * The rows of one result, whichever driver gave it. Every row that this process reads passes here, so that a malformed
 * result is an error and never looks like "no row".
 * Shape: a plain list; every row is an object, or a list of values. Throws: MalformedResultError.
 * Source: docs/reliability.md#s2-13.
 */
export function readRows(result: unknown): unknown[] {
  if (!Array.isArray(result)) throw new MalformedResultError("it is no list of rows");
  const rows: unknown[] = new Array(result.length);
  for (let index = 0; index < result.length; index++) {
    const row: unknown = result[index];
    if (typeof row !== "object" || row === null)
      throw new MalformedResultError(
        `row ${index + 1} of ${result.length} is ${row === null ? "null" : typeof row}`,
      );
    rows[index] = row;
  }
  checkCount(result, rows.length);
  return rows;
}

/** A statement that describes columns returns as many rows as its command tag says, when the tag has a number. */
function checkCount(result: object, rows: number): void {
  const { count, columns }: ResultFacts = result;
  if (typeof count !== "number" || !Array.isArray(columns) || columns.length === 0) return;
  if (count !== rows) throw new MalformedResultError(`${rows} rows came where the database sent ${count}`);
}

/**
 * The row of a statement that always gives exactly one: an aggregate without GROUP BY, a function call. A guard that
 * reads its count here refuses when the row is missing.
 * Throws: MalformedResultError when there is no row or more than one. Source: docs/reliability.md#s2-13.
 */
export function onlyRow<T>(rows: readonly T[]): T {
  const [row] = rows;
  if (row === undefined || rows.length !== 1)
    throw new MalformedResultError(`${rows.length} rows came where there is always one`);
  return row;
}
