import type { ComponentProps, ReactNode } from "react";
import { cn } from "./cn";
import { ScrollBox } from "./scroll-box";

/** A real table with a caption; it scrolls inside itself, never the page. */
export function Table(props: {
  caption: string;
  /** The side to which it can be scrolled fades; not where its last cells stay in view. */
  fades?: boolean;
  children: ReactNode;
  className?: string | undefined;
}) {
  return (
    <ScrollBox whenNeeded label={props.caption} className={cn(props.fades && "scroll-fade", props.className)}>
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">{props.caption}</caption>
        {props.children}
      </table>
    </ScrollBox>
  );
}

/** The link or button of a row's name, which opens the row. */
export const rowNameClass =
  "inline-flex min-h-6 min-w-6 items-center rounded-sm text-left font-medium wrap-anywhere text-primary underline-offset-2 hover:underline";

/** A column's head; `end` for numbers. */
export function Th({ end, className, ...rest }: ComponentProps<"th"> & { end?: boolean | undefined }) {
  return (
    <th
      scope="col"
      className={cn(
        "sticky top-(--head-top,0px) z-1 h-9 bg-card px-3 shadow-[inset_0_-1px_0_var(--line)] first:pl-4 last:pr-4 text-xs font-medium whitespace-nowrap text-muted",
        end === true ? "text-right" : "text-left",
        className,
      )}
      {...rest}
    />
  );
}

/** A cell; `end` for numbers. */
export function Td({ end, className, ...rest }: ComponentProps<"td"> & { end?: boolean | undefined }) {
  return (
    <td
      className={cn(
        "h-10 border-b px-3 first:pl-4 last:pr-4 py-1.5 align-middle",
        end === true ? "text-right whitespace-nowrap" : "text-left",
        className,
      )}
      {...rest}
    />
  );
}
