import type { ReactNode } from "react";
import type { ListState } from "./list-state";

/** One filter of a list; `name` is its name in the URL. */
export type Filter<Name extends string = string> = FilterKind<Name> & {
  /** It stands behind "More filters", with a chip while it is set; a range of dates never does. */
  rare?: boolean;
};

type FilterKind<Name extends string> =
  /** `hint`: what it finds, where the label does not say all. */
  | { kind: "search"; name: Name; label: string; hint?: string; mono?: boolean }
  | {
      kind: "select";
      name: Name;
      label: string;
      options: { value: string; label: string }[];
      /** The first option, which is no filter; without it the label with "All". */
      all?: string;
      /** Further filters that the same control sets: each takes the values that its parser reads. */
      also?: Name[];
      /** A filter whose choices depend on this one, and which a change clears. */
      clears?: Name;
    }
  | {
      kind: "dates";
      from: Name;
      to: Name;
      unit: "day" | "moment";
      labels: { from: string; to: string };
      /** Spans up to now, a filter of its own; the two dates are then only shown where one is set or "custom" is chosen. */
      spans?: {
        name: Name;
        label: string;
        any: string;
        custom: string;
        options: { value: string; label: string; lengthMs: number }[];
      };
    }
  /** A whole number, or an amount that is typed in yuan and kept in cents. */
  | { kind: "number"; name: Name; label: string; money?: boolean }
  | { kind: "flag"; name: Name; label: string }
  | {
      kind: "other";
      name: Name;
      element: ReactNode;
      /** What it filters by, for one that is rare. */
      label?: string;
      /** A value of it in words. */
      valueText?: (value: string) => string;
    };

/** A filter with one control. */
export type SingleFilter<Name extends string = string> = Exclude<Filter<Name>, { kind: "dates" }>;

/** The names in the URL that a filter sets. */
export function namesOf<Name extends string>(filter: Filter<Name>): Name[] {
  switch (filter.kind) {
    case "dates":
      return [filter.from, filter.to, ...(filter.spans === undefined ? [] : [filter.spans.name])];
    case "select":
      return [filter.name, ...(filter.also ?? [])];
    case "search":
    case "number":
    case "flag":
    case "other":
      return [filter.name];
  }
}

/** The filters of a list as texts, which is all that their controls know. */
export type FilterTexts<Name extends string> = Pick<ListState, "filtered" | "clear"> & {
  textOf(name: Name): string;
  setTexts(texts: Partial<Record<Name, string>>, history?: "push" | "replace"): void;
};

/** The texts by name; the names keep their type. */
export function textsBy<Name extends string>(...entries: [Name, string][]): Partial<Record<Name, string>> {
  // The keys are the names that were given.
  return Object.fromEntries(entries) as Partial<Record<Name, string>>;
}

/** Whether the two dates of a range are shown: always, or where no span was chosen instead. */
export function showsDates<Name extends string>(
  filter: Extract<Filter<Name>, { kind: "dates" }>,
  state: FilterTexts<Name>,
  custom: boolean,
): boolean {
  const { spans } = filter;
  if (spans === undefined || state.textOf(filter.from) !== "" || state.textOf(filter.to) !== "") return true;
  return custom && state.textOf(spans.name) === "";
}
