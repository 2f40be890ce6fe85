import { cn } from "./cn";

const fills = { normal: "bg-primary", warning: "bg-warning", danger: "bg-danger" };

/** A meter of the share that is used; `text` describes its value. */
export function Meter(props: { share: number; label: string; text: string; className?: string }) {
  const used = Math.max(0, Math.min(1, props.share));
  const state = used >= 1 ? "danger" : used >= 0.8 ? "warning" : "normal";
  return (
    // biome-ignore lint/a11y/useSemanticElements: <meter> cannot be styled alike in every browser
    <div
      role="meter"
      aria-label={props.label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(used * 100)}
      aria-valuetext={props.text}
      className={cn("meter-track h-1.5 w-full overflow-hidden rounded-full bg-line", props.className)}
    >
      <div
        className={cn("meter-bar h-full rounded-full", fills[state])}
        style={{ width: `${used * 100}%` }}
      />
    </div>
  );
}
