import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "./cn";

export type Tone = "neutral" | "success" | "warning" | "danger" | "info";

const tones: Record<Tone, string> = {
  neutral: "bg-hover text-fg",
  success: "bg-success-soft text-success",
  warning: "bg-warning-soft text-warning",
  danger: "bg-danger-soft text-danger",
  info: "bg-primary-soft text-primary",
};

/** Text with an icon; state is never shown by colour alone. */
export function Badge(props: {
  tone: Tone;
  icon?: LucideIcon;
  /** Its text may have several lines. */
  wraps?: boolean;
  children: ReactNode;
  className?: string;
}) {
  const Icon = props.icon;
  return (
    <span
      className={cn(
        "badge inline-flex items-center gap-1 px-2 py-0.5 text-xs font-medium",
        props.wraps === true ? "rounded-xl" : "rounded-full whitespace-nowrap",
        tones[props.tone],
        props.className,
      )}
    >
      {Icon !== undefined && <Icon aria-hidden className="size-3 shrink-0" />}
      {props.children}
    </span>
  );
}
