import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "./cn";

/** Grey blocks of the final size while the first response loads. */
export function Skeleton(props: { className?: string }) {
  return <div aria-hidden className={cn("skeleton", props.className ?? "h-4 w-full")} />;
}

/** Skeleton rows inside a busy region. */
export function SkeletonRows(props: { rows?: number; height?: string; label: string }) {
  return (
    <div aria-busy="true" className="grid gap-2">
      <span className="sr-only" role="status">
        {props.label}
      </span>
      {Array.from({ length: props.rows ?? 5 }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows without content have no other key
        <Skeleton key={row} className={props.height ?? "h-12"} />
      ))}
    </div>
  );
}

/** An empty state: one sentence and an action. */
export function EmptyState(props: { title: ReactNode; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="grid justify-items-center gap-3 px-4 py-12 text-center">
      <p className="text-sm font-medium">{props.title}</p>
      {props.children !== undefined && <div className="prose-width text-sm text-muted">{props.children}</div>}
      {props.action}
    </div>
  );
}

const notes = {
  info: "border-primary/40 bg-primary-soft text-fg",
  warning: "border-warning/40 bg-warning-soft text-fg",
  danger: "border-danger/40 bg-danger-soft text-fg",
  success: "border-success/40 bg-success-soft text-fg",
};
const noteIcons = {
  info: "text-primary",
  warning: "text-warning",
  danger: "text-danger",
  success: "text-success",
};

/** A boxed remark. */
export function Note(props: {
  tone: keyof typeof notes;
  icon?: LucideIcon;
  role?: "alert" | "status";
  className?: string;
  children: ReactNode;
}) {
  const Icon = props.icon;
  return (
    <div
      role={props.role}
      className={cn(
        "flex items-start gap-2 rounded-md border px-3 py-2 text-sm",
        notes[props.tone],
        props.className,
      )}
    >
      {Icon !== undefined && (
        <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", noteIcons[props.tone])} />
      )}
      <div className="min-w-0 flex-1 wrap-anywhere">{props.children}</div>
    </div>
  );
}

/** Marks outdated numbers by paler colours and a dashed frame; any opacity would take text below its contrast. */
export function Dimmed(props: { active: boolean; children: ReactNode }) {
  return (
    <div
      data-old={props.active || undefined}
      className={cn(
        "grid min-w-0 gap-4",
        props.active && "rounded-lg saturate-50 outline-1 -outline-offset-1 outline-control outline-dashed",
      )}
    >
      {props.children}
    </div>
  );
}

/** A thin moving line while shown data is being refreshed. */
export function ProgressLine(props: { active: boolean }) {
  return (
    <div aria-hidden className="h-0.5 overflow-hidden">
      {props.active && <div className="progress-slide h-full w-1/4 bg-primary" />}
    </div>
  );
}
