"use client";

import { type ReactNode, useId, useState } from "react";
import { isObject } from "@/lib/kernel/json-object";
import { fill, plural } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { Note } from "../ui/states";
import { fieldText, shownChanges, valueText } from "./change-words";
import type { FieldChange } from "./diff";
import { useChangeWords } from "./use-change-words";

/** A member that two people have changed. */
export interface Conflict {
  name: string;
  theirs: unknown;
  mine: unknown;
}

/** What two people have changed of one record: of each field both values, and whose is to be saved. */
export function ChangedMeanwhile(props: {
  by: string;
  since: string;
  conflicts: Conflict[];
  /** What the amounts of the record count, of a budget. */
  unit: unknown;
  /** More is changed than what both have changed. */
  hasOthers: boolean;
  /** The form is saved as a whole: there is no choice for each field. */
  whole: boolean;
  /** Saves one's own input but for the members named. */
  onSave: (theirs: string[]) => void;
  onReload: () => void;
}) {
  const text = useMessages("common").changed;
  const format = useFormat();
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set());
  const rows = props.conflicts.map((conflict) => ({ ...conflict, changes: changesOf(conflict, props.unit) }));
  const shown = rows.filter(({ changes }) => changes.length > 0);
  const choose = (name: string, isTheirs: boolean) =>
    setTheirs((chosen) => {
      const next = new Set(chosen);
      if (isTheirs) next.add(name);
      else next.delete(name);
      return next;
    });
  const choice = !props.whole && shown.length > 0;
  function save() {
    const nothingOwn = theirs.size === props.conflicts.length && !props.hasOthers;
    if (nothingOwn && theirs.size > 0) props.onReload();
    else props.onSave([...theirs]);
  }
  return (
    <Note tone="warning" role="alert">
      <p>{fill(text.since, { who: props.by, time: format.dateTime(props.since) })}</p>
      <p className="mt-1">
        {shown.length === 0 ? text.same : plural(text.differ, shown.length, format.locale)}
      </p>
      {shown.map(({ name, changes }) => (
        <Field
          key={name}
          by={props.by}
          changes={changes}
          theirs={choice ? theirs.has(name) : null}
          onChoose={(isTheirs) => choose(name, isTheirs)}
        />
      ))}
      <div className="mt-3 flex flex-wrap gap-2">
        <Button size="sm" onClick={props.onReload}>
          {text.reload}
        </Button>
        <Button size="sm" variant="danger" onClick={save}>
          {choice ? text.save : text.overwrite}
        </Button>
      </div>
    </Note>
  );
}

/** What differs within a member; theirs may have more than a form sends, such as the version of a price. */
function changesOf({ name, theirs, mine }: Conflict, unit: unknown): FieldChange[] {
  const names = isObject(mine) && !Array.isArray(mine) ? Object.keys(mine) : null;
  const comparable =
    names === null || !isObject(theirs)
      ? theirs
      : Object.fromEntries(Object.entries(theirs).filter(([member]) => names.includes(member)));
  return shownChanges({ before: { unit, [name]: comparable }, after: { unit, [name]: mine } });
}

/** One field with both values; `theirs` is null where there is nothing to choose. */
function Field(props: {
  by: string;
  changes: FieldChange[];
  theirs: boolean | null;
  onChoose: (theirs: boolean) => void;
}) {
  const common = useMessages("common");
  const words = useChangeWords()({ names: {} });
  const { changes, theirs } = props;
  const group = useId();
  const legend = changes.map((change) => fieldText(change, words.text)).join(words.text.gap);
  const valuesOf = (side: "before" | "after") =>
    changes.map((change) => {
      const value = valueText(change.field, change[side], words);
      const told = value === "–" ? common.changed.none : value;
      const label = fieldText(change, words.text);
      return changes.length === 1 ? told : fill(common.labelled, { label, value: told });
    });
  const option = (label: string, side: "before" | "after", isTheirs: boolean): ReactNode => {
    const value = (
      <span className="min-w-0 wrap-anywhere">
        <span className="text-muted">{label}</span> {valuesOf(side).join(words.text.gap)}
      </span>
    );
    if (theirs === null) return <p className="py-1">{value}</p>;
    const id = `${group} ${side}`;
    return (
      <label htmlFor={id} className="flex min-h-6 items-start gap-2 py-1 pointer-coarse:min-h-11">
        <input
          id={id}
          type="radio"
          name={group}
          className="mt-1 accent-primary"
          checked={theirs === isTheirs}
          onChange={() => props.onChoose(isTheirs)}
        />
        {value}
      </label>
    );
  };
  return (
    <fieldset className="mt-2 rounded-md border bg-page px-3 py-1">
      <legend className="px-1 font-medium">{legend}</legend>
      {option(fill(common.changed.theirs, { who: props.by }), "before", true)}
      {option(common.changed.mine, "after", false)}
    </fieldset>
  );
}
