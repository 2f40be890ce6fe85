import type { GenerationContext } from "./generation-context";
import type { Metered } from "./meter-answer";
import type { OpenAnswer } from "./upstream-response";

/** The body of a whole answer; a promise where it is stored. */
export function bodyOfWhole(
  { keeper, log }: GenerationContext,
  { answer }: OpenAnswer,
  metered: Metered,
): string | Promise<string> {
  const body = answer.end(metered);
  log.warn(answer.translator.warnings);
  return keeper === null ? body : keeper.keep(body, log.nodeId);
}
