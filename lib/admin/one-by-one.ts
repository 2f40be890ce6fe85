import { isOutcomeUnknown, outcomeUnknown, toGatewayError } from "@/lib/db/database-error";
import type { GatewayError } from "@/lib/kernel/errors";

const FAILED = "Something went wrong on our side.";

/** The result for one of several accounts. */
export interface Outcome {
  id: string;
  /** Null: success. */
  error: GatewayError | null;
}

/**
 * Does the work for one account after the other, each once and each in a transaction of its own: a refusal for one
 * account is returned and does not affect the others. An error with the reason `outcome_unknown`: the account may have
 * been changed.
 * Source: docs/contract.md#people-bulk.
 */
export async function oneByOne(
  ids: readonly string[],
  work: (id: string) => Promise<unknown>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  // One id can be written in upper and lower case.
  for (const id of new Set(ids.map((one) => one.toLowerCase()))) {
    const error = await work(id).then(
      () => null,
      (thrown: unknown) =>
        isOutcomeUnknown(thrown) ? outcomeUnknown(thrown) : toGatewayError(thrown, FAILED),
    );
    outcomes.push({ id, error });
  }
  return outcomes;
}
