"use client";

import { ErrorPanel } from "../api/error-panel";
import { useRead } from "../api/use-read";
import { fill, plural } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { ChoiceFilter } from "../lists/filter-controls";
import { isTimeTooLong } from "../lists/shorter-times";
import { modes } from "./choices";
import { type LogPath, narrowingOf } from "./log-query";
import type { UrlLogFilters } from "./use-log-filters";

/** The filters whose values are counted, with their fields in the API. */
const fields = {
  operation: "operation",
  protocol: "protocol",
  mode: "stream",
  http: "httpStatus",
  code: "errorCode",
  client: "client",
} as const;

export type CountedName = keyof typeof fields;

/**
 * A choice of the values that requests have, each with how often it occurs. Where not all requests are counted, those
 * that are known are offered too; once all are, what no request has is left out, unless it is chosen.
 */
export function CountedFilter(props: {
  filters: UrlLogFilters;
  path: LogPath;
  name: CountedName;
  label: string;
  known: readonly string[];
  valueText: (value: string) => string;
}) {
  const text = useMessages("logs");
  const format = useFormat();
  const { filters, name, label, known, valueText } = props;
  const values = useValues(filters, props.path).data;
  const found = values?.[fields[name]] ?? [];
  const counts = new Map(found.map(({ value, count }) => [urlValue(name, value), count]));
  const chosen = filters.list.textOf(name);
  const isOffered = (value: string) => values?.complete !== true || counts.has(value) || value === chosen;
  const options = [...new Set([...counts.keys(), ...known])].filter(isOffered).map((value) => {
    const count = counts.get(value) ?? (values?.complete === true ? 0 : undefined);
    const shown = valueText(value);
    return {
      value,
      label: count === undefined ? shown : fill(text.counted, { value: shown, count: format.count(count) }),
    };
  });
  return <ChoiceFilter labelled filter={{ kind: "select", name, label, options }} state={filters.list} />;
}

/** The values of the newest requests that the filters leave, with how often they occur. */
function useValues(filters: UrlLogFilters, path: LogPath) {
  return useRead(`GET ${path}/values`, { query: narrowingOf(filters.query) });
}

function urlValue(name: CountedName, value: string): string {
  return name === "mode" ? modes[value === "true" ? 0 : 1] : value;
}

/** Says so where not all requests are counted, or none because that takes too long. */
export function CountsNote(props: { filters: UrlLogFilters; path: LogPath }) {
  const text = useMessages("logs");
  const format = useFormat();
  const { data: values, error, refetch } = useValues(props.filters, props.path);
  if (isTimeTooLong(error)) return <p className="mt-3 text-xs text-muted">{text.notCounted}</p>;
  if (error !== null) return <ErrorPanel className="mt-3" error={error} onRetry={() => refetch()} />;
  if (values === undefined || values.complete) return null;
  return (
    <p className="mt-3 text-xs text-muted">{plural(text.countsNewest, values.counted, format.locale)}</p>
  );
}
