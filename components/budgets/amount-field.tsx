"use client";

import type { FieldValues, Path } from "react-hook-form";
import type { BudgetUnit } from "@/lib/shared/budget-words";
import { centsToYuan } from "@/lib/shared/decimal";
import { typedWhole, typedYuan } from "@/lib/shared/typed";
import { MoneyField, TextField } from "../forms/fields";
import { useFormat } from "../i18n/provider";

/** An amount in the unit of a budget: yuan, or a whole number of tokens or requests. */
export function AmountField<Draft extends FieldValues>(props: {
  name: Path<Draft> & string;
  unit: BudgetUnit;
  labels: { money: string; count: string };
  hint?: string;
  optional?: boolean;
}) {
  const format = useFormat();
  const { name, unit, labels, hint = "", optional = false } = props;
  if (unit === "money")
    return (
      <MoneyField<Draft>
        name={name}
        label={labels.money}
        {...(hint !== "" && { hint: (typed: string) => format.typedMoney(typed, hint) })}
        optional={optional}
      />
    );
  return (
    <TextField<Draft> name={name} label={labels.count} hint={hint} inputMode="numeric" optional={optional} />
  );
}

/** A typed amount as the API takes it: whole cents, tokens or requests; what cannot be read stays text. */
export function typedAmount(unit: BudgetUnit, typed: string): number | string | undefined {
  return unit === "money" ? typedYuan(typed) : typedWhole(typed);
}

/** An amount as it is typed. */
export function asTypedAmount(unit: BudgetUnit, amount: number | null): string {
  if (amount === null) return "";
  return unit === "money" ? centsToYuan(amount) : String(amount);
}
