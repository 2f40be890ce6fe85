import type { ReactNode } from "react";
import { cn } from "./cn";

/** How far a state is from normal. */
export type StatusTone = "normal" | "off" | "warning" | "danger";

const dots: Record<Exclude<StatusTone, "normal">, string> = {
  off: "border-2 border-control",
  warning: "bg-warning",
  danger: "bg-danger",
};
const words: Record<StatusTone, string> = {
  normal: "text-muted",
  off: "text-fg",
  warning: "text-warning",
  danger: "text-danger",
};

/** A state: a quiet word while it is normal, a dot and a word when it is not. The word alone says everything. */
export function Status(props: { tone: StatusTone; children: ReactNode; className?: string }) {
  const { tone } = props;
  return (
    <span className={cn("inline-flex min-w-0 items-center gap-1.5", words[tone], props.className)}>
      {tone !== "normal" && (
        <span aria-hidden className={cn("badge size-2 shrink-0 rounded-full", dots[tone])} />
      )}
      <span className="min-w-0 wrap-break-word">{props.children}</span>
    </span>
  );
}
