"use client";

import { useState } from "react";
import { efforts } from "@/lib/protocols/kit/efforts";
import { protocolKits } from "@/lib/protocols/kit/kits";
import {
  isInRange,
  type NumberOption,
  numberOptionIds,
  numberOptions,
} from "@/lib/protocols/kit/number-options";
import { fill } from "../i18n/fill";
import { useMessages } from "../i18n/provider";
import { Field, Input, Select, TextArea } from "../ui/field";
import { Fold } from "../ui/fold";
import { readSchema } from "./read-schema";
import type { SettingsProps } from "./settings-props";

type MoreProps = Pick<SettingsProps, "settings" | "onChange" | "texts" | "onTexts">;

/** Parameters that calls name only once they are set; folded while none is. */
export function MoreSettings(props: MoreProps) {
  const common = useMessages("common");
  const { settings, texts } = props;
  const [open, setOpen] = useState(false);
  const { numberFields } = protocolKits[settings.protocol];
  const offered = numberOptionIds.filter((id) => numberFields[id] !== undefined);
  const isSet =
    [...offered, "effort" as const].some((id) => settings[id] !== null) ||
    texts.stop !== "" ||
    texts.schema !== "";
  return (
    <Fold
      open={open || isSet}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="rounded-md border"
      heading={common.more}
      headingClass="min-h-9 px-3 py-2 text-sm font-medium"
    >
      <div className="grid gap-3 border-t p-3">
        <EffortChoice {...props} />
        <div className="grid grid-cols-2 gap-3">
          {offered.map((id) => (
            <NumberField key={id} option={id} {...props} />
          ))}
        </div>
        <StopSequences {...props} />
        <Schema {...props} />
      </div>
    </Fold>
  );
}

/** One that the protocol has no word for stays chosen, is not sent, and says so. */
function EffortChoice({ settings, onChange }: MoreProps) {
  const text = useMessages("playground");
  const { protocol, effort } = settings;
  const known = protocolKits[protocol].efforts;
  const isKnown = effort === null || known.includes(effort);
  return (
    <Field
      label={text.effort}
      hint={isKnown ? undefined : fill(text.effortMissing, { protocol: protocolKits[protocol].name })}
    >
      {(control) => (
        <Select
          {...control}
          value={effort ?? ""}
          options={[
            { value: "", label: text.effortUnset },
            ...efforts
              .filter((value) => known.includes(value) || value === effort)
              .map((value) => ({ value, label: value })),
          ]}
          onChange={({ target }) =>
            onChange({ effort: efforts.find((value) => value === target.value) ?? null })
          }
        />
      )}
    </Field>
  );
}

/** An empty field is not sent. */
function NumberField({ option, settings, onChange }: MoreProps & { option: NumberOption }) {
  const text = useMessages("playground");
  const [typed, setTyped] = useState<string | null>(null);
  const { min, max, whole } = numberOptions[option];
  const value = settings[option];
  const wrong = value !== null && !isInRange(option, value);
  return (
    <Field
      label={text[option]}
      hint={text.optionHints[option]}
      errors={wrong ? [text.ranges[option]] : undefined}
    >
      {(control) => (
        <Input
          {...control}
          type="number"
          min={min}
          max={max}
          step={whole ? 1 : 0.05}
          placeholder={text.unset}
          value={typed ?? (Number.isNaN(value) ? "" : (value ?? ""))}
          onBlur={() => !wrong && setTyped(null)}
          onChange={({ target }) => {
            setTyped(target.value);
            onChange({ [option]: target.value === "" ? null : target.valueAsNumber });
          }}
        />
      )}
    </Field>
  );
}

function StopSequences({ settings, texts, onTexts }: MoreProps) {
  const text = useMessages("playground");
  const common = useMessages("common");
  if (protocolKits[settings.protocol].stopField === null) return null;
  return (
    <Field label={text.stopSequences} optional={common.optional} hint={text.stopHint}>
      {(control) => (
        <TextArea
          {...control}
          rows={2}
          spellCheck={false}
          className="min-h-15! font-mono text-xs"
          value={texts.stop}
          onChange={(event) => onTexts({ ...texts, stop: event.target.value })}
        />
      )}
    </Field>
  );
}

/** The form of the answers, in every protocol. */
function Schema({ texts, onTexts }: MoreProps) {
  const text = useMessages("playground");
  const common = useMessages("common");
  const read = readSchema(texts.schema);
  const errors =
    "problem" in read ? [fill(text.schemaProblems[read.problem.kind], { ...read.problem })] : undefined;
  return (
    <Field label={text.schema} optional={common.optional} hint={text.schemaHint} errors={errors}>
      {(control) => (
        <TextArea
          {...control}
          rows={4}
          spellCheck={false}
          className="min-h-15! resize-y font-mono text-xs"
          placeholder={'{"type": "object", "properties": {"city": {"type": "string"}}}'}
          value={texts.schema}
          onChange={(event) => onTexts({ ...texts, schema: event.target.value })}
        />
      )}
    </Field>
  );
}
