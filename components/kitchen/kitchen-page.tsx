"use client";

import type { ReactNode } from "react";
import { PageHeader } from "../ui/card";
import { KitchenBasics } from "./kitchen-basics";
import { KitchenBudgets } from "./kitchen-budgets";
import { KitchenCharts } from "./kitchen-charts";
import { KitchenFields } from "./kitchen-fields";
import { KitchenLayers } from "./kitchen-layers";
import { KitchenFilters, KitchenListStates, KitchenTables } from "./kitchen-lists";
import { KitchenStates } from "./kitchen-states";

const sections: { id: string; title: string; content: ReactNode }[] = [
  { id: "basics", title: "Type, buttons, status, money", content: <KitchenBasics /> },
  { id: "fields", title: "Fields and forms", content: <KitchenFields /> },
  { id: "filters", title: "Filters", content: <KitchenFilters /> },
  { id: "tables", title: "Tables", content: <KitchenTables /> },
  { id: "lists", title: "States of a list", content: <KitchenListStates /> },
  { id: "states", title: "Notes, errors, empty and loading", content: <KitchenStates /> },
  { id: "budgets", title: "Budgets", content: <KitchenBudgets /> },
  { id: "charts", title: "Charts", content: <KitchenCharts /> },
  { id: "layers", title: "Layers", content: <KitchenLayers /> },
];

/** Every component in every state, with data that never change. Its words are for developers, in English only. */
export function KitchenPage() {
  return (
    <>
      <PageHeader title="Kitchen" lead="Every component in every state. Nothing here changes anything." />
      <div className="grid gap-8">
        {sections.map((section) => (
          <section key={section.id} aria-labelledby={`${section.id}-title`} className="grid min-w-0 gap-4">
            <h2 id={`${section.id}-title`} className="text-lg font-semibold">
              {section.title}
            </h2>
            {/* What the snapshots show. */}
            <div data-kitchen={section.id} className="grid min-w-0 gap-6 bg-page p-1">
              {section.content}
            </div>
          </section>
        ))}
      </div>
    </>
  );
}
