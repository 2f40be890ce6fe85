"use client";

import { useWatch } from "react-hook-form";
import { budgetUnits } from "@/lib/shared/budget-words";
import { More, useField } from "../forms/fields";
import { ModelPicker } from "../forms/model-picker";
import { useMessages } from "../i18n/provider";
import { Segmented } from "../ui/segmented";
import { AmountField } from "./amount-field";
import type { BudgetDraft } from "./budget-draft";
import { Question } from "./question";

/** How much of what the budget allows. */
export function WhatQuestion() {
  const text = useMessages("budgets");
  const { field } = useField("unit");
  const unit = useWatch<BudgetDraft, "unit">({ name: "unit" });
  return (
    <Question title={text.form.what}>
      <Segmented
        label={text.form.unit}
        value={unit}
        onChange={field.onChange}
        options={budgetUnits.map((value) => ({ value, label: text.units[value] }))}
      />
      <AmountField<BudgetDraft>
        name="limit"
        unit={unit}
        labels={{ money: text.form.limitYuan, count: text.form.limit }}
        hint={text.form.limitHints[unit]}
      />
      <More label={text.form.onlyModels}>
        <ModelPicker text={text.form} />
      </More>
    </Question>
  );
}
