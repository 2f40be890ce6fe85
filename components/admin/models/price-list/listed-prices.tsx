"use client";

import { useFormContext } from "react-hook-form";
import type { ListedModel } from "@/lib/shared/prices/offers";
import { priceDraftOf, priceNames } from "@/lib/shared/prices/price-units";
import { fill } from "../../../i18n/fill";
import { useFormat, useMessages } from "../../../i18n/provider";
import { Button } from "../../../ui/button";
import { lastList } from "./last-list";

/** Offers what the list that was read last says of the model of the form; nothing where it does not know the model. */
export function ListedPrices(props: { of: ListedModel; prefix?: "prices." }) {
  const text = useMessages("adminModels").list;
  const format = useFormat();
  const { setValue } = useFormContext();
  const found = lastList()?.find(props.of) ?? null;
  if (found === null) return null;
  const { name, prices } = found;
  const [input, output] = [prices.input, prices.output].map((price) => format.moneyExact(String(price)));
  const words = props.of.kind === "embedding" ? text.offerInput : text.offer;
  function use() {
    const draft = priceDraftOf(prices);
    for (const price of priceNames)
      setValue((props.prefix ?? "") + price, draft[price], { shouldDirty: true, shouldTouch: true });
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md bg-card px-3 py-2 text-sm">
      <p className="tabular min-w-0 flex-1 basis-60 wrap-anywhere">
        {fill(words, { name, input: input ?? "", output: output ?? "" })}
      </p>
      <Button size="sm" onClick={use}>
        {text.use}
      </Button>
    </div>
  );
}
