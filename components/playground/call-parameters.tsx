"use client";

import { useState } from "react";
import type { Protocol } from "@/lib/protocols/protocol";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Field, Input } from "../ui/field";
import { type CallParameters, mostTemperature } from "./calls";

/** How long an answer may be, and how daring, of all models or of one. */
export function ParameterFields(props: {
  protocol: Protocol;
  values: CallParameters;
  /** The most output tokens that can be asked for; null where it is not known. */
  mostTokens: number | null;
  onChange: (change: Partial<CallParameters>) => void;
}) {
  return (
    <div className="grid grid-cols-2 gap-3">
      <MaxTokens {...props} />
      <Temperature {...props} />
    </div>
  );
}

type FieldsProps = Parameters<typeof ParameterFields>[0];

/** Typed text may be no limit; the last limit stays in force, which an error says, and an empty field shows it on blur. */
function MaxTokens({ values, mostTokens, onChange }: FieldsProps) {
  const text = useMessages("playground");
  const { countFull } = useFormat();
  const [typed, setTyped] = useState<string | null>(null);
  const most = mostTokens ?? Number.POSITIVE_INFINITY;
  const wrong = typed !== null && typed !== "" && !isLimit(Number(typed), most);
  const value = countFull(values.maxTokens);
  const rule =
    mostTokens === null
      ? fill(text.maxTokensRule, { value })
      : fill(text.maxTokensRange, { value, max: countFull(mostTokens) });
  return (
    <Field label={text.maxTokens} errors={wrong ? [rule] : undefined}>
      {(control) => (
        <Input
          {...control}
          type="number"
          min={1}
          max={mostTokens ?? undefined}
          step={1}
          value={typed ?? values.maxTokens}
          onBlur={() => !wrong && setTyped(null)}
          onChange={(event) => {
            setTyped(event.target.value);
            const value = event.target.valueAsNumber;
            if (isLimit(value, most)) onChange({ maxTokens: value });
          }}
        />
      )}
    </Field>
  );
}

const isLimit = (value: number, most: number) => Number.isInteger(value) && value >= 1 && value <= most;

function Temperature({ protocol, values, onChange }: FieldsProps) {
  const text = useMessages("playground");
  return (
    <Field label={fill(text.temperature, { value: values.temperature.toFixed(1) })}>
      {(control) => (
        <input
          {...control}
          type="range"
          min={0}
          max={mostTemperature[protocol]}
          step={0.1}
          value={values.temperature}
          onChange={(event) => onChange({ temperature: event.target.valueAsNumber })}
          className="h-9 w-full accent-primary"
        />
      )}
    </Field>
  );
}
