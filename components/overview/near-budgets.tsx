"use client";

import { useRead } from "../api/use-read";
import { BudgetBars } from "../budgets/budget-bars";
import { NEAR, shareOf, shownCounter } from "../budgets/budget-use";
import { useMessages } from "../i18n/provider";
import { Card } from "../ui/card";
import { TextLink } from "../ui/link";
import { fullestBudgets } from "./reads";

/** The budgets that are nearly used up, or are; nothing while there is none. */
export function NearBudgets() {
  const text = useMessages("budgets").overview;
  const budgets = useRead("GET /api/user/budgets", fullestBudgets).data?.data ?? [];
  const near = budgets.filter((budget) => {
    const counter = shownCounter(budget, false);
    return budget.enabled && counter !== null && (shareOf(counter) ?? 0) >= NEAR;
  });
  if (near.length === 0) return null;
  return (
    <Card title={text.title} actions={<TextLink href="/console/budgets">{text.all}</TextLink>}>
      <BudgetBars across budgets={near} />
    </Card>
  );
}
