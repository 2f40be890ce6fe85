"use client";

import { useWatch } from "react-hook-form";
import { typedText } from "@/lib/shared/typed";
import type { callApi } from "../api/client";
import type { Budget, BudgetMember } from "../api/types";
import { TextField } from "../forms/fields";
import { RecordForm } from "../forms/record-form";
import { fill } from "../i18n/fill";
import { useMessages } from "../i18n/provider";
import { Dialog } from "../ui/dialog";
import { toast } from "../ui/toast";
import { AmountField, typedAmount } from "./amount-field";
import { useBudgetCall, useBudgetChange, useBudgetSpace } from "./budget-space";
import { useBudgetWords } from "./use-budget-words";

/** The counter that gets more; null: the only one. */
interface Target {
  budget: Budget;
  member: BudgetMember | null;
}

/** What is said after more was given, and the way back to what had been given before. */
function useGiven() {
  const text = useMessages("budgets").more;
  const words = useBudgetWords();
  const space = useBudgetSpace();
  return ({ budget, member }: Target, added: number) => {
    const counter = member ?? budget.window;
    const before = counter?.extra ?? 0;
    const limit = (counter?.limit ?? budget.limit) + added;
    const params = { id: budget.id };
    const of = member === null ? {} : { member: member.member };
    return {
      body: { ...of, amount: before + added },
      loaded: { extra: before },
      done: fill(text.given, { name: nameOf({ budget, member }), limit: words.amount(budget.unit, limit) }),
      undo: {
        send: (call: typeof callApi) =>
          call(`PATCH ${space}/budgets/{id}/extra`, {
            params,
            body: { ...of, amount: before },
            loaded: { extra: before + added },
          }),
        done: fill(text.undone, { name: nameOf({ budget, member }) }),
      },
    };
  };
}

const nameOf = ({ budget, member }: Target) => member?.memberName ?? budget.name;

/** Gives a counter more for its running period, with the way back. */
export function useGiveMore(): (of: Target & { amount: number }) => void {
  const space = useBudgetSpace();
  const { change } = useBudgetChange();
  const given = useGiven();
  return ({ amount, ...target }) => {
    const { body, loaded, done, undo } = given(target, amount);
    const { id } = target.budget;
    change({
      record: id,
      send: (call) => call(`PATCH ${space}/budgets/{id}/extra`, { params: { id }, body, loaded }),
      done,
      undo,
    });
  };
}

interface MoreDraft {
  amount: string;
  reason: string;
}

/** Asks how much more a counter gets in its running period, and why. */
export function MoreDialog({ onClose, ...target }: Target & { onClose: () => void }) {
  const text = useMessages("budgets").more;
  const { budget, member } = target;
  const title =
    member === null
      ? fill(text.title, { name: budget.name })
      : fill(text.titleOf, { name: budget.name, member: member.memberName ?? "" });
  return (
    <Dialog open onClose={onClose} title={title} size="sm">
      <MoreForm {...target} onClose={onClose} />
    </Dialog>
  );
}

function MoreForm({ onClose, ...target }: Target & { onClose: () => void }) {
  const text = useMessages("budgets").more;
  const space = useBudgetSpace();
  const call = useBudgetCall();
  const { undoing } = useBudgetChange();
  const given = useGiven();
  const { budget } = target;
  const { id, unit } = budget;
  const operation = `PATCH ${space}/budgets/{id}/extra` as const;
  return (
    <RecordForm
      acts
      operation={operation}
      // How much was added.
      send={async (body) => {
        const { loaded } = given(target, 0);
        await call(operation, { params: { id }, body, loaded });
        return body.amount - loaded.extra;
      }}
      initial={{ amount: "", reason: "" }}
      toBody={({ amount, reason }: MoreDraft) => {
        const added = typedAmount(unit, amount);
        const { body } = given(target, typeof added === "number" ? added : 0);
        return {
          ...body,
          amount: typeof added === "number" ? body.amount : added,
          reason: typedText(reason),
        };
      }}
      onSent={(added) => {
        onClose();
        const { done, undo } = given(target, added);
        toast.done(done, { record: id, action: undoing({ ...undo, record: id }) });
      }}
      submitLabel={text.submit}
      onCancel={onClose}
    >
      <AmountField<MoreDraft>
        name="amount"
        unit={unit}
        labels={{ money: text.amountYuan, count: text.amount }}
        hint={text.hint}
      />
      <Allowed {...target} />
      <TextField<MoreDraft> name="reason" label={text.reason} hint={text.reasonHint} optional />
    </RecordForm>
  );
}

/** What the counter allows now and would then. */
function Allowed({ budget, member }: Target) {
  const text = useMessages("budgets").more;
  const words = useBudgetWords();
  const typed: string = useWatch({ name: "amount" });
  const limit = (member ?? budget.window)?.limit ?? budget.limit;
  const added = typedAmount(budget.unit, typed);
  const after = limit + (typeof added === "number" ? added : 0);
  return (
    <p aria-live="polite" className="tabular text-sm">
      {fill(text.now, { limit: words.amount(budget.unit, limit), after: words.amount(budget.unit, after) })}
    </p>
  );
}
