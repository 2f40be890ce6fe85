import { invalid } from "@/lib/errors";
import type { Call } from "./call";

/** True when the caller wants a refusal instead of a loss. Source: contract 6 (`x-tollgate-strict`). */
export function wantsStrict(call: Call): boolean {
  return call.headers["x-tollgate-strict"] === "1";
}

/** Throws: INVALID_REQUEST naming the first field that would be dropped. */
export function refuseDrops(warnings: readonly string[]): void {
  const dropped = warnings
    .filter((code) => code.startsWith("dropped:"))
    .map((code) => code.slice("dropped:".length));
  const [first] = dropped;
  if (first === undefined) return;
  throw invalid(
    first,
    `The upstream of this model has no equivalent for: ${dropped.join(", ")} (x-tollgate-strict is on).`,
  );
}
