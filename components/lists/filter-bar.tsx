"use client";

import { SlidersHorizontal } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useMessages } from "../i18n/provider";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import { cn } from "../ui/cn";
import { Checkbox } from "../ui/field";
import { ChoiceFilter, DateFields, NumberFilter, SearchFilter, SpanFilter } from "./filter-controls";
import { type Filter, type FilterTexts, namesOf, showsDates, textsBy } from "./filters";

/**
 * The filters of a list in one row that wraps, with what was found and "Clear filters" at its end: they stay beside the
 * last filter, so that they never start a row of their own. Where some are rare, a button folds and unfolds them.
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
  const { state, filters } = props;
  const [custom, setCustom] = useState(false);
  const [open, setOpen] = useState(false);
  const folds = filters.some(({ rare }) => rare);
  const hasRare = filters.some(({ rare }) => rare === true);
  const folded = folds && !open;
  const dates = filters.find((filter) => filter.kind === "dates");
  const control = (filter: Filter<Name>) => (
    <div
      key={namesOf(filter)[0]}
      className={cn(widthOf(filter, folds), folded && filter.kind !== "search" && "max-sm:hidden")}
    >
      <Control filter={filter} state={state} custom={custom} onCustom={setCustom} />
    </div>
  );
  const { search, usual, rare } = partsOf(filters);
  const fold = { state, open, onOpen: setOpen };
  const row = search.map(control);
  const onPhone = cn("sm:hidden", open && "basis-full");
  if (folds) row.push(<Fold key="fold" {...fold} behind={[...usual, ...rare]} className={onPhone} />);
  row.push(...usual.map(control));
  const last = hasRare ? <Fold {...fold} behind={rare} className="max-sm:hidden" /> : row.pop();
  return (
    <fieldset className="flex min-w-0 flex-wrap items-start gap-2">
      <legend className="sr-only">{text.filters}</legend>
      {row}
      <div
        className={cn(
          "flex min-w-0 grow basis-full flex-wrap items-start gap-2 sm:flex-nowrap",
          props.found === undefined ? "sm:basis-58" : "sm:basis-80",
          folds && (open ? "max-sm:order-last" : "max-sm:basis-auto"),
        )}
      >
        {last}
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
      {open && <div className="flex min-w-0 basis-full flex-wrap gap-2">{rare.map(control)}</div>}
      {dates !== undefined && showsDates(dates, state, custom) && (
        <DateFields filter={dates} state={state} className={folded ? "max-sm:hidden" : undefined} />
      )}
    </fieldset>
  );
}

/** What has a place in the row: a range without spans has only its two dates, below it. */
function partsOf<Name extends string>(filters: Filter<Name>[]) {
  const inRow = filters.filter((filter) => filter.kind !== "dates" || filter.spans !== undefined);
  return {
    search: inRow.filter(({ kind }) => kind === "search"),
    usual: inRow.filter(({ kind, rare }) => kind !== "search" && rare !== true),
    rare: inRow.filter(({ rare }) => rare === true),
  };
}

/** Shows and hides filters, and tells how many of them are set. */
function Fold<Name extends string>(props: {
  state: FilterTexts<Name>;
  behind: Filter<Name>[];
  open: boolean;
  onOpen: (open: boolean) => void;
  className: string;
}) {
  const text = useMessages("common");
  const { state, behind, open } = props;
  const count = behind.filter((filter) => namesOf(filter).some((name) => state.textOf(name) !== "")).length;
  return (
    <Button
      aria-expanded={open}
      className={cn("shrink-0", open && "bg-hover", props.className)}
      onClick={() => props.onOpen(!open)}
    >
      <SlidersHorizontal aria-hidden className="size-4" />
      {text.filters}
      {count > 0 && <Badge tone="info">{count}</Badge>}
    </Button>
  );
}

/** A filter's place in the row: two share a line on a phone, a search has one for itself. */
function widthOf(filter: Filter, hasFold: boolean): string {
  const isSearch = filter.kind === "search";
  if (isSearch) return cn("min-w-0 grow-2 basis-full sm:max-w-72", hasFold ? "sm:basis-40" : "sm:basis-48");
  if (filter.kind === "flag") return "flex min-h-9 shrink-0 items-center";
  return cn("min-w-0 grow basis-2/5 sm:max-w-56", hasFold ? "sm:basis-34" : "sm:basis-40");
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
