"use client";

import { useState } from "react";
import { More } from "@/components/forms/fields";
import type { ModelKind } from "@/lib/protocols/protocol";
import { useMessages } from "../../i18n/provider";
import { PriceFields } from "./price-fields";
import { hasPrices } from "./price-units";
import type { RouteDraft } from "./route-draft";

/** What the node of a route charges; folded away where it is not known. */
export function RouteCost(props: { index: number; route: RouteDraft | undefined; kind: ModelKind }) {
  const text = useMessages("adminModels");
  const { index, route, kind } = props;
  const [open] = useState(() => route !== undefined && hasPrices(route.cost));
  return (
    <More label={text.routeCost} open={open}>
      <p className="text-sm text-muted">{text.routeCostHint}</p>
      <PriceFields kind={kind} prefix={`routes.${index}.cost.`} now={null} />
    </More>
  );
}
