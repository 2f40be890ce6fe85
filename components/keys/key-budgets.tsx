"use client";

import { ErrorPanel } from "../api/error-panel";
import { useRead } from "../api/use-read";
import { BudgetBars } from "../budgets/budget-bars";
import { useMessages } from "../i18n/provider";
import { TextLink } from "../ui/link";
import { Skeleton } from "../ui/states";

const MAX_BUDGETS = 24;

/** The budgets that the requests of a key meet. */
export function KeyBudgets(props: { keyId: string }) {
  const text = useMessages("budgets").ofKey;
  const query = { tokenId: props.keyId, pageSize: MAX_BUDGETS };
  const budgets = useRead("GET /api/user/budgets", { query }, { placeholderData: undefined });
  if (budgets.data === undefined)
    return budgets.isError ? (
      <ErrorPanel error={budgets.error} onRetry={() => budgets.refetch()} />
    ) : (
      <Skeleton className="h-10" />
    );
  const inForce = budgets.data.data.filter(({ enabled }) => enabled);
  if (inForce.length === 0)
    return (
      <p className="text-sm text-muted">
        {text.none} <TextLink href="/console/budgets">{text.all}</TextLink>
      </p>
    );
  return <BudgetBars budgets={inForce} />;
}
