"use client";

import type { ModelKind } from "@/lib/protocols/protocol";
import type { CatalogModel } from "../api/types";
import { useFormat, useMessages } from "../i18n/provider";
import { CallPrices } from "./call-prices";
import { priceLines } from "./price-lines";

/** What prices have beside those of input, output and its caches; nothing where that is all. */
export function MorePrices(props: { prices: CatalogModel["prices"]; kind: ModelKind }) {
  const words = useMessages("prices");
  const format = useFormat();
  const lines = new Set(priceLines(props.prices, props.kind, words, format));
  return (
    <>
      <CallPrices prices={props.prices.perCall} />
      {lines.size > 0 && (
        <ul className="tabular grid gap-0.5 text-xs wrap-anywhere text-muted">
          {[...lines].map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </>
  );
}
