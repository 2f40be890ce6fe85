"use client";

import { useState } from "react";
import { protocolIds, protocolNamed } from "@/lib/protocols/protocol";
import type { CatalogModel } from "../api/types";
import { fill } from "../i18n/fill";
import { useMessages } from "../i18n/provider";
import { Checkbox, Field, Input, Select, TextArea } from "../ui/field";
import { KeyChoice } from "./key-choice";
import type { PlaygroundDraft } from "./playground-page";
import type { TabKey } from "./use-tab-key";

/** The parameters of the next call. */
export function PlaygroundSettings(props: {
  draft: PlaygroundDraft;
  models: CatalogModel[];
  onChange: (draft: PlaygroundDraft) => void;
  tabKey: TabKey;
  disabled: boolean;
}) {
  const text = useMessages("playground");
  const { draft, onChange } = props;
  return (
    <fieldset disabled={props.disabled} className="grid min-w-0 gap-4">
      <legend className="sr-only">{text.settings}</legend>
      <Field label={text.protocol}>
        {(control) => (
          <Select
            {...control}
            value={draft.protocol}
            options={protocolIds.map((value) => ({
              value,
              label: text.protocols[value],
            }))}
            onChange={(event) =>
              onChange({ ...draft, protocol: protocolNamed(event.target.value) ?? draft.protocol })
            }
          />
        )}
      </Field>
      <Field label={text.model} hint={props.models.length === 0 ? text.noModels : undefined}>
        {(control) => (
          <Select
            {...control}
            value={draft.model}
            options={props.models.map((model) => ({ value: model.id, label: model.id }))}
            onChange={(event) => onChange({ ...draft, model: event.target.value })}
          />
        )}
      </Field>
      <Field label={text.system}>
        {(control) => (
          <TextArea
            {...control}
            rows={3}
            value={draft.system}
            onChange={(event) => onChange({ ...draft, system: event.target.value })}
          />
        )}
      </Field>
      <Amounts draft={draft} onChange={onChange} />
      <Checkbox
        label={text.stream}
        checked={draft.stream}
        onChange={(event) => onChange({ ...draft, stream: event.target.checked })}
      />
      <KeyChoice tabKey={props.tabKey} />
    </fieldset>
  );
}

/** Typed text may be no number; the draft keeps the last number, and the field shows it again on blur. */
function MaxTokens(props: { draft: PlaygroundDraft; onChange: (draft: PlaygroundDraft) => void }) {
  const text = useMessages("playground");
  const { draft, onChange } = props;
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Field label={text.maxTokens}>
      {(control) => (
        <Input
          {...control}
          type="number"
          min={1}
          step={1}
          value={typed ?? draft.maxTokens}
          onBlur={() => setTyped(null)}
          onChange={(event) => {
            setTyped(event.target.value);
            const value = event.target.valueAsNumber;
            if (Number.isInteger(value) && value >= 1) onChange({ ...draft, maxTokens: value });
          }}
        />
      )}
    </Field>
  );
}

function Amounts(props: { draft: PlaygroundDraft; onChange: (draft: PlaygroundDraft) => void }) {
  const text = useMessages("playground");
  const { draft, onChange } = props;
  return (
    <>
      <MaxTokens draft={draft} onChange={onChange} />
      <Field label={fill(text.temperature, { value: draft.temperature.toFixed(1) })}>
        {(control) => (
          <input
            {...control}
            type="range"
            min={0}
            max={1}
            step={0.1}
            value={draft.temperature}
            onChange={(event) => onChange({ ...draft, temperature: event.target.valueAsNumber })}
            className="h-6 w-full accent-primary"
          />
        )}
      </Field>
    </>
  );
}
