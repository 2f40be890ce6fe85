"use client";

import type { ModelKind } from "@/lib/protocols/protocol";
import { fill } from "../../../i18n/fill";
import { useMessages } from "../../../i18n/provider";

/** The label of a field, with the part of the form that it is in: a form has several fields of one kind of tokens. */
export type NameOf = (price: string) => string;

/** A part of the form of prices. */
export interface PricePart {
  /** Begins the names of its fields: `prices.tiers.0.`. */
  prefix: string;
  kind: ModelKind;
  nameOf: NameOf;
}

/** The labels of prices, or of what the node of a route charges. */
export function useFieldNames(ofRoute: boolean): NameOf {
  const text = useMessages("adminModels");
  return (price) => (ofRoute ? fill(text.costName, { price }) : price);
}

/** The labels of what is inside a part, such as a tier. */
export function useNamesWithin(nameOf: NameOf): (part: string) => NameOf {
  const text = useMessages("adminModels").form;
  return (part) => (price) => nameOf(fill(text.part, { part, price }));
}
