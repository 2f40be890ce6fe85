"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import type { AdminUser } from "../../api/admin/types";
import { useRead } from "../../api/use-read";
import { firstDraft } from "../../budgets/budget-draft";
import { BudgetLayers } from "../../budgets/budget-layers";
import { BudgetList } from "../../budgets/budget-list";
import type { BudgetTask } from "../../budgets/budget-menu";
import { BudgetSpaceContext } from "../../budgets/budget-space";
import { useMessages } from "../../i18n/provider";
import { List, useListSource } from "../../lists/list-page";
import { useLocalPages } from "../../lists/list-state";
import { Button } from "../../ui/button";
import { TextLink } from "../../ui/link";
import { ROWS_PER_PAGE } from "./rows-per-page";

/** The budgets of the account and of its keys, and the form of a new one with the account chosen. */
export function UserBudgets({ user }: { user: AdminUser }) {
  const text = useMessages("budgets").ofAccount;
  const pages = useLocalPages();
  const [creating, setCreating] = useState(false);
  const [task, setTask] = useState<BudgetTask | null>(null);
  const query = { userId: user.id, page: pages.page, pageSize: ROWS_PER_PAGE };
  const budgets = useRead("GET /api/admin/budgets", { query });
  return (
    <BudgetSpaceContext value="/api/admin">
      <div className="grid gap-4">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <TextLink href={`/admin/budgets?user=${user.id}`}>{text.all}</TextLink>
          {user.status !== "deleted" && (
            <Button variant="primary" onClick={() => setCreating(true)}>
              <Plus aria-hidden className="size-4" />
              {text.create}
            </Button>
          )}
        </div>
        <List
          state={pages}
          pageSize={ROWS_PER_PAGE}
          byTime={false}
          source={useListSource(budgets)}
          empty={text.empty}
        >
          {(rows) => (
            <BudgetList
              budgets={rows}
              hrefOf={(id) => `/admin/budgets?user=${user.id}&budget=${id}`}
              onTask={setTask}
            />
          )}
        </List>
      </div>
      <BudgetLayers
        budgets={budgets.data?.data}
        opened={null}
        onClose={() => {}}
        task={task}
        onTask={setTask}
        creating={creating ? { preset: null, given: { ...firstDraft, userId: user.id } } : null}
        onCreated={() => setCreating(false)}
      />
    </BudgetSpaceContext>
  );
}
