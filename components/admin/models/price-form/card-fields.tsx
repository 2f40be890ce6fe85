"use client";

import { useMessages } from "../../../i18n/provider";
import type { PricePart } from "./part";
import { otherKinds, RateFields, simpleKinds } from "./rate-fields";
import { isTyped, PriceSection } from "./section";

const firstKinds = [...simpleKinds, "cacheWrite"] as const;

const lastKinds = otherKinds.filter((kind) => kind !== "cacheWrite");

/** Prices of all kinds of tokens in place of the others, those that few models have folded away. */
export function CardFields(props: PricePart) {
  const text = useMessages("adminModels").form;
  if (props.kind === "embedding") return <RateFields {...props} kinds={["input"]} />;
  return (
    <>
      <RateFields {...props} kinds={firstKinds} />
      <PriceSection
        label={props.nameOf(text.kinds)}
        names={lastKinds.map((kind) => props.prefix + kind)}
        isUsed={isTyped}
      >
        <RateFields {...props} kinds={lastKinds} />
      </PriceSection>
    </>
  );
}
