import { needOf } from "@/lib/accounts/budget-needs";
import { shownAmount } from "@/lib/accounts/budgets/budget-amounts";
import { centsDecimal } from "@/lib/kernel/money";
import { heldCallsMicroCents } from "@/lib/kernel/usage";
import { holdMicroCents } from "@/lib/shared/prices/hold";
import { accountUseOf } from "./account-use";
import { askedBudgets } from "./asked-budgets";
import { budgetUseOf, ruleStatesOf } from "./budget-use";
import type { GenerationContext } from "./generation-context";
import { type GenerationPlan, maxOutputTokens, type PlannedAttempt } from "./plan";
import { jsonReply, type Reply } from "./reply";

/**
 * What this request would do: nodes in order, exact upstream bodies, warnings, hold and limits. Nothing is sent
 * or billed. Names of nodes and upstream models are for admins' keys only. Source: docs/contract.md#s6.
 */
export async function dryRun(context: GenerationContext, plan: GenerationPlan): Promise<Reply> {
  const { gateway, key, log } = context;
  const { model, inputEstimate } = plan;
  const maxTokens = maxOutputTokens(plan);
  const heldCalls = heldCallsMicroCents(plan.planned, model.price.perCall);
  const hold = holdMicroCents(inputEstimate, maxTokens, model.price, log.terms) + heldCalls;
  const open = key.userRole === "admin";
  return jsonReply(200, {
    object: "tollgate.explanation",
    model: model.alias,
    attempts: plan.planned.map((planned, index) => describe(planned, index, model.alias, open)),
    skipped: plan.skipped.map(({ node, why, returnsInMs }, index) => ({
      node: open ? node.name : `skipped node ${index + 1}`,
      protocol: node.protocol,
      why,
      returnsInMs,
    })),
    warnings: [...log.warnings],
    hold: centsDecimal(hold),
    estimatedInputTokens: inputEstimate,
    maxTokens,
    limits: await gateway.limiter.peek(key.keyId, key.limits, key.account),
    accountLimits: await accountUseOf(gateway, key),
    budgets: await budgetsOf(context, plan, hold),
  });
}

/** Each rule with what the request would reserve in it: the most, and what it is expected to use. */
async function budgetsOf(context: GenerationContext, plan: GenerationPlan, hold: bigint) {
  const asked = askedBudgets(context, plan, hold);
  if (asked === null) return [];
  const states = await ruleStatesOf(context.gateway, asked.rules);
  return states.map((state) => {
    const [{ unit }] = state;
    const need = (mode: "hard" | "stop") => shownAmount(unit, needOf({ unit, mode }, asked));
    return { ...budgetUseOf(state), needed: need("hard"), expected: need("stop") };
  });
}

function describe(planned: PlannedAttempt, index: number, alias: string, open: boolean) {
  const { candidate, prepared } = planned;
  return {
    n: index + 1,
    node: open ? candidate.node.name : `node ${index + 1}`,
    protocol: candidate.node.protocol,
    upstreamModel: open ? candidate.route.upstreamModel : alias,
    reason: candidate.reason,
    warnings: prepared.losses,
    body: open ? prepared.body : { ...prepared.body, model: alias },
  };
}
