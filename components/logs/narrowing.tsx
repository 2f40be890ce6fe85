"use client";

import { ListFilter } from "lucide-react";
import { usePathname, useSearchParams } from "next/navigation";
import type { ReactNode } from "react";
import { fill } from "../i18n/fill";
import { useMessages } from "../i18n/provider";
import { type FilterTexts, textsBy } from "../lists/filters";
import { cn } from "../ui/cn";
import { TextLink } from "../ui/link";
import type { CountedName } from "./counted-filter";
import type { LogFilterName } from "./use-log-filters";

/**
 * A value of a request, which leads to those in the log that have it too. The other filters stay; where the log is
 * narrowed to the value already, there is nothing to lead to.
 */
export function Narrowing(props: {
  filter: Extract<LogFilterName, "model" | "node" | "user" | "key" | CountedName>;
  value: string;
  /** The value in words; it is all that the link shows, unless something else stands beside it. */
  name: string;
  children?: ReactNode;
}) {
  const { only } = useMessages("logs").detail;
  const { filter, name, children } = props;
  const href = useNarrowed(filter, props.value);
  if (href === null) return children;
  const label = fill(only[filter], { name });
  return (
    <TextLink href={href} aria-label={label} title={label} className="px-1 not-first:ml-1 first:-ml-1">
      {children}
      <ListFilter aria-hidden className={cn("mb-0.5 inline size-4", children !== undefined && "ml-1.5")} />
    </TextLink>
  );
}

/**
 * The small button of a cell, which narrows the log to the cell's value. It is for the mouse alone, and shown while the
 * pointer is over the cell: by keyboard and on a phone the links of the details do the same.
 */
export function CellNarrowing(props: {
  list: FilterTexts<LogFilterName>;
  filter: "model" | "user" | "key" | "outcome";
  value: string;
  name: string;
}) {
  const { only } = useMessages("logs").detail;
  const { list, filter, value, name } = props;
  const names: LogFilterName[] = filter === "outcome" ? ["outcome", "status"] : [filter];
  if (names.some((one) => list.textOf(one) === value)) return null;
  const change = textsBy(...names.map((one): [LogFilterName, string] => [one, value]), ["find", ""]);
  return (
    <button
      type="button"
      aria-hidden
      tabIndex={-1}
      title={fill(only[filter], { name })}
      onClick={() => list.setTexts(change)}
      className="absolute inset-y-0 right-0 my-auto flex size-6 items-center justify-center rounded-sm border bg-page text-primary opacity-0 group-hover:opacity-100 pointer-coarse:hidden"
    >
      <ListFilter className="size-4" />
    </button>
  );
}

/**
 * The address of the log with one more filter and its newest requests; null where that is the filter already. A search
 * for one request ends, since it would find no other.
 */
function useNarrowed(filter: string, value: string): string | null {
  const path = usePathname();
  const search = useSearchParams();
  if (search.get(filter) === value) return null;
  const query = new URLSearchParams(search);
  query.set(filter, value);
  for (const name of ["find", "request", "cursor", "page"]) query.delete(name);
  return `${path}?${query}`;
}
