"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import type { AdminPlan } from "../../api/admin/types";
import { presets } from "../../budgets/budget-draft";
import { BudgetSpaceContext } from "../../budgets/budget-space";
import { CreateBudget } from "../../budgets/create-budget";
import { useMessages } from "../../i18n/provider";
import { Button } from "../../ui/button";
import { TextLink } from "../../ui/link";

/** What a plan allows by period: the way to its budgets, and the form of one for each of its accounts. */
export function PlanBudgets({ plan }: { plan: AdminPlan }) {
  const text = useMessages("budgets").ofPlan;
  const [creating, setCreating] = useState(false);
  return (
    <section className="grid gap-2 rounded-md border p-3 text-sm">
      <h3 className="font-semibold">{text.title}</h3>
      <p className="text-muted">{text.lead}</p>
      <div className="flex flex-wrap items-center gap-3">
        <Button size="sm" className="h-auto min-h-8 whitespace-normal" onClick={() => setCreating(true)}>
          <Plus aria-hidden className="size-4 shrink-0" />
          {text.add}
        </Button>
        <TextLink href={`/admin/budgets?plan=${plan.id}`}>{text.all}</TextLink>
      </div>
      {creating && (
        <BudgetSpaceContext value="/api/admin">
          <CreateBudget
            preset={null}
            given={{ ...presets.planRequests, planId: String(plan.id) }}
            onClose={() => setCreating(false)}
          />
        </BudgetSpaceContext>
      )}
    </section>
  );
}
