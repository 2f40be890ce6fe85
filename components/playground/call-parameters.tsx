"use client";

import { useState } from "react";
import type { CallParameters } from "@/lib/protocols/kit/call-input";
import type { ClientProtocol } from "@/lib/protocols/protocol";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Field, Input } from "../ui/field";
import { isTokenLimit, useHighestTemperature } from "./use-settings";

/** How long an answer may be, and how daring, of all models or of one. */
export function ParameterFields(props: {
  protocol: ClientProtocol;
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

/** What a token limit may be. */
export function useTokensRule(): (mostTokens: number | null) => string {
  const text = useMessages("playground");
  const { countFull } = useFormat();
  return (most) => (most === null ? text.maxTokensRule : fill(text.maxTokensRange, { max: countFull(most) }));
}

/** What is typed and is no whole number counts as 0, which is no limit either: nothing is sent in its place. */
function MaxTokens({ values, mostTokens, onChange }: FieldsProps) {
  const text = useMessages("playground");
  const rule = useTokensRule()(mostTokens);
  const [typed, setTyped] = useState<string | null>(null);
  const wrong = !isTokenLimit(values.maxTokens, mostTokens);
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
            onChange({ maxTokens: Number.isInteger(value) && value > 0 ? value : 0 });
          }}
        />
      )}
    </Field>
  );
}

function Temperature({ protocol, values, onChange }: FieldsProps) {
  const text = useMessages("playground");
  const highest = useHighestTemperature(protocol);
  return (
    <Field label={fill(text.temperature, { value: values.temperature.toFixed(1) })}>
      {(control) => (
        <input
          {...control}
          type="range"
          min={0}
          max={highest}
          step={0.1}
          value={values.temperature}
          onChange={(event) => onChange({ temperature: event.target.valueAsNumber })}
          className="h-9 w-full accent-primary"
        />
      )}
    </Field>
  );
}
