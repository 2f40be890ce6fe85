"use client";

import { useWatch } from "react-hook-form";
import { pricedTools } from "@/lib/kernel/usage";
import type { ModelKind } from "@/lib/protocols/protocol";
import { yuanToUnits } from "@/lib/shared/decimal";
import { previewCents, priceNames } from "@/lib/shared/prices/price-units";
import type { AdminModel } from "../../api/admin/types";
import { More, TextField, usePriceRule } from "../../forms/fields";
import { fill } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";

/** Prices of tokens, with what a small call would cost, and prices per call of tools; or the costs of a route. */
export function PriceFields(props: {
  kind: ModelKind;
  prefix?: "prices." | `routes.${number}.cost.`;
  now: AdminModel["prices"];
}) {
  const text = useMessages("adminModels");
  const prefix = props.prefix ?? "";
  const ofRoute = prefix.startsWith("routes.");
  const nameOf = useFieldNames(ofRoute);
  const rule = usePriceRule(text.priceRule);
  const generates = props.kind === "generation";
  const calls = props.now === null ? [] : Object.values(props.now.perCall);
  return (
    <div className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        {priceNames.map(
          (name) =>
            (generates || name === "input") && (
              <TextField
                key={name}
                name={prefix + name}
                label={nameOf(text.prices[name])}
                hint={
                  name === "input" || name === "output"
                    ? text.pricesHint
                    : ofRoute
                      ? text.costCacheHint
                      : text.cacheHint
                }
                rule={rule}
                inputMode="decimal"
              />
            ),
        )}
      </div>
      {generates && !ofRoute && <PricePreview prefix={prefix} now={props.now} />}
      {generates && (
        <More label={nameOf(text.callPrices)} open={calls.some((price) => price !== null)}>
          <CallPriceFields prefix={prefix} nameOf={nameOf} hint={ofRoute ? null : text.callPricesHint} />
        </More>
      )}
    </div>
  );
}

/** A form can have prices and costs of routes, whose fields must not have the same names. */
function useFieldNames(ofRoute: boolean): (price: string) => string {
  const text = useMessages("adminModels");
  return (price) => (ofRoute ? fill(text.costName, { price }) : price);
}

/** What a call of each tool costs that the node runs. */
function CallPriceFields(props: { prefix: string; nameOf: (price: string) => string; hint: string | null }) {
  const text = useMessages("adminModels");
  const tools = useMessages("common").hostedTools;
  const rule = usePriceRule(text.callPriceRule);
  return (
    <>
      {props.hint !== null && <p className="text-sm text-muted">{props.hint}</p>}
      <div className="grid gap-4 sm:grid-cols-2">
        {pricedTools.map((tool) => (
          <TextField
            key={tool}
            name={`${props.prefix}perCall.${tool}`}
            label={props.nameOf(tools[tool])}
            hint={props.hint === null ? text.costCallHint : text.callPriceHint}
            rule={rule}
            inputMode="decimal"
          />
        ))}
      </div>
    </>
  );
}

function PricePreview(props: { prefix: string; now: AdminModel["prices"] }) {
  const text = useMessages("adminModels");
  const format = useFormat();
  const typed = useWatch({ name: [`${props.prefix}input`, `${props.prefix}output`] });
  const [input = null, output = null] = typed.map((price: string) => yuanToUnits(price, 2));
  const { now } = props;
  const typedAll = input !== null && output !== null;
  return (
    <p aria-live="polite" className="tabular rounded-md bg-card px-3 py-2 text-sm empty:hidden">
      {typedAll && fill(text.preview, { amount: format.moneyExact(previewCents(input, output)) })}
      {typedAll && format.gap}
      {now !== null && (
        <span className="text-muted">
          {fill(text.previewNow, { amount: format.moneyExact(previewCents(now.input, now.output)) })}
        </span>
      )}
    </p>
  );
}
