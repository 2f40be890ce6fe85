"use client";

import type { callApi } from "../api/client";
import type { Budget, BudgetMember } from "../api/types";
import { RecordForm } from "../forms/record-form";
import { fill } from "../i18n/fill";
import { useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { toast } from "../ui/toast";
import { AmountField, asTypedAmount, typedAmount } from "./amount-field";
import { useBudgetCall, useBudgetChange, useBudgetSpace } from "./budget-space";
import { useBudgetWords } from "./use-budget-words";

interface Target {
  budget: Budget;
  member: Pick<BudgetMember, "member" | "memberName">;
  onClose: () => void;
}

interface ExceptionDraft {
  limit: string;
}

type Exceptions = Budget["exceptions"];

/** Another limit for one member in every period. */
export function ExceptionDialog(props: Target) {
  const text = useMessages("budgets");
  const member = props.member.memberName ?? text.unknownMember;
  return (
    <Dialog open onClose={props.onClose} title={fill(text.exception.title, { member })} size="sm">
      <ExceptionForm {...props} />
    </Dialog>
  );
}

function ExceptionForm(props: Target) {
  const text = useMessages("budgets");
  const words = useBudgetWords();
  const space = useBudgetSpace();
  const call = useBudgetCall();
  const { undoing } = useBudgetChange();
  const { writing, undoAfter } = useExceptions(props);
  const { budget, member, onClose } = props;
  const { id, unit, exceptions } = budget;
  const own = exceptions.find(isOf(member));
  return (
    <RecordForm
      acts
      operation={`PATCH ${space}/budgets/{id}`}
      send={(body) => writing(body.exceptions ?? [], exceptions)(call)}
      initial={{ limit: asTypedAmount(unit, own === undefined ? budget.limit : own.limit) }}
      toBody={({ limit }: ExceptionDraft) => ({
        exceptions: [
          ...sentOf(exceptions.filter((exception) => !isOf(member)(exception))),
          { member: member.member, limit: typedAmount(unit, limit) ?? null },
        ],
      })}
      onSent={(saved) => {
        const limit = saved.exceptions.find(isOf(member))?.limit ?? null;
        const shown = limit === null ? text.noLimit : words.amount(unit, limit);
        onClose();
        toast.done(fill(text.exception.saved, { member: member.memberName ?? "", limit: shown }), {
          record: id,
          action: undoing({ record: id, ...undoAfter(saved.exceptions) }),
        });
      }}
      submitLabel={text.exception.submit}
      onCancel={onClose}
    >
      <AmountField<ExceptionDraft>
        name="limit"
        unit={unit}
        labels={{ money: text.exception.limitYuan, count: text.exception.limit }}
        hint={fill(text.exception.hint, { limit: words.amount(unit, budget.limit) })}
        optional
      />
      {own !== undefined && <Remove {...props} />}
    </RecordForm>
  );
}

/** Takes the exception away: the limit of all holds. */
function Remove(props: Target) {
  const text = useMessages("budgets");
  const { change } = useBudgetChange();
  const { writing, undoAfter } = useExceptions(props);
  const { budget, member, onClose } = props;
  const others = budget.exceptions.filter((exception) => !isOf(member)(exception));
  return (
    <Button
      className="justify-self-start"
      onClick={() => {
        onClose();
        change({
          record: budget.id,
          send: writing(sentOf(others), budget.exceptions),
          done: fill(text.exception.removed, { member: member.memberName ?? text.unknownMember }),
          undo: undoAfter(others),
        });
      }}
    >
      {text.exception.remove}
    </Button>
  );
}

/** Writes the exceptions of a budget, unless they are not those that were loaded, and the way back to those that it had. */
function useExceptions({ budget, member }: Target) {
  const text = useMessages("budgets");
  const space = useBudgetSpace();
  const { id, exceptions } = budget;
  const writing = (wanted: ReturnType<typeof sentOf>, loaded: Exceptions) => (call: typeof callApi) =>
    call(`PATCH ${space}/budgets/{id}`, {
      params: { id },
      body: { exceptions: wanted },
      loaded: { exceptions: loaded },
    });
  const undoAfter = (now: Exceptions) => ({
    send: writing(sentOf(exceptions), now),
    done: fill(text.exception.undone, { member: member.memberName ?? text.unknownMember }),
  });
  return { writing, undoAfter };
}

const isOf =
  ({ member }: Pick<BudgetMember, "member">) =>
  (exception: Pick<BudgetMember, "member">) =>
    exception.member === member;

/** Exceptions as the API takes them. */
export function sentOf(exceptions: Exceptions): { member: string; limit: number | null }[] {
  return exceptions.map(({ member, limit }) => ({ member, limit }));
}
