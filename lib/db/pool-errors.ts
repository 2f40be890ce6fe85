import { GatewayError, overloaded } from "@/lib/kernel/errors";
import { isOverload } from "./database-error";

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
 * The error reply for an overloaded or unresponsive database, null for any other error: 503 with `Retry-After` for
 * overload, 500 when the database does not answer. Source: docs/reliability.md#s2-11,
 * docs/contract.md#b5.
 */
export function databaseRefusal(thrown: unknown): GatewayError | null {
  const failure = poolFailure(thrown) ?? (isOverload(thrown) ? "busy" : null);
  if (failure === null) return null;
  if (failure === "unresponsive")
    return new GatewayError("INTERNAL_ERROR", "The database does not answer. Try again shortly.", {
      cause: thrown,
    });
  return overloaded("The database is overloaded at this moment. Try again shortly.", thrown);
}
