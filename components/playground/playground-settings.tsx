"use client";

import { useId } from "react";
import { protocolKits } from "@/lib/protocols/kit/kits";
import { clientProtocolNamed, clientProtocols } from "@/lib/protocols/protocol";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Checkbox, Field, Select, TextArea } from "../ui/field";
import { ParameterFields } from "./call-parameters";
import { KeyChoice } from "./key-choice";
import { ModelChoices } from "./model-choices";
import { MoreSettings } from "./more-settings";
import type { SettingsProps } from "./settings-props";
import { ToolList } from "./tool-list";
import { hasOwnParameters } from "./use-settings";

/** The parameters of the next call. */
export function PlaygroundSettings(props: SettingsProps) {
  const text = useMessages("playground");
  const common = useMessages("common");
  const format = useFormat();
  const { settings, onChange, texts, onTexts } = props;
  const owners = settings.models.filter((model) => hasOwnParameters(settings, model));
  return (
    <fieldset disabled={props.disabled} className="grid min-w-0 gap-3">
      <legend className="sr-only">{text.settings}</legend>
      <ModelChoices {...props} />
      <Field label={text.protocol}>
        {(control) => (
          <Select
            {...control}
            value={settings.protocol}
            options={clientProtocols.map((value) => ({ value, label: protocolKits[value].name }))}
            onChange={(event) => {
              const protocol = clientProtocolNamed(event.target.value);
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
      <div className="grid gap-1">
        <ParameterFields
          protocol={settings.protocol}
          values={settings}
          mostTokens={props.mostTokens}
          onChange={onChange}
        />
        {owners.length > 0 && (
          <p className="text-xs text-muted">{fill(text.notFor, { models: format.list(owners) })}</p>
        )}
      </div>
      <Checkbox
        label={text.stream}
        checked={settings.stream}
        onChange={(event) => onChange({ stream: event.target.checked })}
      />
      <JsonAnswer {...props} />
      <MoreSettings {...props} />
      <KeyChoice tabKey={props.tabKey} />
      <ToolList {...props} />
    </fieldset>
  );
}

/** Whether the answer is to be a JSON object; told, and not offered, where the protocol cannot ask for one. */
function JsonAnswer({ settings, onChange, texts }: SettingsProps) {
  const text = useMessages("playground");
  const hint = useId();
  const bySchema = texts.schema !== "";
  const available = protocolKits[settings.protocol].jsonWithoutSchema && !bySchema;
  return (
    <div className="grid gap-1">
      <Checkbox
        label={text.json}
        aria-describedby={hint}
        disabled={!available}
        checked={bySchema || (available && settings.json)}
        onChange={(event) => onChange({ json: event.target.checked })}
      />
      <p id={hint} className="pl-6 text-xs text-muted">
        {bySchema ? text.jsonBySchema : available ? text.jsonHint : text.jsonMissing}
      </p>
    </div>
  );
}
