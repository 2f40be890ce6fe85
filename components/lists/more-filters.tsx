"use client";

import { SlidersHorizontal, X } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { fill } from "../i18n/fill";
import { useMessages } from "../i18n/provider";
import { Badge } from "../ui/badge";
import { Button, buttonClass } from "../ui/button";
import { cn } from "../ui/cn";
import { focusMain } from "../ui/focus-main";
import { FilterControl, shownNumber } from "./filter-controls";
import { type Filter, type FilterTexts, namesOf, type SingleFilter, textsBy } from "./filters";

interface Props<Name extends string> {
  state: FilterTexts<Name>;
  filters: SingleFilter<Name>[];
}

/** How many of the filters are set. */
export function countSet<Name extends string>(of: {
  state: FilterTexts<Name>;
  filters: Filter<Name>[];
}): number {
  return of.filters.filter((filter) => isSet(filter, of.state)).length;
}

function isSet<Name extends string>(filter: Filter<Name>, state: FilterTexts<Name>): boolean {
  return namesOf(filter).some((name) => state.textOf(name) !== "");
}

/** Loaded when it is first opened: most lists have no rare filters. */
const Popover = lazy(() => import("../ui/popover").then((module) => ({ default: module.Popover })));

/** The rare filters, each under its label, behind one button that tells how many of them are set. */
export function MoreFilters<Name extends string>(
  props: Props<Name> & { note: ReactNode; className: string | undefined },
) {
  const text = useMessages("common");
  const { state, filters } = props;
  const count = countSet(props);
  const [wanted, setWanted] = useState(false);
  const look = cn("shrink-0 data-popup-open:bg-hover", props.className);
  const words = (
    <>
      <SlidersHorizontal aria-hidden className="size-4" />
      {text.moreFilters}
      {count > 0 && <Badge tone="info">{count}</Badge>}
    </>
  );
  const button = (
    <Button aria-haspopup="dialog" className={look} onClick={() => setWanted(true)}>
      {words}
    </Button>
  );
  if (!wanted) return button;
  return (
    <Suspense fallback={button}>
      <Popover defaultOpen label={text.moreFilters} triggerClass={cn(buttonClass(), look)} trigger={words}>
        <div className="grid items-start gap-3 sm:grid-cols-2">
          {filters.map((filter) => (
            <div key={namesOf(filter)[0]} className="grid min-w-0 gap-1">
              {filter.kind !== "flag" && filter.label !== undefined && (
                // The control has the same label.
                <span aria-hidden className="text-xs font-medium text-muted">
                  {filter.label}
                </span>
              )}
              <FilterControl filter={filter} state={state} labelled />
            </div>
          ))}
        </div>
        {props.note}
      </Popover>
    </Suspense>
  );
}

/** The rare filters that are set, each with its value; a click ends one. */
export function FilterChips<Name extends string>({ state, filters }: Props<Name>) {
  const text = useMessages("common");
  const set = filters.filter((filter) => isSet(filter, state));
  if (set.length === 0) return null;
  function end(filter: Filter<Name>) {
    state.setTexts(textsBy(...namesOf(filter).map((name): [Name, string] => [name, ""])));
    focusMain(); // the chip goes away
  }
  return (
    <ul aria-label={text.setFilters} className="flex basis-full flex-wrap gap-2">
      {set.map((filter) => {
        const words = wordsOf(filter, state, text.labelled);
        return (
          <li key={namesOf(filter)[0]} className="min-w-0">
            <Button
              size="sm"
              className="max-w-full"
              aria-label={fill(text.removeFilter, { filter: words })}
              onClick={() => end(filter)}
            >
              <span className="truncate">{words}</span>
              <X aria-hidden className="size-3.5 shrink-0" />
            </Button>
          </li>
        );
      })}
    </ul>
  );
}

function wordsOf<Name extends string>(
  filter: SingleFilter<Name>,
  state: FilterTexts<Name>,
  labelled: string,
): string {
  const { label = "" } = filter;
  const text =
    namesOf(filter)
      .map((name) => state.textOf(name))
      .find((value) => value !== "") ?? "";
  if (filter.kind === "flag") return label;
  return fill(labelled, { label, value: valueText(filter, text) });
}

function valueText(filter: SingleFilter, text: string): string {
  switch (filter.kind) {
    case "select":
      return filter.options.find(({ value }) => value === text)?.label ?? text;
    case "number":
      return shownNumber(text, filter.money === true);
    case "other":
      return filter.valueText?.(text) ?? text;
    case "search":
    case "flag":
      return text;
  }
}
