"use client";

import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryState } from "nuqs";
import { useState } from "react";
import { budgetScopes } from "@/lib/shared/budget-words";
import { useShell } from "../../api/shell-facts";
import { useRead } from "../../api/use-read";
import type { BudgetDraft, PresetName } from "../../budgets/budget-draft";
import { firstDraft, presets } from "../../budgets/budget-draft";
import { BudgetLayers } from "../../budgets/budget-layers";
import { BudgetList } from "../../budgets/budget-list";
import type { BudgetTask } from "../../budgets/budget-menu";
import { BudgetSpaceContext } from "../../budgets/budget-space";
import { Presets } from "../../budgets/create-budget";
import { useMessages } from "../../i18n/provider";
import { ExportLink } from "../../lists/export-link";
import type { Filter } from "../../lists/filters";
import { ListPage, useListSource } from "../../lists/list-page";
import { type ListState, useListState } from "../../lists/list-state";
import { PAGE_SIZE } from "../../lists/page-size";
import { useCreating } from "../../lists/use-creating";
import { AccountFilter } from "../../logs/account-filter";

const filterParsers = {
  scope: parseAsStringLiteral(budgetScopes),
  plan: parseAsInteger,
  user: parseAsString,
};

/** Every budget. */
export function AdminBudgetsPage() {
  const text = useMessages("budgets");
  const { admin } = useShell();
  const list = useListState(filterParsers);
  const { scope, plan, user } = list.url;
  const [opened, setOpened] = useQueryState("budget", parseAsString);
  const [creating, setCreating] = useCreating("budget");
  const [preset, setPreset] = useState<PresetName | null>(null);
  const [task, setTask] = useState<BudgetTask | null>(null);
  const query = {
    scope: scope ?? undefined,
    planId: plan ?? undefined,
    userId: user ?? undefined,
    page: list.page,
    pageSize: PAGE_SIZE,
  };
  const budgets = useRead("GET /api/admin/budgets", { query });
  const begin = (name: PresetName | null) => {
    setPreset(name);
    setCreating(true);
  };
  return (
    <BudgetSpaceContext value="/api/admin">
      <ListPage
        title={text.adminTitle}
        lead={text.adminLead}
        actions={<ExportLink path="/api/admin/budgets/export" query={{}} />}
        primary={admin ? { label: text.create, onClick: () => begin(null) } : undefined}
        state={list}
        filters={useFilters(list)}
        source={useListSource(budgets)}
        count={text.found}
        byTime={false}
        empty={text.empty}
        emptyBody={
          admin && (
            <div className="flex justify-center pb-8">
              <Presets onPreset={begin} />
            </div>
          )
        }
      >
        {(rows) => <BudgetList budgets={rows} onTask={setTask} />}
      </ListPage>
      <BudgetLayers
        budgets={budgets.data?.data}
        opened={opened}
        onClose={() => void setOpened(null)}
        task={task}
        onTask={setTask}
        creating={creating ? { preset, given: preset === null ? givenBy(list) : undefined } : null}
        onCreated={() => setCreating(false)}
      />
    </BudgetSpaceContext>
  );
}

function useFilters(list: ListState<typeof filterParsers>): Filter<"scope" | "plan" | "user">[] {
  const text = useMessages("budgets");
  const plans = useRead("GET /api/admin/plans").data?.data ?? [];
  return [
    {
      kind: "select",
      name: "scope",
      label: text.filters.scope,
      options: budgetScopes.map((value) => ({ value, label: text.scopes[value] })),
    },
    {
      kind: "select",
      name: "plan",
      label: text.filters.plan,
      options: plans.map(({ id, name }) => ({ value: String(id), label: name })),
    },
    {
      kind: "other",
      name: "user",
      element: (
        <AccountFilter account={list.url.user} onAccount={(id) => list.setTexts({ user: id ?? "" })} />
      ),
    },
  ];
}

/** What the form begins with under the filters: the account or plan that they name. */
function givenBy({ url }: ListState<typeof filterParsers>): Partial<BudgetDraft> | undefined {
  if (url.user !== null) return { ...firstDraft, userId: url.user };
  if (url.plan !== null) return { ...presets.planRequests, planId: String(url.plan) };
  return undefined;
}
