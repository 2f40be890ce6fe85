"use client";

import type { FieldErrors } from "@/components/forms/use-record-form";
import { type PricedTool, pricedTools } from "@/lib/kernel/usage";
import { fill } from "../../i18n/fill";
import type { Messages } from "../../i18n/messages";
import { useMessages } from "../../i18n/provider";
import { Field, Input } from "../../ui/field";
import { readCallPrice, showCallPrice } from "./price-units";

/** Prices per call as typed, in yuan. */
export type CallPriceDraft = Record<PricedTool, string>;

/** Prices per call; null: the tool may not be used. Units: micro-cents per call. */
export type CallPriceBody = Record<PricedTool, number | null>;

/** A value for each tool. */
function forEachTool<Value>(of: (tool: PricedTool) => Value): Record<PricedTool, Value> {
  return {
    webSearch: of("webSearch"),
    fileSearch: of("fileSearch"),
    codeInterpreter: of("codeInterpreter"),
    imageGeneration: of("imageGeneration"),
  };
}

/** The prices in force as typed; empty where there is none. */
export function callPriceDraftOf(prices: CallPriceBody | undefined): CallPriceDraft {
  return forEachTool((tool) => {
    const microCents = prices?.[tool] ?? null;
    return microCents === null ? "" : showCallPrice(microCents);
  });
}

/** Checks typed prices; an empty one means that the tool may not be used. Adds to `errors`. */
export function readCallPrices(
  draft: CallPriceDraft,
  text: Messages["adminModels"],
  errors: FieldErrors,
  prefix: string,
): CallPriceBody {
  return forEachTool((tool) => {
    if (draft[tool].trim() === "") return null;
    const microCents = readCallPrice(draft[tool]);
    if (microCents === null) errors[callPriceField(tool, prefix)] = [text.callPriceRule];
    return microCents;
  });
}

/** The name of a tool's field in answers of the API. */
export function callPriceField(tool: PricedTool, prefix = ""): string {
  return `${prefix}perCall.${tool}`;
}

/** What a call of each tool costs that the node runs. */
export function CallPriceFields(props: {
  draft: CallPriceDraft;
  onChange: (draft: CallPriceDraft) => void;
  errors: FieldErrors;
  prefix: string;
}) {
  const text = useMessages("adminModels");
  const tools = useMessages("common").hostedTools;
  const { draft, onChange, errors } = props;
  return (
    <fieldset className="grid gap-2">
      <legend className="text-sm font-medium">{text.callPrices}</legend>
      <p className="text-sm text-muted">{text.callPricesHint}</p>
      <div className="grid gap-4 sm:grid-cols-2">
        {pricedTools.map((tool) => (
          <Field
            key={tool}
            label={tools[tool]}
            hint={callPriceHint(draft[tool], text)}
            errors={errors[callPriceField(tool, props.prefix)]}
          >
            {(control) => (
              <Input
                {...control}
                inputMode="decimal"
                autoComplete="off"
                value={draft[tool]}
                onChange={(event) => onChange({ ...draft, [tool]: event.target.value })}
              />
            )}
          </Field>
        ))}
      </div>
    </fieldset>
  );
}

function callPriceHint(typed: string, text: Messages["adminModels"]): string {
  const microCents = readCallPrice(typed);
  return microCents === null ? text.callPriceEmpty : fill(text.callSentAs, { microCents });
}
