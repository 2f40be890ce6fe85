"use client";

import { useEffect, useState } from "react";
import { budgetPeriods } from "@/lib/shared/budget-words";
import { CheckField, More, SelectField } from "../forms/fields";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { typedAmount } from "./amount-field";
import type { BudgetDraft } from "./budget-draft";
import { Question } from "./question";
import { useBudgetWords } from "./use-budget-words";
import { usePreview } from "./use-preview";

/** In which period the budget counts, when that starts again, and what is used in it already. */
export function PeriodQuestion() {
  const text = useMessages("budgets");
  return (
    <Question title={text.form.when}>
      <SelectField<BudgetDraft>
        name="period"
        label={text.form.period}
        options={budgetPeriods.map((value) => ({ value, label: text.periods[value] }))}
      />
      <RunningPeriod />
      <More label={text.form.zone}>
        <ZoneField />
      </More>
    </Question>
  );
}

function RunningPeriod() {
  const text = useMessages("budgets").form;
  const format = useFormat();
  const words = useBudgetWords();
  const { draft, preview } = usePreview();
  if (preview === undefined) return null;
  const { unit, each } = draft;
  const { endsAt, timeZone, used } = preview;
  const limit = typedAmount(unit, draft.limit);
  const amount = used === null ? "" : words.amount(unit, used);
  const already =
    typeof limit === "number"
      ? fill(text.usedOfLimit, { amount, limit: words.amount(unit, limit) })
      : fill(text.usedAlready, { amount });
  // By the calendar of the budget, which may be another one than the reader's.
  const minutes = new Intl.DateTimeFormat(format.locale, {
    ...({ dateStyle: "medium", timeStyle: "short", hourCycle: "h23" } as const),
    timeZone,
  });
  const resets = fill(text.resetsAt, {
    time: endsAt === null ? "" : minutes.format(new Date(endsAt)),
    zone: timeZone,
  });
  return (
    <div aria-live="polite" className="tabular grid gap-2 text-sm text-muted">
      <p>{endsAt === null ? text.neverResets : resets}</p>
      {each !== "none" && <p>{text.beginsWithNothing}</p>}
      {each === "none" && used !== null && used > 0 && (
        <>
          {!draft.fromNow && <p>{already}</p>}
          <CheckField<BudgetDraft> name="fromNow" label={text.fromNow} />
        </>
      )}
    </div>
  );
}

function ZoneField() {
  const text = useMessages("budgets").form;
  const [zones, setZones] = useState<string[]>([]);
  useEffect(() => setZones(["UTC", ...Intl.supportedValuesOf("timeZone")]), []);
  return (
    <SelectField<BudgetDraft>
      name="timeZone"
      label={text.zone}
      options={[
        { value: "", label: text.zoneDefault },
        ...[...new Set(zones)].map((value) => ({ value, label: value })),
      ]}
    />
  );
}
