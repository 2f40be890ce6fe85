"use client";

import type { AdminUser } from "../../api/admin/types";
import { firstDraft } from "../../budgets/budget-draft";
import { BudgetSpaceContext } from "../../budgets/budget-space";
import { BudgetsOf } from "../../budgets/budgets-of";
import { useMessages } from "../../i18n/provider";

/** The budgets of the account and of its keys, and the form of a new one with the account chosen. */
export function UserBudgets({ user }: { user: AdminUser }) {
  const text = useMessages("budgets").ofAccount;
  const { id, status } = user;
  return (
    <BudgetSpaceContext value="/api/admin">
      <BudgetsOf
        query={{ userId: id }}
        all={{ href: `/admin/budgets?user=${id}`, label: text.all }}
        empty={text.empty}
        note={text.note}
        given={status === "deleted" ? null : { ...firstDraft, userId: id }}
      />
    </BudgetSpaceContext>
  );
}
