"use client";

import type { Budget } from "../api/types";
import { fill } from "../i18n/fill";
import { useMessages } from "../i18n/provider";
import { cn } from "../ui/cn";
import { TextLink } from "../ui/link";
import { Status } from "../ui/status";
import { BudgetUse } from "./budget-bar";
import { shownCounter } from "./budget-use";
import { useBudgetWords } from "./use-budget-words";

/** Budgets in small: each with its bar and when it starts again. */
export function BudgetBars(props: {
  budgets: readonly Budget[];
  /** Side by side where there is room. */
  across?: boolean;
}) {
  const text = useMessages("budgets");
  const words = useBudgetWords();
  return (
    <ul className={cn("grid gap-4", props.across && "md:grid-cols-2 md:gap-x-6 xl:grid-cols-3")}>
      {props.budgets.map((budget) => {
        const counter = shownCounter(budget, false);
        return (
          <li key={budget.id} className="grid min-w-0 content-start gap-1 text-sm">
            <div className="flex flex-wrap items-baseline justify-between gap-x-3">
              <TextLink href={`/console/budgets?budget=${budget.id}`} className="wrap-anywhere">
                {budget.name}
              </TextLink>
              <span className="text-xs text-muted">
                {budget.resetsAt === null
                  ? text.never
                  : fill(text.startsAgain, { when: words.resetsIn(budget.resetsAt) })}
              </span>
            </div>
            {counter === null ? (
              <p className="text-muted">
                {fill(text.sharedUse, { limit: words.amount(budget.unit, budget.limit) })}
              </p>
            ) : (
              <BudgetUse counter={counter} budget={budget} note={text.modes[budget.mode]} />
            )}
            {!budget.enabled && <Status tone="off">{text.states.off}</Status>}
          </li>
        );
      })}
    </ul>
  );
}
