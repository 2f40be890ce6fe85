"use client";

import { type ReactNode, useState } from "react";
import { useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { cn } from "../ui/cn";
import { Checkbox } from "../ui/field";
import { ChoiceFilter, DateFields, NumberFilter, SearchFilter, SpanFilter } from "./filter-controls";
import { type Filter, type FilterTexts, showsDates, textsBy } from "./filters";

/**
 * The filters of a list in one row that wraps, with what was found and "Clear filters" at its end: they stay beside the
 * last filter, so that they never start a row of their own.
 */
export function FilterBar<Name extends string>(props: {
  state: FilterTexts<Name>;
  filters: Filter<NoInfer<Name>>[];
  /** How many rows match, in words; empty while that is not known. */
  found?: string;
  /** Further controls at the end of the row. */
  children?: ReactNode;
}) {
  const text = useMessages("common");
  const { state } = props;
  const [custom, setCustom] = useState(false);
  const dates = props.filters.find((filter) => filter.kind === "dates");
  const inRow = props.filters.filter((filter) => filter.kind !== "dates" || filter.spans !== undefined);
  const control = (filter: Filter<Name>) => (
    <div key={idOf(filter)} className={widthOf(filter)}>
      <Control filter={filter} state={state} custom={custom} onCustom={setCustom} />
    </div>
  );
  return (
    <fieldset className="flex min-w-0 flex-wrap items-start gap-2">
      <legend className="sr-only">{text.filters}</legend>
      {inRow.slice(0, -1).map(control)}
      <div
        className={cn(
          "flex min-w-0 grow basis-full flex-wrap items-start gap-2 sm:flex-nowrap",
          props.found === undefined ? "sm:basis-58" : "sm:basis-80",
        )}
      >
        {inRow.slice(-1).map(control)}
        {props.children}
        {props.found !== undefined && (
          <span role="status" className="flex min-h-9 items-center text-sm whitespace-nowrap text-muted">
            {props.found}
          </span>
        )}
        <Button
          variant="ghost"
          className={cn("shrink-0", !state.filtered && "invisible max-sm:hidden")}
          onClick={() => {
            setCustom(false);
            state.clear();
          }}
        >
          {text.clearFilters}
        </Button>
      </div>
      {dates !== undefined && showsDates(dates, state, custom) && <DateFields filter={dates} state={state} />}
    </fieldset>
  );
}

function idOf(filter: Filter): string {
  if (filter.kind === "other") return filter.id;
  return filter.kind === "dates" ? filter.from : filter.name;
}

/** A filter's place in the row: two share a line on a phone, a search has one for itself. */
function widthOf(filter: Filter): string {
  if (filter.kind === "search") return "min-w-0 grow-2 basis-full sm:max-w-72 sm:basis-48";
  if (filter.kind === "flag") return "flex min-h-9 shrink-0 items-center";
  return "min-w-0 grow basis-2/5 sm:max-w-56 sm:basis-40";
}

function Control<Name extends string>(props: {
  filter: Filter<Name>;
  state: FilterTexts<Name>;
  custom: boolean;
  onCustom: (custom: boolean) => void;
}) {
  const { filter, state } = props;
  switch (filter.kind) {
    case "search":
      return <SearchFilter filter={filter} state={state} />;
    case "select":
      return <ChoiceFilter filter={filter} state={state} />;
    case "dates":
      return <SpanFilter filter={filter} state={state} custom={props.custom} onCustom={props.onCustom} />;
    case "number":
      return <NumberFilter filter={filter} state={state} />;
    case "flag":
      return (
        <Checkbox
          label={filter.label}
          checked={state.textOf(filter.name) === "true"}
          onChange={(event) => state.setTexts(textsBy([filter.name, event.target.checked ? "true" : ""]))}
        />
      );
    case "other":
      return filter.element;
  }
}
