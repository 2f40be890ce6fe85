"use client";

import { useId, useState } from "react";
import { useRead } from "../api/use-read";
import { Checkbox, SearchInput, useReadableErrors } from "../ui/field";
import { useField } from "./fields";

interface Words {
  models: string;
  modelsAll: string;
  modelsSearch: string;
}

/** All models, or some of them, found by typing; the field is `models`. */
export function ModelPicker({ text }: { text: Words }) {
  const id = useId();
  const { field, errors } = useField("models");
  const readable = useReadableErrors(text.models);
  const value: string[] | null = field.value;
  const [query, setQuery] = useState("");
  const known = useRead("GET /api/user/models").data?.data.map((model) => model.id) ?? [];
  const chosen = value ?? [];
  const aliases = [...new Set([...known, ...chosen])].filter((alias) =>
    alias.toLowerCase().includes(query.trim().toLowerCase()),
  );
  function toggle(alias: string, on: boolean) {
    field.onChange(on ? [...chosen, alias] : chosen.filter((other) => other !== alias));
  }
  return (
    <fieldset
      className="grid gap-2"
      aria-describedby={errors === undefined ? undefined : `${id}-error`}
      data-invalid={errors !== undefined || undefined}
    >
      <legend className="mb-1.5 text-sm font-medium">{text.models}</legend>
      <Checkbox
        label={text.modelsAll}
        checked={value === null}
        onChange={(event) => field.onChange(event.target.checked ? null : [])}
      />
      {value !== null && (
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
      {errors !== undefined && (
        <p id={`${id}-error`} className="text-sm text-danger">
          {errors.map(readable).join(" ")}
        </p>
      )}
    </fieldset>
  );
}
