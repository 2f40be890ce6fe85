"use client";

import { useId, useState } from "react";
import { protocolIds, protocolNamed } from "@/lib/protocols/protocol";
import type { CatalogModel } from "../api/types";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Checkbox, Field, Input, Select, TextArea } from "../ui/field";
import { jsonFields, mostTemperature } from "./calls";
import { KeyChoice } from "./key-choice";
import { MoreSettings } from "./more-settings";
import type { ToolsProblem } from "./tools";
import type { PlaygroundTexts } from "./use-playground-storage";
import { MAX_MODELS, type SharedSettings } from "./use-settings";
import type { TabKey } from "./use-tab-key";

export interface SettingsProps {
  settings: SharedSettings;
  onChange: (change: Partial<SharedSettings>) => void;
  texts: PlaygroundTexts;
  onTexts: (texts: PlaygroundTexts) => void;
  toolsProblem: ToolsProblem | null;
  catalog: CatalogModel[];
  mostTokens: number | null;
  tabKey: TabKey;
  disabled: boolean;
}

/** The parameters of the next call. */
export function PlaygroundSettings(props: SettingsProps) {
  const text = useMessages("playground");
  const common = useMessages("common");
  const { settings, onChange, texts, onTexts } = props;
  return (
    <fieldset disabled={props.disabled} className="grid min-w-0 gap-3">
      <legend className="sr-only">{text.settings}</legend>
      <Models {...props} />
      <Field label={text.protocol}>
        {(control) => (
          <Select
            {...control}
            value={settings.protocol}
            options={protocolIds.map((value) => ({ value, label: text.protocols[value] }))}
            onChange={(event) => {
              const protocol = protocolNamed(event.target.value);
              if (protocol !== null) onChange({ protocol });
            }}
          />
        )}
      </Field>
      <Field label={text.system} optional={common.optional}>
        {(control) => (
          <TextArea
            {...control}
            rows={2}
            className="min-h-15!"
            value={texts.system}
            onChange={(event) => onTexts({ ...texts, system: event.target.value })}
          />
        )}
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <MaxTokens {...props} />
        <Temperature {...props} />
      </div>
      <Checkbox
        label={text.stream}
        checked={settings.stream}
        onChange={(event) => onChange({ stream: event.target.checked })}
      />
      <JsonAnswer {...props} />
      <MoreSettings {...props} />
      <KeyChoice tabKey={props.tabKey} />
      <Tools {...props} />
    </fieldset>
  );
}

/** Whether the answer is to be a JSON object; told, and not offered, where the protocol cannot ask for one. */
function JsonAnswer({ settings, onChange }: SettingsProps) {
  const text = useMessages("playground");
  const hint = useId();
  const available = jsonFields[settings.protocol] !== null;
  return (
    <div className="grid gap-1">
      <Checkbox
        label={text.json}
        aria-describedby={hint}
        disabled={!available}
        checked={available && settings.json}
        onChange={(event) => onChange({ json: event.target.checked })}
      />
      <p id={hint} className="pl-6 text-xs text-muted">
        {available ? text.jsonHint : text.jsonMissing}
      </p>
    </div>
  );
}

function Models({ settings, catalog, onChange }: SettingsProps) {
  const text = useMessages("playground");
  const labels = [text.model, text.compareWith, text.andWith];
  const { models } = settings;
  const shown = Math.min(MAX_MODELS, models.length + 1, catalog.length);
  function choose(position: number, id: string) {
    const next = [...models];
    if (id === "") next.splice(position, 1);
    else next[position] = id;
    onChange({ models: [...new Set(next)] });
  }
  return labels.slice(0, Math.max(1, shown)).map((label, position) => (
    <Field
      key={label}
      label={label}
      hint={position === 0 && catalog.length === 0 ? text.noModels : undefined}
    >
      {(control) => (
        <Select
          {...control}
          value={models[position] ?? ""}
          options={[
            ...(position === 0 ? [] : [{ value: "", label: text.noOther }]),
            ...catalog
              .filter(({ id }) => id === models[position] || !models.includes(id))
              .map(({ id }) => ({ value: id, label: id })),
          ]}
          onChange={(event) => choose(position, event.target.value)}
        />
      )}
    </Field>
  ));
}

function Tools({ texts, onTexts, toolsProblem: problem }: SettingsProps) {
  const text = useMessages("playground");
  const common = useMessages("common");
  const errors = problem === null ? undefined : [problemText(problem, text.toolProblems)];
  return (
    <Field label={text.tools} optional={common.optional} hint={text.toolsHint} errors={errors}>
      {(control) => (
        <TextArea
          {...control}
          rows={10}
          spellCheck={false}
          placeholder={'[{"name": "weather", "parameters": {"type": "object"}}]'}
          value={texts.tools}
          onChange={(event) => onTexts({ ...texts, tools: event.target.value })}
          className="min-h-16! resize-y font-mono text-xs"
        />
      )}
    </Field>
  );
}

function problemText(problem: ToolsProblem, texts: Record<ToolsProblem["kind"], string>): string {
  const { kind, ...values } = problem;
  return fill(texts[kind], values);
}

/** Typed text may be no limit; the last limit stays in force, which an error says, and an empty field shows it on blur. */
function MaxTokens({ settings, mostTokens, onChange }: SettingsProps) {
  const text = useMessages("playground");
  const { countFull } = useFormat();
  const [typed, setTyped] = useState<string | null>(null);
  const most = mostTokens ?? Number.POSITIVE_INFINITY;
  const wrong = typed !== null && typed !== "" && !isLimit(Number(typed), most);
  const value = countFull(settings.maxTokens);
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
          value={typed ?? settings.maxTokens}
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

function Temperature({ settings, onChange }: SettingsProps) {
  const text = useMessages("playground");
  return (
    <Field label={fill(text.temperature, { value: settings.temperature.toFixed(1) })}>
      {(control) => (
        <input
          {...control}
          type="range"
          min={0}
          max={mostTemperature[settings.protocol]}
          step={0.1}
          value={settings.temperature}
          onChange={(event) => onChange({ temperature: event.target.valueAsNumber })}
          className="h-9 w-full accent-primary"
        />
      )}
    </Field>
  );
}
