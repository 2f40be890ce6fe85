"use client";

import { pricedTools } from "@/lib/kernel/usage";
import { TextField, usePriceRule } from "../../../forms/fields";
import { useMessages } from "../../../i18n/provider";
import type { PricePart } from "./part";
import { isTyped, PriceSection } from "./section";

/** What a call of each tool costs that the node runs. */
export function CallSection(props: PricePart & { ofRoute: boolean }) {
  const text = useMessages("adminModels");
  const tools = useMessages("common").hostedTools;
  const rule = usePriceRule(text.callPriceRule);
  const { ofRoute, nameOf } = props;
  const fieldOf = (tool: string) => `${props.prefix}perCall.${tool}`;
  return (
    <PriceSection
      label={nameOf(text.callPrices)}
      hint={ofRoute ? undefined : text.callPricesHint}
      names={pricedTools.map(fieldOf)}
      isUsed={isTyped}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        {pricedTools.map((tool) => (
          <TextField
            key={tool}
            name={fieldOf(tool)}
            label={nameOf(tools[tool])}
            hint={ofRoute ? text.costCallHint : text.callPriceHint}
            rule={rule}
            inputMode="decimal"
          />
        ))}
      </div>
    </PriceSection>
  );
}
