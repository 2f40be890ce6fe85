import { GatewayError, isGatewayError, overloaded } from "@/lib/kernel/errors";

/**
 * The five-character SQLSTATE of an error of either database or of its cause; null when it has none. Every SQLSTATE of
 * PostgreSQL has a digit, which the codes of a broken connection (EPIPE) have not.
 */
export function sqlState(error: unknown): string | null {
  const code = textField(error, "code");
  if (code !== null && /^(?=.*\d)[0-9A-Z]{5}$/.test(code)) return code;
  return hasCause(error) ? sqlState(error.cause) : null;
}

/** The code of an error or of its cause: an SQLSTATE, or one of the system or the driver. Null when it has none. */
export function errorCode(error: unknown): string | null {
  return textField(error, "code") ?? (hasCause(error) ? errorCode(error.cause) : null);
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

/** True when the server takes no writes: a standby, a server that was demoted, or one whose disk is full. */
export function isReadOnly(error: unknown): boolean {
  return sqlState(error) === "25006";
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

/** True when the connection ended with the error: no answer arrived, or the server refused or ended it (FATAL). */
export function endsConnection(error: unknown): boolean {
  return isAmbiguous(error) || textField(error, "severity") === "FATAL";
}

function textField(error: unknown, name: string): string | null {
  if (typeof error !== "object" || error === null || !(name in error)) return null;
  const value: unknown = Reflect.get(error, name);
  return typeof value === "string" ? value : null;
}

function hasCause(error: unknown): error is { cause: unknown } {
  return typeof error === "object" && error !== null && "cause" in error && error.cause !== undefined;
}

/** Why the pool refused work or stopped waiting for it. */
export type PoolFailure = "busy" | "unresponsive";

const brand = Symbol.for("tollgate.pool-trouble");

const messages: Record<PoolFailure, string> = {
  busy: "every connection to the database stayed busy",
  unresponsive: "the database does not answer",
};

/** The pool refused or abandoned work. Recognised by brand, because `instanceof` is false across module graphs. */
export class PoolError extends Error {
  readonly [brand]: PoolFailure;

  constructor(failure: PoolFailure) {
    super(messages[failure]);
    this.name = "PoolError";
    this[brand] = failure;
  }
}

/** The failure of a PoolError, also as the cause of another error; null for other errors. */
export function poolFailure(error: unknown): PoolFailure | null {
  if (typeof error !== "object" || error === null) return null;
  const failure: unknown = Reflect.get(error, brand);
  if (failure === "busy" || failure === "unresponsive") return failure;
  return "cause" in error ? poolFailure(error.cause) : null;
}

/**
 * Any thrown value as an error that a caller may see; one that is neither a GatewayError nor a refusal of the database
 * becomes INTERNAL_ERROR with this message.
 */
export function toGatewayError(thrown: unknown, message: string): GatewayError {
  if (isGatewayError(thrown)) return thrown;
  return databaseRefusal(thrown) ?? new GatewayError("INTERNAL_ERROR", message, { cause: thrown });
}

/** True when no answer said whether a change was made, because the connection ended before. */
export function isOutcomeUnknown(thrown: unknown): boolean {
  return !isGatewayError(thrown) && isAmbiguous(thrown) && poolFailure(thrown) !== "busy";
}

/** The error reply to a change that may have been made. Throws: nothing. Source: docs/contract.md#grant-unknown. */
export function outcomeUnknown(cause: unknown): GatewayError {
  return new GatewayError(
    "INTERNAL_ERROR",
    "The database did not answer: it is not known whether this was done. Look before you repeat it.",
    { reason: "outcome_unknown", cause },
  );
}

/** The error reply while the database takes no writes: 503 with `Retry-After`. Source: docs/reliability.md#s2-12. */
export function takesNoWrites(cause: unknown): GatewayError {
  return overloaded(
    "database-read-only",
    "The database takes no writes at this moment. Try again shortly.",
    cause,
  );
}

/**
 * The error reply for an overloaded, unresponsive or read-only database, null for any other error: 503 with `Retry-After`
 * for overload and without writes, 500 when the database does not answer. Source: docs/reliability.md#s2-11, #s2-12,
 * docs/contract.md#b5.
 */
function databaseRefusal(thrown: unknown): GatewayError | null {
  if (isReadOnly(thrown)) return takesNoWrites(thrown);
  const failure = poolFailure(thrown) ?? (isOverload(thrown) ? "busy" : null);
  if (failure === null) return null;
  if (failure === "unresponsive")
    return new GatewayError("INTERNAL_ERROR", "The database does not answer. Try again shortly.", {
      refusal: "database-away",
      cause: thrown,
    });
  return overloaded("database-busy", "The database is overloaded at this moment. Try again shortly.", thrown);
}
