"use client";

import { ListFilter } from "lucide-react";
import { usePathname, useSearchParams } from "next/navigation";
import type { ReactNode } from "react";
import { fill } from "../i18n/fill";
import { useMessages } from "../i18n/provider";
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
