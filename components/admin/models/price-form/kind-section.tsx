"use client";

import { TextField, usePriceRule } from "../../../forms/fields";
import { useMessages } from "../../../i18n/provider";
import type { PricePart } from "./part";
import { otherKinds, RateFields } from "./rate-fields";
import { isTyped, PriceSection } from "./section";

/** Prices of kinds of tokens that few models have, and of a request itself. */
export function KindSection(props: PricePart) {
  const text = useMessages("adminModels");
  const { perRequest } = useMessages("prices");
  const { prefix, nameOf } = props;
  const rule = usePriceRule(text.callPriceRule);
  const kinds = props.kind === "generation" ? otherKinds : [];
  return (
    <PriceSection
      label={nameOf(kinds.length > 0 ? text.form.kinds : perRequest)}
      hint={kinds.length > 0 ? text.form.kindsHint : undefined}
      names={[...kinds, "perRequest"].map((name) => prefix + name)}
      isUsed={isTyped}
    >
      {kinds.length > 0 && <RateFields {...props} kinds={kinds} />}
      <TextField
        name={`${prefix}perRequest`}
        label={nameOf(perRequest)}
        hint={text.form.perRequestHint}
        rule={rule}
        inputMode="decimal"
      />
    </PriceSection>
  );
}
