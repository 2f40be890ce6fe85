"use client";

import { useWatch } from "react-hook-form";
import type { ModelKind } from "@/lib/protocols/protocol";
import { yuanToUnits } from "@/lib/shared/decimal";
import { previewCents } from "@/lib/shared/prices/price-units";
import type { AdminModel } from "../../api/admin/types";
import { fill } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { CallSection } from "./price-form/call-section";
import { KindSection } from "./price-form/kind-section";
import { type PricePart, useFieldNames } from "./price-form/part";
import { RateFields, simpleKinds } from "./price-form/rate-fields";
import { ServiceSection } from "./price-form/service-section";
import { TierSection } from "./price-form/tier-section";
import { WindowSection } from "./price-form/window-section";

/**
 * Prices of tokens, with what a small call would cost; folded away those of further kinds, of calls, and what depends on the
 * request or the time. Or the costs of a route.
 */
export function PriceFields(props: {
  kind: ModelKind;
  prefix?: "prices." | `routes.${number}.cost.`;
  now: AdminModel["prices"];
}) {
  const prefix = props.prefix ?? "";
  const ofRoute = prefix.startsWith("routes.");
  const part: PricePart = { prefix, kind: props.kind, nameOf: useFieldNames(ofRoute) };
  const generates = props.kind === "generation";
  return (
    <div className="grid gap-4">
      <RateFields {...part} kinds={generates ? simpleKinds : ["input"]} narrow />
      {generates && !ofRoute && <PricePreview prefix={prefix} now={props.now} />}
      <div className="grid gap-2">
        <KindSection {...part} />
        {generates && <CallSection {...part} ofRoute={ofRoute} />}
        <TierSection {...part} />
        <ServiceSection {...part} ofRoute={ofRoute} />
        <WindowSection {...part} />
      </div>
    </div>
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
