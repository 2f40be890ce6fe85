"use client";

import { tierDraftOf } from "@/lib/shared/prices/card-draft";
import { MAX_TIERS } from "@/lib/shared/prices/declared-prices";
import { TextField } from "../../../forms/fields";
import { fill } from "../../../i18n/fill";
import { useMessages } from "../../../i18n/provider";
import { CardFields } from "./card-fields";
import { type PricePart, useNamesWithin } from "./part";
import { RowList } from "./row-list";
import { hasEntries, PriceSection } from "./section";

/** Prices of longer prompts, folded away where there are none. */
export function TierSection(props: PricePart) {
  const text = useMessages("adminModels").form;
  const name = `${props.prefix}tiers`;
  const within = useNamesWithin(props.nameOf);
  return (
    <PriceSection label={props.nameOf(text.tiers)} hint={text.tiersHint} names={[name]} isUsed={hasEntries}>
      <RowList
        name={name}
        nameOf={props.nameOf}
        most={MAX_TIERS}
        addLabel={text.addTier}
        empty={() => tierDraftOf(null)}
        titleOf={(n) => fill(text.tier, { n })}
        removeLabelOf={(n) => fill(text.removeTier, { n })}
      >
        {(index) => (
          <TierFields
            key={`${name}.${index}`}
            kind={props.kind}
            prefix={`${name}.${index}.`}
            nameOf={within(fill(text.tier, { n: index + 1 }))}
          />
        )}
      </RowList>
    </PriceSection>
  );
}

function TierFields(props: PricePart) {
  const text = useMessages("adminModels").form;
  return (
    <>
      <TextField
        name={`${props.prefix}above`}
        label={props.nameOf(text.above)}
        rule={text.aboveRule}
        inputMode="numeric"
      />
      <CardFields {...props} />
    </>
  );
}
