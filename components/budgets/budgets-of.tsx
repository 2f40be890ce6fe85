"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { useRead } from "../api/use-read";
import { useMessages } from "../i18n/provider";
import { List, useListSource } from "../lists/list-page";
import { useLocalPages } from "../lists/list-state";
import { Button } from "../ui/button";
import { TextLink } from "../ui/link";
import type { BudgetDraft } from "./budget-draft";
import { BudgetLayers } from "./budget-layers";
import { BudgetList } from "./budget-list";
import type { BudgetTask } from "./budget-menu";
import { useBudgetSpace } from "./budget-space";

const ROWS = 20;

/** The budgets of one account or project, and the form of a new one for it. */
export function BudgetsOf(props: {
  query: { userId: string } | { projectId: string };
  /** The page with the same budgets, on which they open. */
  all: { href: string; label: string };
  empty: string;
  /** What else limits the account or project; under the list. */
  note?: string;
  /** What the form of a new one begins with; null: none can be made here. */
  given: BudgetDraft | null;
}) {
  const text = useMessages("budgets");
  const space = useBudgetSpace();
  const pages = useLocalPages();
  const [creating, setCreating] = useState(false);
  const [task, setTask] = useState<BudgetTask | null>(null);
  const { all, given } = props;
  const query = { ...props.query, page: pages.page, pageSize: ROWS };
  const budgets = useRead(`GET ${space}/budgets`, { query });
  return (
    <>
      <div className="grid gap-4">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <TextLink href={all.href}>{all.label}</TextLink>
          {given !== null && (
            <Button variant="primary" onClick={() => setCreating(true)}>
              <Plus aria-hidden className="size-4" />
              {text.add}
            </Button>
          )}
        </div>
        <List
          state={pages}
          pageSize={ROWS}
          byTime={false}
          source={useListSource(budgets)}
          empty={props.empty}
        >
          {(rows) => (
            <BudgetList
              budgets={rows}
              hrefOf={(id) => `${all.href}${all.href.includes("?") ? "&" : "?"}budget=${id}`}
              onTask={setTask}
            />
          )}
        </List>
        {props.note !== undefined && <p className="text-sm text-muted">{props.note}</p>}
      </div>
      <BudgetLayers
        budgets={budgets.data?.data}
        opened={null}
        onClose={() => {}}
        task={task}
        onTask={setTask}
        creating={creating && given !== null ? { preset: null, given } : null}
        onCreated={() => setCreating(false)}
      />
    </>
  );
}
