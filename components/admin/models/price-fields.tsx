"use client";

import type { FieldErrors } from "@/components/forms/use-record-form";
import type { ModelKind } from "@/lib/protocols/protocol";
import { fill } from "../../i18n/fill";
import type { Messages } from "../../i18n/messages";
import { useFormat, useMessages } from "../../i18n/provider";
import { Field, Input } from "../../ui/field";
import { Segmented } from "../../ui/segmented";
import type { AdminModel } from "../types";
import {
  type CallPriceBody,
  type CallPriceDraft,
  CallPriceFields,
  callPriceDraftOf,
  readCallPrices,
} from "./call-price-fields";
import {
  changeUnit,
  isAboveMaxPrice,
  maxPrice,
  type PriceUnit,
  previewCents,
  priceDigits,
  priceUnits,
  readPrice,
  showPrice,
} from "./price-units";

const priceNames = ["input", "output", "cacheRead", "cacheWrite"] as const;
type PriceName = (typeof priceNames)[number];

/** Prices as typed. */
export type PriceDraft = Record<PriceName, string> & { unit: PriceUnit; perCall: CallPriceDraft };

/** The body of a price form. Units: cents per million tokens, micro-cents per call. */
export interface PriceBody {
  input: number;
  output: number;
  cacheRead?: number;
  cacheWrite?: number;
  perCall?: CallPriceBody;
}

/** The prices in force as typed; empty when there are none. */
export function priceDraftOf(prices: AdminModel["prices"]): PriceDraft {
  const show = (cents: number | undefined) => (cents === undefined ? "" : showPrice(cents, "yuan"));
  const cache = (cents: number | undefined) => (cents === prices?.input ? "" : show(cents));
  return {
    unit: "yuan",
    input: show(prices?.input),
    output: show(prices?.output),
    cacheRead: cache(prices?.cacheRead),
    cacheWrite: cache(prices?.cacheWrite),
    perCall: callPriceDraftOf(prices?.perCall),
  };
}

/** The prices that a model of a kind has: embeddings cost their input only. */
function namesOf(kind: ModelKind): readonly PriceName[] {
  return kind === "embedding" ? ["input"] : priceNames;
}

/** Checks typed prices; an empty cache price means the input price. Null: `errors` says what is wrong. */
export function readPrices(
  draft: PriceDraft,
  text: Messages["adminModels"],
  errors: FieldErrors,
  kind: ModelKind,
  prefix = "",
): PriceBody | null {
  const names = namesOf(kind);
  const found: Partial<Record<PriceName, number>> = kind === "embedding" ? { output: 0 } : {};
  for (const name of names) {
    const optional = name === "cacheRead" || name === "cacheWrite";
    if (optional && draft[name].trim() === "") continue;
    const cents = readPrice(draft[name], draft.unit);
    if (cents === null) errors[prefix + name] = [priceProblem(draft[name], draft.unit, text)];
    else found[name] = cents;
  }
  const perCall =
    kind === "embedding" ? {} : { perCall: readCallPrices(draft.perCall, text, errors, prefix) };
  const { input, output, ...cache } = found;
  if (input === undefined || output === undefined || Object.keys(errors).length > 0) return null;
  return { input, output, ...cache, ...perCall };
}

function priceProblem(typed: string, unit: PriceUnit, text: Messages["adminModels"]): string {
  return isAboveMaxPrice(typed, unit)
    ? fill(text.priceMax, { max: maxPrice(unit) })
    : fill(text.priceRule, { digits: priceDigits[unit] });
}

/** Prices of tokens in a unit of choice, with what a small call would cost, and prices per call of tools. */
export function PriceFields(props: {
  draft: PriceDraft;
  onChange: (draft: PriceDraft) => void;
  errors: FieldErrors;
  kind: ModelKind;
  prefix?: string;
  now: AdminModel["prices"];
}) {
  const text = useMessages("adminModels");
  const { draft, onChange, errors } = props;
  function switchUnit(unit: PriceUnit) {
    const moved = { ...draft, unit };
    for (const name of priceNames) moved[name] = changeUnit(draft[name], draft.unit, unit);
    onChange(moved);
  }
  return (
    <div className="grid gap-4">
      <Segmented
        label={text.unit}
        value={draft.unit}
        onChange={switchUnit}
        options={priceUnits.map((value) => ({ value, label: text.units[value] }))}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        {namesOf(props.kind).map((name) => (
          <Field
            key={name}
            label={text.prices[name]}
            hint={priceHint(name, draft, text)}
            errors={errors[(props.prefix ?? "") + name]}
          >
            {(control) => (
              <Input
                {...control}
                inputMode="decimal"
                autoComplete="off"
                value={draft[name]}
                onChange={(event) => onChange({ ...draft, [name]: event.target.value })}
              />
            )}
          </Field>
        ))}
      </div>
      {props.kind === "generation" && (
        <>
          <PricePreview draft={draft} now={props.now} />
          <CallPriceFields
            draft={draft.perCall}
            onChange={(perCall) => onChange({ ...draft, perCall })}
            errors={errors}
            prefix={props.prefix ?? ""}
          />
        </>
      )}
    </div>
  );
}

function priceHint(name: PriceName, draft: PriceDraft, text: Messages["adminModels"]): string {
  const cents = readPrice(draft[name], draft.unit);
  if (cents !== null) return fill(text.sentAs, { cents });
  return name === "cacheRead" || name === "cacheWrite" ? text.cacheHint : "";
}

function PricePreview(props: { draft: PriceDraft; now: AdminModel["prices"] }) {
  const text = useMessages("adminModels");
  const format = useFormat();
  const { draft, now } = props;
  const input = readPrice(draft.input, draft.unit);
  const output = readPrice(draft.output, draft.unit);
  const amount = input === null || output === null ? "–" : format.moneyExact(previewCents(input, output));
  return (
    <p aria-live="polite" className="tabular rounded-md bg-card px-3 py-2 text-sm">
      {fill(text.preview, { amount })}{" "}
      {now !== null && (
        <span className="text-muted">
          {fill(text.previewNow, { amount: format.moneyExact(previewCents(now.input, now.output)) })}
        </span>
      )}
    </p>
  );
}
