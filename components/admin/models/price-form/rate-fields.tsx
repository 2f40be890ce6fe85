"use client";

import { parentKinds, type TokenKind, tokenKinds } from "@/lib/shared/prices/token-kinds";
import { TextField, usePriceRule } from "../../../forms/fields";
import { fill } from "../../../i18n/fill";
import { useMessages } from "../../../i18n/provider";
import { cn } from "../../../ui/cn";
import type { PricePart } from "./part";

/** The kinds of tokens that every model has. */
export const simpleKinds = ["input", "output", "cacheRead"] as const satisfies TokenKind[];

/** The other kinds. */
export const otherKinds: readonly TokenKind[] = tokenKinds.filter(
  (kind) => !simpleKinds.some((simple) => simple === kind),
);

const parents: Partial<Record<TokenKind, TokenKind>> = parentKinds;

/** Prices of kinds of tokens. */
export function RateFields(props: PricePart & { kinds: readonly TokenKind[]; narrow?: boolean }) {
  return (
    <div className={cn("grid gap-4", props.narrow === true ? "sm:grid-cols-3" : "sm:grid-cols-2")}>
      {props.kinds.map((each) => (
        <RateField key={each} {...props} of={each} />
      ))}
    </div>
  );
}

function RateField(props: PricePart & { of: TokenKind }) {
  const text = useMessages("adminModels");
  const { kinds } = useMessages("prices");
  const rule = usePriceRule(text.priceRule);
  const parent = parents[props.of];
  return (
    <TextField
      name={props.prefix + props.of}
      label={props.nameOf(kinds[props.of])}
      hint={parent === undefined ? text.pricesHint : fill(text.form.childHint, { parent: kinds[parent] })}
      rule={rule}
      inputMode="decimal"
    />
  );
}
