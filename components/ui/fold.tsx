import { ChevronRight } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "./cn";

/** A part that folds below its heading, whose chevron points down while it is open. */
export function Fold({
  heading,
  headingClass,
  children,
  ...rest
}: ComponentProps<"details"> & {
  heading: ReactNode;
  headingClass?: string;
}) {
  return (
    <details {...rest}>
      <summary
        className={cn(
          "flex list-none items-center gap-1.5 rounded-sm [&::-webkit-details-marker]:hidden",
          headingClass,
        )}
      >
        {/* Of this part only: a fold inside it has a chevron of its own. */}
        <ChevronRight
          aria-hidden
          className="size-4 shrink-0 text-muted transition-transform [details[open]>summary>&]:rotate-90"
        />
        {heading}
      </summary>
      {children}
    </details>
  );
}
