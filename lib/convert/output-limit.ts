import type { Conversion } from "@/lib/convert/conversion";

/**
 * The output ceiling to send: what the client asked, the alias's default when it asked nothing, never more than
 * the alias allows. Units: tokens. Source: protocol 4.1, 5.1, D1; contract 2, 3.
 */
export function outputLimit(requested: number | null | undefined, conversion: Conversion): number {
  const { context, profile, warnings } = conversion;
  const ceiling = context.maxOutputTokens ?? profile.maxOutput;
  if (requested === null || requested === undefined) {
    warnings.add("added:max_tokens");
    return Math.min(context.defaultMaxTokens, ceiling);
  }
  if (requested <= ceiling) return requested;
  warnings.add("clamped:max_tokens");
  return ceiling;
}
