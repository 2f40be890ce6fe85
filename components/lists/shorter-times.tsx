"use client";

import { ApiError } from "../api/client";
import { Button } from "../ui/button";
import type { Filter, FilterTexts } from "./filters";
import { textsBy } from "./filters";

/** Whether filters take too long over the time that was asked for. Source: docs/contract.md#too-much-log. */
export function isTimeTooLong(problem: unknown): boolean {
  return problem instanceof ApiError && problem.reason === "time_too_long";
}

/** The spans of a list that are shorter than the time that was asked for. */
export function ShorterTimes<Name extends string>(props: {
  filters: readonly Filter<Name>[];
  state: FilterTexts<Name>;
}) {
  const { filters, state } = props;
  const dates = filters.find((filter) => filter.kind === "dates");
  if (dates?.spans === undefined) return null;
  const { from, to, spans } = dates;
  const asked = askedMs(state.textOf(from), state.textOf(to));
  const chosen = spans.options.find(({ value }) => value === state.textOf(spans.name))?.lengthMs ?? asked;
  return (
    <div className="flex flex-wrap gap-2">
      {spans.options
        .filter(({ lengthMs }) => lengthMs < chosen)
        .map(({ value, label }) => (
          <Button
            key={value}
            size="sm"
            onClick={() => state.setTexts(textsBy([spans.name, value], [from, ""], [to, ""]))}
          >
            {label}
          </Button>
        ))}
    </div>
  );
}

/** The length of a time between two dates as they stand in the URL; without the first one it has no end. */
function askedMs(from: string, to: string): number {
  if (from === "") return Number.POSITIVE_INFINITY;
  return (to === "" ? Date.now() : Date.parse(to)) - Date.parse(from);
}
