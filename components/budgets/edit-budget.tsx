"use client";

import { X } from "lucide-react";
import { useFieldArray, useWatch } from "react-hook-form";
import { typedText } from "@/lib/shared/typed";
import type { callApi } from "../api/client";
import type { Budget } from "../api/types";
import { GroupErrors, TextField } from "../forms/fields";
import { RecordForm } from "../forms/record-form";
import { fill } from "../i18n/fill";
import { useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { Drawer } from "../ui/drawer";
import { toast } from "../ui/toast";
import { AddException } from "./add-exception";
import { AmountField, asTypedAmount, typedAmount } from "./amount-field";
import { useBudgetCall, useBudgetChange, useBudgetSpace } from "./budget-space";
import { ModeChoices } from "./end-question";
import { sentOf } from "./exception-dialog";
import { Question } from "./question";

/** An exception as it is typed. */
interface ExceptionDraft {
  member: string;
  memberName: string | null;
  limit: string;
}

interface EditDraft {
  name: string;
  limit: string;
  mode: Budget["mode"];
  exceptions: ExceptionDraft[];
}

/** Changes what may change of a budget. */
export function EditBudget({ budget, onClose }: { budget: Budget; onClose: () => void }) {
  const text = useMessages("budgets");
  return (
    <Drawer onClose={onClose} title={fill(text.editTitle, { name: budget.name })}>
      <EditForm budget={budget} onClose={onClose} />
    </Drawer>
  );
}

function EditForm({ budget, onClose }: { budget: Budget; onClose: () => void }) {
  const text = useMessages("budgets");
  const common = useMessages("common");
  const space = useBudgetSpace();
  const call = useBudgetCall();
  const undo = useUndoEdit();
  const { id, unit } = budget;
  return (
    <RecordForm
      operation={`PATCH ${space}/budgets/{id}`}
      params={{ id }}
      record={budget}
      call={call}
      keep={{ name: `budget ${id}` }}
      initial={draftOf(budget)}
      toBody={(draft: EditDraft) => editBody(draft, budget)}
      onSent={(saved) => {
        toast.done(fill(text.saved, { name: saved.name }), { record: id, action: undo(budget, saved) });
        onClose();
      }}
      submitLabel={common.save}
      onCancel={onClose}
    >
      <TextField<EditDraft> name="name" label={text.form.name} hint={text.form.nameHint} maxLength={80} />
      <AmountField<EditDraft>
        name="limit"
        unit={unit}
        labels={{ money: text.form.limitYuan, count: text.form.limit }}
        hint={text.form.limitHints[unit]}
      />
      {budget.mode !== "hard" && (
        <Question title={text.form.ending}>
          <ModeChoices modes={["stop", "warn"]} />
        </Question>
      )}
      {budget.each !== "none" && <ExceptionFields budget={budget} />}
    </RecordForm>
  );
}

/** The way back to a budget as it was before it was saved, as long as nobody else has changed it since. */
function useUndoEdit() {
  const text = useMessages("budgets");
  const space = useBudgetSpace();
  const { undoing } = useBudgetChange();
  return (before: Budget, saved: Budget) =>
    undoing({
      record: before.id,
      send: (call: typeof callApi) =>
        call(`PATCH ${space}/budgets/{id}`, {
          params: { id: before.id },
          body: { ...valuesOf(before), exceptions: sentOf(before.exceptions) },
          loaded: { ...valuesOf(saved), exceptions: saved.exceptions },
        }),
      done: fill(text.undone, { name: before.name }),
    });
}

function valuesOf({ name, limit, mode }: Budget) {
  return { name, limit, ...(mode !== "hard" && { mode }) };
}

/** Single members with another limit. */
function ExceptionFields({ budget }: { budget: Budget }) {
  const text = useMessages("budgets");
  const list = useFieldArray<EditDraft, "exceptions">({ name: "exceptions" });
  const rows = useWatch<EditDraft, "exceptions">({ name: "exceptions" });
  return (
    <Question title={text.form.exceptions}>
      <p className="text-xs text-muted">{text.form.exceptionsHint}</p>
      {list.fields.map(({ id }, index) => {
        const member = rows[index]?.memberName ?? text.unknownMember;
        const label = fill(text.form.exceptionOf, { member });
        return (
          <div key={id} className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-2">
            <AmountField<EditDraft>
              name={`exceptions.${index}.limit`}
              unit={budget.unit}
              labels={{ money: label, count: label }}
            />
            <Button
              size="icon"
              variant="ghost"
              aria-label={fill(text.form.removeException, { member })}
              onClick={() => list.remove(index)}
            >
              <X aria-hidden className="size-4" />
            </Button>
          </div>
        );
      })}
      <AddException
        budget={budget}
        taken={rows.map(({ member }) => member)}
        onAdd={(added) => list.append({ ...added, limit: asTypedAmount(budget.unit, budget.limit) })}
      />
      <GroupErrors name="exceptions" />
    </Question>
  );
}

function draftOf(budget: Budget): EditDraft {
  const { name, unit, mode } = budget;
  return {
    name,
    limit: asTypedAmount(unit, budget.limit),
    mode,
    exceptions: budget.exceptions.map(({ member, memberName, limit }) => ({
      member,
      memberName,
      limit: asTypedAmount(unit, limit),
    })),
  };
}

function editBody(draft: EditDraft, { unit, mode, each }: Budget) {
  return {
    name: typedText(draft.name),
    limit: typedAmount(unit, draft.limit),
    ...(mode !== "hard" && { mode: draft.mode }),
    ...(each !== "none" && {
      exceptions: draft.exceptions.map(({ member, limit }) => ({
        member,
        limit: typedAmount(unit, limit) ?? null,
      })),
    }),
  };
}
