import { cn } from "./cn";

const fills = { normal: "bg-primary", warning: "bg-warning", danger: "bg-danger" };

/** How full something is; `text` says it in words. */
export function Meter(props: { share: number; label: string; text: string; className?: string }) {
  const share = Math.max(0, Math.min(1, props.share));
  const state = share >= 1 ? "danger" : share >= 0.8 ? "warning" : "normal";
  return (
    // biome-ignore lint/a11y/useSemanticElements: the look of <meter> cannot be set alike in every browser
    <div
      role="meter"
      aria-label={props.label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      aria-valuetext={props.text}
      className={cn("meter-track h-1.5 w-full overflow-hidden rounded-full bg-line", props.className)}
    >
      <div
        className={cn("meter-bar h-full rounded-full", fills[state])}
        style={{ width: `${share * 100}%` }}
      />
    </div>
  );
}
