"use client";

import { BudgetUse } from "../budgets/budget-bar";
import { Shelf } from "./shelf";

const budget = { name: "Agents", unit: "money", mode: "stop", enabled: true } as const;
const month = {
  startsAt: "2026-11-01T00:00:00.000Z",
  endsAt: "2026-12-01T00:00:00.000Z",
  limit: 100_000,
  extra: 0,
  used: 41_250,
  held: 0,
};

/** Counters of budgets in every state. */
export function KitchenBudgets() {
  return (
    <>
      <Shelf name="BudgetUse" stacked>
        <BudgetUse budget={budget} counter={month} />
        <BudgetUse budget={budget} counter={{ ...month, held: 30_000 }} note="Fullest of 12" />
        <BudgetUse budget={budget} counter={{ ...month, used: 86_000 }} />
        <BudgetUse budget={budget} counter={{ ...month, used: 70_000, held: 30_000 }} />
        <BudgetUse budget={budget} counter={{ ...month, used: 100_000 }} />
        <BudgetUse budget={budget} counter={{ ...month, used: 104_000, held: 2000 }} />
      </Shelf>
      <Shelf name="BudgetUse: only counted, off, without a limit, nothing passes, for ever" stacked>
        <BudgetUse budget={{ ...budget, mode: "warn" }} counter={{ ...month, used: 140_000 }} />
        <BudgetUse budget={{ ...budget, enabled: false }} counter={month} />
        <BudgetUse budget={{ ...budget, unit: "tokens" }} counter={{ ...month, limit: null }} />
        <BudgetUse budget={{ ...budget, unit: "requests" }} counter={{ ...month, limit: 0, used: 0 }} />
        <BudgetUse
          budget={{ ...budget, unit: "tokens" }}
          counter={{ ...month, startsAt: null, endsAt: null, used: 100_000 }}
        />
      </Shelf>
    </>
  );
}
