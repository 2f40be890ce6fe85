"use client";

import { useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { MINUTE_MS } from "@/lib/kernel/durations";
import { centsToYuan, yuanToExactCents } from "@/lib/shared/decimal";
import { dateToZoned, zonedToDate } from "@/lib/shared/zoned-time";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { DateField } from "../ui/date-input";
import { Checkbox, Input, SearchInput, Select } from "../ui/field";
import { type Filter, type FilterTexts, namesOf, type SingleFilter, showsDates, textsBy } from "./filters";

interface Props<Name extends string, Kind extends Filter["kind"]> {
  filter: Extract<Filter<Name>, { kind: Kind }>;
  state: FilterTexts<Name>;
}

/** `labelled`: its label is written above it. */
type Labelled<Name extends string, Kind extends Filter["kind"]> = Props<Name, Kind> & {
  labelled?: boolean | undefined;
};

const SEARCH_AFTER_MS = 250;

/** The control of a filter that is no range of dates. */
export function FilterControl<Name extends string>(props: {
  filter: SingleFilter<Name>;
  state: FilterTexts<Name>;
  labelled?: boolean;
}) {
  const { filter, state, labelled } = props;
  switch (filter.kind) {
    case "search":
      return <SearchFilter filter={filter} state={state} />;
    case "select":
      return <ChoiceFilter filter={filter} state={state} labelled={labelled} />;
    case "number":
      return <NumberFilter filter={filter} state={state} labelled={labelled} />;
    case "flag":
      return (
        <Checkbox
          inRow
          label={filter.label}
          checked={state.textOf(filter.name) === "true"}
          onChange={(event) => state.setTexts(textsBy([filter.name, event.target.checked ? "true" : ""]))}
        />
      );
    case "other":
      return filter.element;
  }
}

/** Searches when the typing pauses, and at once on Enter and when the field is left. */
function SearchFilter<Name extends string>({ filter, state }: Props<Name, "search">) {
  const value = state.textOf(filter.name);
  const [typed, setTyped] = useState(value);
  const applied = useRef(value);
  useEffect(() => {
    if (value === applied.current) return;
    applied.current = value;
    setTyped(value);
  }, [value]);
  function apply() {
    if (typed.trim() === applied.current) return;
    applied.current = typed.trim();
    state.setTexts(textsBy([filter.name, applied.current]), "replace");
  }
  const onPause = useEffectEvent(apply);
  useEffect(() => {
    if (typed.trim() === applied.current) return;
    const timer = setTimeout(onPause, SEARCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <SearchInput
      label={filter.label}
      title={filter.hint}
      className={filter.mono === true ? "font-mono placeholder:font-sans" : ""}
      value={typed}
      onChange={setTyped}
      onBlur={apply}
      onKeyDown={(event) => event.key === "Enter" && apply()}
    />
  );
}

/** A choice; the first option is none. */
export function ChoiceFilter<Name extends string>({ filter, state, labelled }: Labelled<Name, "select">) {
  const common = useMessages("common");
  const all = fill(common.labelled, { label: filter.label, value: common.all });
  const names = namesOf(filter);
  const value = names.map((name) => state.textOf(name)).find((text) => text !== "") ?? "";
  const known = filter.options.some((option) => option.value === value);
  function choose(chosen: string) {
    const texts = textsBy(...names.map((name): [Name, string] => [name, chosen]));
    if (filter.clears !== undefined) texts[filter.clears] = "";
    state.setTexts(texts);
  }
  return (
    <Select
      aria-label={filter.label}
      value={value}
      options={[
        { value: "", label: filter.all ?? (labelled === true ? common.all : all) },
        ...filter.options,
        // What the URL names may not be offered any more, or not be loaded yet.
        ...(known || value === "" ? [] : [{ value, label: value }]),
      ]}
      onChange={(event) => choose(event.target.value)}
    />
  );
}

/** A number; what cannot be read as one is no filter. */
function NumberFilter<Name extends string>({ filter, state, labelled }: Labelled<Name, "number">) {
  const { name, label, money = false } = filter;
  const { rules } = useMessages("common").errors;
  const id = useId();
  const stored = state.textOf(name);
  const [typed, setTyped] = useState(() => shownNumber(stored, money));
  const refused = typed.trim() !== "" && readNumber(typed, money) === "";
  useEffect(() => {
    setTyped((before) => (readNumber(before, money) === stored ? before : shownNumber(stored, money)));
  }, [stored, money]);
  return (
    <div className="grid gap-1">
      <Input
        inputMode={money ? "decimal" : "numeric"}
        autoComplete="off"
        aria-label={label}
        aria-invalid={refused || undefined}
        aria-describedby={refused ? id : undefined}
        {...(labelled !== true && { placeholder: label })}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          state.setTexts(textsBy([name, readNumber(target.value, money)]), "replace");
        }}
      />
      {refused && (
        <p id={id} role="alert" className="text-xs text-danger">
          {money ? rules.amount : rules.digits}
        </p>
      )}
    </div>
  );
}

/** A number as it is typed. */
export function shownNumber(stored: string, money: boolean): string {
  return stored !== "" && money ? centsToYuan(stored) : stored;
}

function readNumber(typed: string, money: boolean): string {
  if (money) return yuanToExactCents(typed) ?? "";
  return /^\d{1,9}$/.test(typed.trim()) ? typed.trim() : "";
}

/** The spans that a range can be chosen from. */
export function SpanFilter<Name extends string>(
  props: Props<Name, "dates"> & { custom: boolean; onCustom: (custom: boolean) => void },
) {
  const { filter, state } = props;
  const { spans } = filter;
  if (spans === undefined) return null;
  const { name } = spans;
  const isCustom = showsDates(filter, state, props.custom);
  /** The range that is shown, in whole minutes, so that dates of one's own choice begin with it. */
  function rangeNow(): [Name, string][] {
    const span = spans?.options.find(({ value }) => value === state.textOf(name));
    if (span === undefined) return [];
    const to = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS;
    return [
      [filter.from, new Date(to - span.lengthMs).toISOString()],
      [filter.to, new Date(to).toISOString()],
    ];
  }
  function choose(value: string) {
    props.onCustom(value === "custom");
    if (value === "custom") state.setTexts(textsBy([name, ""], ...rangeNow()));
    else state.setTexts(textsBy([name, value], [filter.from, ""], [filter.to, ""]));
  }
  return (
    <Select
      aria-label={spans.label}
      value={isCustom ? "custom" : state.textOf(name)}
      options={[{ value: "", label: spans.any }, ...spans.options, { value: "custom", label: spans.custom }]}
      onChange={(event) => choose(event.target.value)}
    />
  );
}

/** The two ends of a range, in the reader's zone. */
export function DateFields<Name extends string>({
  filter,
  state,
  className,
}: Props<Name, "dates"> & { className: string | undefined }) {
  const { timeZone } = useFormat();
  const common = useMessages("common");
  const { unit } = filter;
  const shown = (text: string) =>
    text === "" || unit === "day" ? text : dateToZoned(new Date(text), timeZone);
  const stored = (text: string) =>
    unit === "day" ? dayOf(text) : zonedToDate(text, timeZone)?.toISOString();
  function change(end: Name, typed: string) {
    const texts = textsBy([end, stored(typed) ?? ""]);
    if (filter.spans !== undefined) texts[filter.spans.name] = "";
    state.setTexts(texts, "replace");
  }
  const [from, to] = [state.textOf(filter.from), state.textOf(filter.to)];
  const isReversed = from !== "" && to !== "" && Date.parse(from) > Date.parse(to);
  return (
    <>
      {(["from", "to"] as const).map((end) => (
        <DateField
          key={end}
          className={className}
          label={filter.labels[end]}
          kind={unit}
          value={shown(state.textOf(filter[end]))}
          onChange={(typed) => change(filter[end], typed)}
        />
      ))}
      <p role="status" className="order-last basis-full text-sm text-danger empty:hidden">
        {isReversed && common.datesReversed}
      </p>
    </>
  );
}

/** A day of the calendar as `YYYY-MM-DD`. */
function dayOf(text: string): string | undefined {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
}
