"use client";

import { fill } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { useAdminPlans } from "../queries";
import type { AdminPlan } from "../types";

/** How fast a key on a plan may go, in a sentence. */
export function usePlanLimits(): (plan: AdminPlan) => string {
  const text = useMessages("admin").plans.words;
  const format = useFormat();
  return (plan) => {
    const limits = (["qps", "rpm", "tpm"] as const).flatMap((name) => {
      const limit = plan[name];
      return limit === null ? [] : [fill(text.limits[name], { count: format.countFull(limit) })];
    });
    return limits.length === 0 ? text.noLimits : fill(text.atMost, { limits: format.list(limits) });
  };
}

/** What a plan allows, in sentences: how fast a key may go, whose keys may have it, and what its accounts may choose. */
export function PlanWords({ plan }: { plan: AdminPlan }) {
  const text = useMessages("admin").plans.words;
  const format = useFormat();
  const plans = useAdminPlans().data?.data ?? [];
  const limitsOf = usePlanLimits();
  const open = plans.filter(({ id, selfService }) => selfService && id !== plan.id).map(({ name }) => name);
  const closed = plans
    .filter(({ id, selfService }) => !selfService && id !== plan.id)
    .map(({ name }) => name);
  return (
    <section className="grid gap-2 rounded-md border bg-card p-3 text-sm">
      <h3 className="font-semibold">{text.title}</h3>
      <ul className="grid list-disc gap-1 pl-4">
        <li>
          {limitsOf(plan)}
          {format.gap}
          {fill(text.keyQuota, { amount: format.money(plan.keyQuotaCents) })}
        </li>
        <li>{plan.selfService ? text.open : text.closed}</li>
        <li>
          {fill(text.ofAccounts, { plans: format.either([plan.name, ...open]) })}
          {closed.length > 0 && format.gap + fill(text.notOn, { plans: format.either(closed) })}
        </li>
        <li>{text.nothingElse}</li>
      </ul>
    </section>
  );
}
