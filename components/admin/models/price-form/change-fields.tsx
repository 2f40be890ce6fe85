"use client";

import { useWatch } from "react-hook-form";
import type { ChangeDraft } from "@/lib/shared/prices/card-draft";
import { SelectField, TextField } from "../../../forms/fields";
import { useMessages } from "../../../i18n/provider";
import { CardFields } from "./card-fields";
import type { PricePart } from "./part";
import { TierSection } from "./tier-section";

/** What a service tier or a window changes: a factor, or prices of its own. */
export function ChangeFields(
  props: PricePart & {
    label: string;
    /** What is chosen where nothing has a price; absent: one of the others is needed. */
    none?: string;
  },
) {
  const text = useMessages("adminModels").form;
  const { prefix, label, none, ...part } = props;
  const by: ChangeDraft["by"] = useWatch({ name: `${prefix}by` });
  const options = (["factor", "prices"] as const).map((value) => ({ value, label: text.by[value] }));
  return (
    <>
      <SelectField
        name={`${prefix}by`}
        label={label}
        options={none === undefined ? options : [{ value: "none", label: none }, ...options]}
      />
      {by === "factor" && (
        <TextField
          name={`${prefix}factor`}
          label={part.nameOf(text.factor)}
          hint={text.factorHint}
          rule={text.factorRule}
          inputMode="decimal"
        />
      )}
      {by === "prices" && (
        <>
          <CardFields {...part} prefix={prefix} />
          <TierSection {...part} prefix={prefix} />
        </>
      )}
    </>
  );
}
