"use client";

import type { Budget } from "../api/types";
import { useKeptEdit } from "../lists/use-creating";
import type { BudgetDraft, PresetName } from "./budget-draft";
import { BudgetDrawer } from "./budget-drawer";
import { type BudgetTask, EndBudget } from "./budget-menu";
import { CreateBudget } from "./create-budget";
import { EditBudget } from "./edit-budget";
import { ExceptionDialog } from "./exception-dialog";
import { MoreDialog } from "./more-dialog";

/** What opens over a list of budgets: one of them, what is done with it, or the form of a new one. */
export function BudgetLayers(props: {
  /** The budgets that are listed. */
  budgets: readonly Budget[] | undefined;
  /** The id of the budget that is shown. */
  opened: string | null;
  onClose: () => void;
  task: BudgetTask | null;
  onTask: (task: BudgetTask | null) => void;
  /** What the form of a new one begins with; null: it is not open. */
  creating: { preset: PresetName | null; given?: Partial<BudgetDraft> | undefined } | null;
  onCreated: () => void;
}) {
  const { budgets, opened, task, onTask, creating } = props;
  useKeptEdit("budget ", budgets, (budget) => onTask({ kind: "edit", budget }));
  const done = () => onTask(null);
  return (
    <>
      {opened !== null && task === null && creating === null && (
        <BudgetDrawer key={opened} id={opened} onTask={onTask} onClose={props.onClose} />
      )}
      {creating !== null && <CreateBudget {...creating} onClose={props.onCreated} />}
      {task?.kind === "edit" && <EditBudget budget={task.budget} onClose={done} />}
      {task?.kind === "end" && <EndBudget budget={task.budget} onClose={done} />}
      {task?.kind === "more" && <MoreDialog budget={task.budget} member={task.member} onClose={done} />}
      {task?.kind === "exception" && (
        <ExceptionDialog budget={task.budget} member={task.member} onClose={done} />
      )}
    </>
  );
}
