"use client";

import { pricedTools } from "@/lib/kernel/usage";
import { centsOfMicroCents } from "@/lib/shared/decimal";
import type { CatalogModel } from "../api/types";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";

/** What calls of the tools cost that a node runs; nothing where none has a price. */
export function CallPrices(props: { prices: CatalogModel["prices"]["perCall"] }) {
  const text = useMessages("common");
  const format = useFormat();
  const parts = pricedTools.flatMap((tool) => {
    const microCents = props.prices[tool];
    if (microCents === null) return [];
    return [`${text.hostedTools[tool]} ${format.moneyExact(centsOfMicroCents(microCents))}`];
  });
  if (parts.length === 0) return null;
  return (
    <span className="tabular block text-xs wrap-anywhere text-muted">
      {fill(text.callPrices, { prices: parts.join(" · ") })}
    </span>
  );
}
