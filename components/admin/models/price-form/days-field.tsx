"use client";

import { useId } from "react";
import { useField } from "../../../forms/fields";
import { useFormat } from "../../../i18n/provider";
import { weekdays } from "../../../i18n/weekdays";
import { Checkbox, useReadableErrors } from "../../../ui/field";
import type { NameOf } from "./part";

/** Some days of the week, 1 Monday to 7 Sunday. */
export function DaysField(props: { name: string; label: string; nameOf: NameOf }) {
  const id = useId();
  const { locale } = useFormat();
  const { field, errors } = useField(props.name);
  const readable = useReadableErrors(null);
  const chosen: number[] = field.value;
  const error = errors?.map(readable).join(" ") ?? "";
  function toggle(day: number, wanted: boolean) {
    const others = chosen.filter((one) => one !== day);
    field.onChange(wanted ? [...others, day].sort((a, b) => a - b) : others);
  }
  return (
    <fieldset
      className="min-w-0"
      data-invalid={error === "" ? undefined : true}
      aria-describedby={error === "" ? undefined : `${id}-error`}
    >
      <legend className="text-sm font-medium">{props.label}</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1 pt-1">
        {weekdays(locale).map((name, index) => (
          <Checkbox
            key={name}
            label={name}
            aria-label={props.nameOf(name)}
            aria-invalid={error === "" ? undefined : true}
            checked={chosen.includes(index + 1)}
            onChange={({ target }) => toggle(index + 1, target.checked)}
            onBlur={field.onBlur}
          />
        ))}
      </div>
      {error !== "" && (
        <p id={`${id}-error`} className="pt-1 text-sm text-danger">
          {error}
        </p>
      )}
    </fieldset>
  );
}
