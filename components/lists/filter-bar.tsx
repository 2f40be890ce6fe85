"use client";

import { SlidersHorizontal } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useMessages } from "../i18n/provider";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import { cn } from "../ui/cn";
import { DateFields, FilterControl, SpanFilter } from "./filter-controls";
import { type Filter, type FilterTexts, namesOf, type SingleFilter, showsDates } from "./filters";
import { countSet, FilterChips, MoreFilters } from "./more-filters";

/** More filters than this are narrower, so that they fit into one row of a wide screen. */
const MANY = 3;

/**
 * The filters of a list in one row that wraps, with what was found and "Clear filters" at its end: they stay beside the
 * last filter, so that they never start a row of their own. Rare filters are behind a button, with chips of those that
 * are set. On a phone all but a search are folded behind a button beside it.
 */
export function FilterBar<Name extends string>(props: {
  state: FilterTexts<Name>;
  filters: Filter<NoInfer<Name>>[];
  /** How many rows match, in words; empty while that is not known. */
  found?: string;
  /** Below the rare filters. */
  moreNote?: ReactNode;
  /** At the right end of the bar. */
  end?: ReactNode;
  /** Further controls at the end of the row. */
  children?: ReactNode;
}) {
  const text = useMessages("common");
  const { state } = props;
  const [custom, setCustom] = useState(false);
  const [open, setOpen] = useState(false);
  const { search, usual, rare, atEnd } = partsOf<Name>(props.filters);
  const hasRare = rare.length > 0;
  const isMany = hasRare || usual.length > MANY;
  const folds = hasRare || usual.length > 0;
  const folded = folds && !open ? "max-sm:hidden" : undefined;
  const control = (filter: Filter<Name>) => (
    <Placed
      key={namesOf(filter)[0]}
      filter={filter}
      state={state}
      custom={custom}
      onCustom={setCustom}
      folded={folded}
      className={cn(widthOf(filter, isMany, filter === atEnd), filter.kind !== "search" && folded)}
    />
  );
  const row = search.map(control);
  if (folds)
    row.push(
      <Fold
        key="fold"
        count={countSet({ state, filters: [...usual, ...rare] })}
        open={open}
        onOpen={setOpen}
      />,
    );
  row.push(...usual.map(control));
  const last = hasRare ? (
    <MoreFilters state={state} filters={rare} note={props.moreNote} className={folded} />
  ) : (
    row.pop()
  );
  return (
    <fieldset className="flex min-w-0 flex-wrap items-start gap-2">
      <legend className="sr-only">{text.filters}</legend>
      {row}
      <div
        className={cn(
          "flex min-w-0 grow basis-full flex-wrap items-start gap-2 sm:flex-nowrap",
          !folds && "max-sm:items-center",
          endWidthOf(props, hasRare),
          folds && !open && "max-sm:basis-auto max-sm:items-center max-sm:gap-x-3 max-sm:self-center",
        )}
      >
        {last}
        {props.children}
        {props.found !== undefined && <Found>{props.found}</Found>}
        <Clear state={state} onClear={() => setCustom(false)} />
        {props.end !== undefined && <div className="ml-auto">{props.end}</div>}
      </div>
      <FilterChips state={state} filters={rare} />
    </fieldset>
  );
}

function Found({ children }: { children: string }) {
  return (
    <span
      role="status"
      className="flex items-center text-sm whitespace-nowrap text-muted empty:hidden sm:min-h-9 sm:empty:flex"
    >
      {children}
    </span>
  );
}

function Clear<Name extends string>(props: { state: FilterTexts<Name>; onClear: () => void }) {
  const text = useMessages("common");
  return (
    <Button
      variant="ghost"
      className={cn("shrink-0", !props.state.filtered && "invisible max-sm:hidden")}
      onClick={() => {
        props.onClear();
        props.state.clear();
      }}
    >
      {text.clearFilters}
    </Button>
  );
}

/** A filter in its place. The two dates of a range follow its spans. */
function Placed<Name extends string>(props: {
  filter: Filter<Name>;
  state: FilterTexts<Name>;
  custom: boolean;
  onCustom: (custom: boolean) => void;
  /** Of the filter's own control. */
  className: string;
  folded: string | undefined;
}) {
  const { filter, state, custom, className } = props;
  if (filter.kind !== "dates")
    return (
      <div className={className}>
        <FilterControl filter={filter} state={state} />
      </div>
    );
  return (
    <>
      {filter.spans !== undefined && (
        <div className={className}>
          <SpanFilter filter={filter} state={state} custom={custom} onCustom={props.onCustom} />
        </div>
      )}
      {showsDates(filter, state, custom) && (
        <DateFields filter={filter} state={state} className={props.folded} />
      )}
    </>
  );
}

/** The width of the row's end: "More filters" or a filter, what was found, and "Clear filters". */
const endWidth = {
  more: { plain: "sm:basis-75", found: "sm:basis-96" },
  single: { plain: "sm:basis-80", found: "sm:basis-104" },
};

/** The same with what stands at its right end. */
const wideEnd = {
  more: { plain: "sm:basis-75 md:basis-108", found: "sm:basis-96 md:basis-128" },
  single: { plain: "sm:basis-80 md:basis-112", found: "sm:basis-104 md:basis-136" },
};

function endWidthOf(props: { end?: ReactNode; found?: string }, hasRare: boolean): string {
  const widths = props.end === undefined ? endWidth : wideEnd;
  return widths[hasRare ? "more" : "single"][props.found === undefined ? "plain" : "found"];
}

/** The filters by their places. */
function partsOf<Name extends string>(filters: Filter<Name>[]) {
  const isRare = (filter: Filter<Name>): filter is SingleFilter<Name> =>
    filter.rare === true && filter.kind !== "dates";
  const usual = filters.filter((filter) => filter.kind !== "search" && !isRare(filter));
  const rare = filters.filter(isRare);
  return {
    search: filters.filter(({ kind }) => kind === "search"),
    usual,
    rare,
    /** Beside what was found; "More filters" stands there instead where there are rare ones. */
    atEnd: rare.length > 0 ? undefined : usual.at(-1),
  };
}

/** Shows and hides the filters on a phone, and tells how many of them are set. */
function Fold(props: { count: number; open: boolean; onOpen: (open: boolean) => void }) {
  const text = useMessages("common");
  const { count, open } = props;
  return (
    <Button
      aria-expanded={open}
      className={cn("shrink-0 sm:hidden", open && "bg-hover")}
      onClick={() => props.onOpen(!open)}
    >
      <SlidersHorizontal aria-hidden className="size-4" />
      {text.filters}
      {count > 0 && <Badge tone="info">{count}</Badge>}
    </Button>
  );
}

/** A filter's place in the row: on a phone two share a line, and a search one with the button that shows the others. */
function widthOf(filter: Filter, areMany: boolean, isAtEnd: boolean): string {
  const isSearch = filter.kind === "search";
  if (isSearch) return "min-w-0 grow-2 basis-40 sm:max-w-72";
  if (filter.kind === "flag") return "flex min-h-9 shrink-0 items-center";
  // What was found stands beside it: its width is that of its options, and not of the room that is left.
  if (isAtEnd && filter.kind === "select")
    return "min-w-0 grow basis-2/5 sm:max-w-56 sm:grow-0 sm:basis-auto";
  const width = !areMany ? "sm:basis-40" : filter.kind === "other" ? "sm:basis-36" : "sm:basis-30";
  return cn("min-w-0 grow basis-2/5 sm:max-w-56", width);
}
