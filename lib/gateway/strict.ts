import { invalid } from "@/lib/kernel/errors";
import type { Call } from "./call";
import type { AttemptPlan } from "./plan";

/** True when the caller wants a refusal instead of a loss. Source: docs/contract.md#s6 (`x-tollgate-strict`). */
export function wantsStrict(call: Call): boolean {
  return call.headers["x-tollgate-strict"] === "1";
}

/** The plan with the nodes that lose nothing. Throws: INVALID_REQUEST naming the first field that all the others drop. */
export function withoutDrops(plan: AttemptPlan): AttemptPlan {
  const [first] = plan.planned;
  const lossless = plan.planned.filter(({ prepared }) => dropsOf(prepared.losses).length === 0);
  if (first !== undefined && lossless.length === 0) throw dropRefusal(dropsOf(first.prepared.losses));
  return { ...plan, planned: lossless };
}

function dropsOf(warnings: readonly string[]): string[] {
  return warnings.filter((code) => code.startsWith("dropped:")).map((code) => code.slice("dropped:".length));
}

function dropRefusal(dropped: readonly string[]) {
  return invalid(
    dropped[0] ?? "body",
    `The upstream of this model has no equivalent for: ${dropped.join(", ")} (x-tollgate-strict is on).`,
  );
}
