"use client";

import { useId } from "react";
import { budgetModes } from "@/lib/shared/budget-words";
import { useField } from "../forms/fields";
import { fill } from "../i18n/fill";
import { useMessages } from "../i18n/provider";
import { Radio } from "../ui/field";
import { typedAmount } from "./amount-field";
import { Question } from "./question";
import { useBudgetWords } from "./use-budget-words";
import { usePreview } from "./use-preview";

/** What happens once the budget is used up. */
export function EndQuestion() {
  const text = useMessages("budgets");
  return (
    <Question title={text.form.ending}>
      <ModeChoices modes={budgetModes} />
      <Reserves />
    </Question>
  );
}

/** The modes, each with what it does. */
export function ModeChoices<Mode extends (typeof budgetModes)[number]>(props: { modes: readonly Mode[] }) {
  const text = useMessages("budgets");
  const { field } = useField("mode");
  const id = useId();
  return (
    <div role="radiogroup" aria-label={text.form.ending} className="grid gap-3">
      {props.modes.map((mode) => (
        <div key={mode} className="grid gap-0.5">
          <label className="flex min-h-6 items-start gap-2 text-sm font-medium pointer-coarse:min-h-11">
            <Radio
              name={id}
              checked={field.value === mode}
              onChange={() => field.onChange(mode)}
              aria-describedby={`${id}-${mode}`}
              className="mt-0.5 size-4 shrink-0 accent-primary"
            />
            <span>{text.modes[mode]}</span>
          </label>
          <p id={`${id}-${mode}`} className="pl-6 text-xs text-muted">
            {text.modeHints[mode]}
          </p>
        </div>
      ))}
    </div>
  );
}

/** What a request reserves and costs, which a limit that is never passed has to hold. */
function Reserves() {
  const text = useMessages("budgets").form;
  const words = useBudgetWords();
  const { draft, preview } = usePreview();
  const { unit, mode } = draft;
  if (mode !== "hard" || unit !== "money" || preview === undefined) return null;
  const { request } = preview;
  if (request === null) return <p className="text-sm text-muted">{text.reservesUnknown}</p>;
  const limit = typedAmount(unit, draft.limit);
  const used = draft.fromNow || draft.each !== "none" ? 0 : (preview.used ?? 0);
  const left = typeof limit === "number" ? Math.max(0, limit - used) : null;
  return (
    <div aria-live="polite" className="tabular grid gap-1 text-sm">
      <p>
        {fill(text.reserves, {
          reserves: words.amount(unit, request.reserves),
          uses: words.amount(unit, request.uses),
        })}
      </p>
      {left !== null && request.reserves > left && <p className="text-warning">{text.reservesMore}</p>}
      {left !== null && request.reserves <= left && request.reserves > 0 && (
        <p className="text-muted">
          {fill(text.few, { count: words.count(Math.floor(left / request.reserves)) })}
        </p>
      )}
    </div>
  );
}
