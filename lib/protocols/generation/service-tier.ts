/** The service tier that a request asks for; `other`: one that only its own protocol or vendor has. */
export type ServiceTier = "auto" | "standard" | "priority" | "flex" | "other";

/** The words of vendors for their usual tier. Source: docs/prices.md#service-tiers. */
export const standardTierWords: readonly string[] = ["default", "standard", "standard_only", "on_demand"];

/** The tier that a word asks for, in whatever protocol. */
export function tierOf(word: unknown): ServiceTier {
  if (word === "auto" || word === "priority" || word === "flex") return word;
  return standardTierWords.some((standard) => standard === word) ? "standard" : "other";
}
