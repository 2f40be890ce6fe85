import { GatewayError, overloaded } from "@/lib/kernel/errors";
import { isOverload } from "./database-error";

/** Why the pool refused work without asking the database, or stopped waiting for it. */
export type PoolTrouble = "busy" | "silent";

const brand = Symbol.for("tollgate.pool-trouble");

const messages: Record<PoolTrouble, string> = {
  busy: "every connection to the database stayed busy",
  silent: "the database does not answer",
};

/** The pool gave up. Told apart by brand: `instanceof` is false across module graphs. */
export class PoolError extends Error {
  readonly [brand]: PoolTrouble;

  constructor(trouble: PoolTrouble) {
    super(messages[trouble]);
    this.name = "PoolError";
    this[brand] = trouble;
  }
}

/** What the pool says of an error, also inside a wrapping error; null when it is none of the pool's. */
export function poolTrouble(error: unknown): PoolTrouble | null {
  if (typeof error !== "object" || error === null) return null;
  const trouble: unknown = Reflect.get(error, brand);
  if (trouble === "busy" || trouble === "silent") return trouble;
  return "cause" in error ? poolTrouble(error.cause) : null;
}

/**
 * What a caller is told when the database or its pool gave up for now, null for any other error: 503 with `Retry-After`
 * when too much is going on, 500 when the database does not answer. Source: docs/reliability.md#s2-11,
 * docs/contract.md#b5.
 */
export function databaseRefusal(thrown: unknown): GatewayError | null {
  const trouble = poolTrouble(thrown) ?? (isOverload(thrown) ? "busy" : null);
  if (trouble === null) return null;
  if (trouble === "silent")
    return new GatewayError("INTERNAL_ERROR", "The database does not answer. Try again shortly.", {
      cause: thrown,
    });
  return overloaded("Too much is going on at this moment. Try again shortly.", thrown);
}
