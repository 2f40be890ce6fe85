"use client";

import { useState } from "react";
import { ErrorPanel } from "../api/error-panel";
import type { Budget, BudgetMember } from "../api/types";
import { fill } from "../i18n/fill";
import { useMessages } from "../i18n/provider";
import { RowMenu } from "../lists/row-menu";
import type { ButtonVariant } from "../ui/button";
import { ConfirmDialog } from "../ui/confirm-dialog";
import { MenuItem, MenuSeparator } from "../ui/menu";
import { toast } from "../ui/toast";
import { useBudgetCall, useBudgetChange, useBudgetSpace } from "./budget-space";
import { useGiveMore } from "./more-dialog";
import { useBudgetWords } from "./use-budget-words";

/** What can be done with a budget, or with one of its counters. */
export type BudgetTask =
  | { kind: "edit" | "end"; budget: Budget }
  | { kind: "more"; budget: Budget; member: BudgetMember | null }
  | { kind: "exception"; budget: Budget; member: Pick<BudgetMember, "member" | "memberName"> };

/** What can be done with a budget. */
export function BudgetMenu(props: {
  budget: Budget;
  onTask: (task: BudgetTask) => void;
  variant?: ButtonVariant;
}) {
  const text = useMessages("budgets");
  const { budget, onTask } = props;
  const toggle = useToggle();
  const words = useBudgetWords();
  const give = useGiveMore();
  const fifth = fifthOf(budget);
  return (
    <RowMenu name={budget.name} variant={props.variant}>
      <MenuItem onClick={() => onTask({ kind: "edit", budget })}>{text.edit}</MenuItem>
      {budget.each === "none" && fifth > 0 && (
        <MenuItem onClick={() => give({ budget, member: null, amount: fifth })}>
          {fill(text.more.quick, { amount: words.amount(budget.unit, fifth) })}
        </MenuItem>
      )}
      {budget.each === "none" && (
        <MenuItem onClick={() => onTask({ kind: "more", budget, member: null })}>{text.more.action}</MenuItem>
      )}
      <MenuItem onClick={() => toggle(budget)}>{budget.enabled ? text.switchOff : text.switchOn}</MenuItem>
      <MenuSeparator />
      <MenuItem danger onClick={() => onTask({ kind: "end", budget })}>
        {text.end}
      </MenuItem>
    </RowMenu>
  );
}

/** What one click gives more. Units: cents, tokens or requests. */
export const fifthOf = ({ limit }: Budget): number => Math.ceil(limit / 5);

/** Switches a budget off or on, with the way back. */
export function useToggle(): (budget: Budget) => void {
  const text = useMessages("budgets");
  const space = useBudgetSpace();
  const { change } = useBudgetChange();
  return ({ id, name, enabled }) => {
    const turn = (wanted: boolean) => ({
      send: (call: ReturnType<typeof useBudgetCall>) =>
        call(`PATCH ${space}/budgets/{id}`, {
          params: { id },
          body: { enabled: wanted },
          loaded: { enabled: !wanted },
        }),
      done: fill(wanted ? text.switchedOn : text.switchedOff, { name }),
    });
    change({ record: id, ...turn(!enabled), undo: turn(enabled) });
  };
}

/** Asks before a budget ends. */
export function EndBudget(props: { budget: Budget; onClose: () => void }) {
  const text = useMessages("budgets");
  const space = useBudgetSpace();
  const call = useBudgetCall();
  const [state, setState] = useState<{ busy: boolean; error: unknown }>({ busy: false, error: null });
  const { id, name } = props.budget;
  async function end() {
    setState({ busy: true, error: null });
    try {
      await call(`DELETE ${space}/budgets/{id}`, { params: { id } });
    } catch (error) {
      setState({ busy: false, error });
      return;
    }
    props.onClose();
    toast.forget(id);
    toast.done(fill(text.ended, { name }));
  }
  return (
    <ConfirmDialog
      open
      title={fill(text.endTitle, { name })}
      body={<p>{text.endBody}</p>}
      action={text.end}
      busy={state.busy}
      error={state.error === null ? undefined : <ErrorPanel error={state.error} />}
      onConfirm={() => void end()}
      onClose={props.onClose}
    />
  );
}
