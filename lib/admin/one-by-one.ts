import { isOutcomeUnknown, outcomeUnknown, toGatewayError } from "@/lib/db/database-error";
import type { GatewayError } from "@/lib/kernel/errors";

const FAILED = "Something went wrong on our side.";

/** What became of one of several accounts. */
export interface Outcome {
  id: string;
  /** Null: it is done. */
  error: GatewayError | null;
}

/**
 * Does the work for one account after the other, each once and each in a transaction of its own: a refusal of one is
 * told and leaves the others as they are. `outcome_unknown` as the reason of an error: the account may be changed.
 * Source: docs/contract.md#people-bulk.
 */
export async function oneByOne(
  ids: readonly string[],
  work: (id: string) => Promise<unknown>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  // One id has several spellings.
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
