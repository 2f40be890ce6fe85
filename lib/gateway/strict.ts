import { invalid } from "@/lib/kernel/errors";
import type { GatewayRequest } from "./gateway-request";
import type { GenerationPlan } from "./plan";

/** True when the caller requests a dry run. Source: docs/contract.md#s6 (`x-tollgate-explain`). */
export function wantsDryRun(call: GatewayRequest): boolean {
  return call.headers["x-tollgate-explain"] === "1";
}

/** True when the caller wants a refusal instead of a loss. Source: docs/contract.md#s6 (`x-tollgate-strict`). */
export function wantsStrict(call: GatewayRequest): boolean {
  return call.headers["x-tollgate-strict"] === "1";
}

/** Throws: INVALID_REQUEST naming what has been left out before any node is chosen. Source: docs/contract.md#s6. */
export function refuseDrops(losses: readonly string[]): void {
  const dropped = dropsOf(losses);
  if (dropped.length > 0) throw dropRefusal(dropped, "This path");
}

/** The plan with the nodes that lose nothing. Throws: INVALID_REQUEST naming the first field that all the others drop. */
export function withoutDrops(plan: GenerationPlan): GenerationPlan {
  const [first] = plan.planned;
  const lossless = plan.planned.filter(({ prepared }) => dropsOf(prepared.losses).length === 0);
  if (first !== undefined && lossless.length === 0)
    throw dropRefusal(dropsOf(first.prepared.losses), "The upstream of this model");
  return { ...plan, planned: lossless };
}

function dropsOf(warnings: readonly string[]): string[] {
  return warnings.filter((code) => code.startsWith("dropped:")).map((code) => code.slice("dropped:".length));
}

function dropRefusal(dropped: readonly string[], where: string) {
  return invalid(
    dropped[0] ?? "body",
    `${where} has no equivalent for: ${dropped.join(", ")} (x-tollgate-strict is on).`,
  );
}
