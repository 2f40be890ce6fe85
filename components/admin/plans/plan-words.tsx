"use client";

import type { AdminPlan } from "../../api/admin/types";
import { useRead } from "../../api/use-read";
import { fill } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";

/** How fast a key on a plan may go, in a sentence. */
export function usePlanLimits(): (plan: AdminPlan) => string {
  const text = useMessages("admin").plans.words;
  const listed = useListedLimits();
  return (plan) => {
    const limits = listed(plan);
    return limits === null ? text.noLimits : fill(text.atMost, { limits });
  };
}

type Limits = Pick<AdminPlan, "qps" | "rpm" | "tpm" | "concurrent">;

/** Limits of calls as a list in a sentence; null: there are none. */
function useListedLimits(): (limits: Limits) => string | null {
  const text = useMessages("admin").plans.words;
  const format = useFormat();
  return (of) => {
    const limits = (["qps", "rpm", "tpm", "concurrent"] as const).flatMap((name) => {
      const limit = of[name];
      return limit === null ? [] : [fill(text.limits[name], { count: format.countFull(limit) })];
    });
    return limits.length === 0 ? null : format.list(limits);
  };
}

/** What the accounts on a plan may do over all their keys, in sentences; none where the plan does not limit them. */
function useAccountWords(): (plan: AdminPlan) => string[] {
  const text = useMessages("admin").plans.words;
  const format = useFormat();
  const listed = useListedLimits();
  return ({ accountLimits }) => {
    const limits = listed(accountLimits);
    const { keys } = accountLimits;
    return [
      ...(limits === null ? [] : [fill(text.ofAccount, { limits })]),
      ...(keys === null ? [] : [fill(text.keysOfAccount, { count: format.countFull(keys) })]),
    ];
  };
}

/** What a plan allows, in sentences: how fast a key may go, whose keys may have it, and what its accounts may choose. */
export function PlanWords({ plan }: { plan: AdminPlan }) {
  const text = useMessages("admin").plans.words;
  const format = useFormat();
  const plans = useRead("GET /api/admin/plans").data?.data ?? [];
  const limitsOf = usePlanLimits();
  const accountWords = useAccountWords()(plan);
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
        {accountWords.map((words) => (
          <li key={words}>{words}</li>
        ))}
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
