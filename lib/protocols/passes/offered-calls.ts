import { type OfferedCalls, offerCalls, type PricedTool } from "@/lib/kernel/usage";
import type { Target } from "@/lib/protocols/adapters/rendered";

/** Merges two offers to one node. */
export function withOffer(
  offered: OfferedCalls | undefined,
  priced: readonly PricedTool[],
  { perCall }: Target,
): OfferedCalls | undefined {
  if (priced.length === 0) return offered;
  const tools = [...new Set([...(offered?.tools ?? []), ...priced])];
  if (offered === undefined) return offerCalls(tools, null, perCall).offered;
  return { ...offered, tools };
}
