import { type TokenPart, type TokenParts, tokenParts } from "@/lib/kernel/usage";

/** Parts of counts as a node reports them. */
type ToldParts = { [Part in TokenPart]?: number | undefined };

/** The parts that are more than zero; absent: none. Shape: to be spread into a usage. Source: docs/protocols.md#s11-1. */
export function partsOf(told: ToldParts): { parts?: TokenParts } {
  let parts: TokenParts | undefined;
  for (const name of tokenParts) {
    const tokens = told[name];
    if (tokens !== undefined && tokens > 0) parts = { ...parts, [name]: tokens };
  }
  return parts === undefined ? {} : { parts };
}
