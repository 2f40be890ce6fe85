"use client";

import { useId, useState } from "react";
import { useModels } from "../api/queries";
import { useMessages } from "../i18n/provider";
import { Checkbox, SearchInput } from "../ui/field";

/** All models, or some of them, found by typing. */
export function ModelPicker(props: {
  value: string[] | null;
  onChange: (value: string[] | null) => void;
  errors: string[] | undefined;
}) {
  const text = useMessages("keys");
  const id = useId();
  const [query, setQuery] = useState("");
  const known = useModels().data?.data.map((model) => model.id) ?? [];
  const chosen = props.value ?? [];
  const aliases = [...new Set([...known, ...chosen])].filter((alias) =>
    alias.toLowerCase().includes(query.trim().toLowerCase()),
  );
  function toggle(alias: string, on: boolean) {
    props.onChange(on ? [...chosen, alias] : chosen.filter((other) => other !== alias));
  }
  return (
    <fieldset
      className="grid gap-2"
      aria-describedby={props.errors === undefined ? undefined : `${id}-error`}
    >
      <legend className="mb-1.5 text-sm font-medium">{text.models}</legend>
      <Checkbox
        label={text.modelsAll}
        checked={props.value === null}
        onChange={(event) => props.onChange(event.target.checked ? null : [])}
      />
      {props.value !== null && (
        <div className="grid gap-2 rounded-md border p-2">
          <SearchInput value={query} label={text.modelsSearch} onChange={setQuery} />
          <div className="grid max-h-44 gap-1 overflow-y-auto p-1">
            {aliases.map((alias) => (
              <Checkbox
                key={alias}
                label={<span className="font-mono text-sm break-all">{alias}</span>}
                checked={chosen.includes(alias)}
                onChange={(event) => toggle(alias, event.target.checked)}
              />
            ))}
          </div>
        </div>
      )}
      {props.errors !== undefined && (
        <p id={`${id}-error`} className="text-sm text-danger">
          {props.errors.join(" ")}
        </p>
      )}
    </fieldset>
  );
}
