import type { AskedBudgets } from "@/lib/accounts/budget-needs";
import { budgetsFor } from "@/lib/accounts/key-budgets";
import type { GenerationContext } from "./generation-context";
import { type GenerationPlan, maxOutputTokens } from "./plan";

/** What a hold of this amount asks of the rules of its key; null: it meets none. Source: docs/budgets.md#expected. */
export function askedBudgets(
  { gateway, key, log }: GenerationContext,
  plan: GenerationPlan,
  mostMicroCents: bigint,
): AskedBudgets | null {
  const met = budgetsFor(key, log.alias);
  if (met === null) return null;
  const mostTokens = plan.inputEstimate + maxOutputTokens(plan);
  const most = { microCents: mostMicroCents, tokens: mostTokens };
  const { microCents: expectedMicroCents, tokens: expectedTokens } = gateway.expectedUse.of(
    key.keyId,
    log.alias,
    most,
  );
  const now = gateway.clock.date();
  return { ...met, mostMicroCents, expectedMicroCents, mostTokens, expectedTokens, now };
}
