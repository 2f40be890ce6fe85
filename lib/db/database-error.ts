/** An error that the embedded database reported, with the fields of a PostgreSQL error. */
export class EmbeddedDatabaseError extends Error {
  readonly code: string | null;
  readonly constraint: string | null;
  readonly detail: string | null;

  constructor(fields: {
    message: string;
    code: string | null;
    constraint: string | null;
    detail: string | null;
  }) {
    super(fields.message);
    this.name = "EmbeddedDatabaseError";
    this.code = fields.code;
    this.constraint = fields.constraint;
    this.detail = fields.detail;
  }
}

/** The five-character SQLSTATE of an error of either database or of its cause; null when it has none. */
export function sqlState(error: unknown): string | null {
  const code = textField(error, "code");
  if (code !== null && /^[0-9A-Z]{5}$/.test(code)) return code;
  return hasCause(error) ? sqlState(error.cause) : null;
}

/** Name of the violated constraint of an error of either database; null when it names none. */
export function constraintOf(error: unknown): string | null {
  const found = textField(error, "constraint_name") ?? textField(error, "constraint");
  return found ?? (hasCause(error) ? constraintOf(error.cause) : null);
}

/** True when a unique constraint refused a row. */
export function isUniqueViolation(error: unknown): boolean {
  return sqlState(error) === "23505";
}

/**
 * True when the database and not the statement caused the error, so that the same statement may succeed later: no
 * connection, overload, lock or statement timeout, serialisation failure, read-only or starting server.
 */
export function isTransient(error: unknown): boolean {
  const state = sqlState(error);
  if (state === null) return true;
  return ["08", "40", "53", "57", "58"].includes(state.slice(0, 2)) || state === "55P03" || state === "25006";
}

const overloadStates: ReadonlySet<string> = new Set([
  "40001", // serialization failure
  "40P01", // deadlock
  "53200", // out of memory
  "53300", // too many connections
  "55P03", // lock timeout
  "57014", // statement timeout
]);

/** True when the database reports overload; it works, and the same statement may succeed a moment later. */
export function isOverload(error: unknown): boolean {
  return overloadStates.has(sqlState(error) ?? "");
}

/** True when the rows of a statement caused its error or a deadlock, so that fewer rows may succeed. */
export function isCausedByRows(error: unknown): boolean {
  return !isTransient(error) || sqlState(error) === "40P01";
}

/**
 * True when it is unknown whether the statement took effect, because the connection ended before the answer.
 * Errors with an SQLSTATE are answers, except those of a server shutdown.
 */
export function isAmbiguous(error: unknown): boolean {
  const state = sqlState(error);
  return state === null || state.startsWith("08") || state.startsWith("57P");
}

function textField(error: unknown, name: string): string | null {
  if (typeof error !== "object" || error === null || !(name in error)) return null;
  const value: unknown = Reflect.get(error, name);
  return typeof value === "string" ? value : null;
}

function hasCause(error: unknown): error is { cause: unknown } {
  return typeof error === "object" && error !== null && "cause" in error && error.cause !== undefined;
}
