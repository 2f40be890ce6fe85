"use client";

import { parseAsString, parseAsStringLiteral, useQueryState } from "nuqs";
import { useState } from "react";
import { budgetScopes } from "@/lib/shared/budget-words";
import { useRead } from "../api/use-read";
import { useMessages } from "../i18n/provider";
import { ListPage, useListSource } from "../lists/list-page";
import { useListState } from "../lists/list-state";
import { PAGE_SIZE } from "../lists/page-size";
import { useCreating } from "../lists/use-creating";
import type { PresetName } from "./budget-draft";
import { BudgetLayers } from "./budget-layers";
import { BudgetList } from "./budget-list";
import type { BudgetTask } from "./budget-menu";
import { Presets } from "./create-budget";

const filterParsers = { scope: parseAsStringLiteral(budgetScopes) };

/** The budgets that the requests of the account meet. */
export function BudgetsPage() {
  const text = useMessages("budgets");
  const list = useListState(filterParsers);
  const [opened, setOpened] = useQueryState("budget", parseAsString);
  const [creating, setCreating] = useCreating("budget");
  const [preset, setPreset] = useState<PresetName | null>(null);
  const [task, setTask] = useState<BudgetTask | null>(null);
  const query = { scope: list.url.scope ?? undefined, page: list.page, pageSize: PAGE_SIZE };
  const budgets = useRead("GET /api/user/budgets", { query });
  const begin = (name: PresetName | null) => {
    setPreset(name);
    setCreating(true);
  };
  return (
    <>
      <ListPage
        title={text.title}
        lead={text.lead}
        primary={{ label: text.create, onClick: () => begin(null) }}
        state={list}
        filters={[
          {
            kind: "select",
            name: "scope",
            label: text.filters.scope,
            options: budgetScopes.map((value) => ({ value, label: text.scopes[value] })),
          },
        ]}
        source={useListSource(budgets)}
        count={text.found}
        byTime={false}
        empty={text.empty}
        emptyBody={
          <div className="flex justify-center pb-8">
            <Presets onPreset={begin} />
          </div>
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
        creating={creating ? { preset } : null}
        onCreated={() => setCreating(false)}
      />
    </>
  );
}
