import type { ReactNode } from "react";
import { cn } from "./cn";

/** A bordered area; with a title it is a labelled section. */
export function Card(props: {
  title?: ReactNode;
  actions?: ReactNode;
  className?: string;
  flush?: boolean;
  children: ReactNode;
}) {
  return (
    <section
      className={cn(
        "min-w-0 rounded-lg border bg-page",
        props.flush === true && "overflow-clip",
        props.className,
      )}
    >
      {props.title !== undefined && (
        <header className="flex min-h-12 flex-wrap items-center justify-between gap-2 border-b px-4 py-2">
          <h2 className="text-sm font-semibold">{props.title}</h2>
          {props.actions}
        </header>
      )}
      <div className={props.flush === true ? "" : "p-4"}>{props.children}</div>
    </section>
  );
}

/** The head of a page: its one `h1`, which is large on public pages, a sentence, and what can be done. */
export function PageHeader(props: {
  title: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
  large?: boolean;
  /** A list follows: on a phone the sentence is for screen readers alone, so that the first row is soon there. */
  compact?: boolean;
}) {
  const { compact = false } = props;
  return (
    <header
      className={cn(
        "mb-6 flex flex-wrap items-start justify-between gap-x-4 gap-y-3",
        compact && "max-sm:mb-4 max-sm:items-center",
      )}
    >
      <div className="grid min-w-0 gap-1 sm:flex-1 sm:basis-80">
        <h1 className={cn("font-semibold", props.large === true ? "text-2xl" : "text-xl")}>{props.title}</h1>
        {props.lead !== undefined && (
          <p className={cn("prose-width text-sm text-muted", compact && "max-sm:sr-only")}>{props.lead}</p>
        )}
      </div>
      {props.actions !== undefined && (
        <div className="flex max-w-full flex-wrap items-center gap-2">{props.actions}</div>
      )}
    </header>
  );
}

/** Names and values. */
export function Facts(props: { rows: Array<[ReactNode, ReactNode]>; className?: string }) {
  return (
    <dl className={cn("grid grid-cols-[7.5rem_minmax(0,1fr)] gap-x-4 gap-y-2 text-sm", props.className)}>
      {props.rows.map(([name, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a list keep their order
        <div key={index} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
