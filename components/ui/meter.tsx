import { cn } from "./cn";

/** What is left is drawn quietly while it is enough: a list of accounts would else be full of it. */
const fills = { enough: "bg-control/60", normal: "bg-primary", warning: "bg-warning", danger: "bg-danger" };

/** A meter of the share that is used, or with `left` of what is left beside it; `text` describes its value. */
export function Meter(props: {
  share: number;
  left?: boolean;
  label: string;
  text: string;
  className?: string;
}) {
  const used = Math.max(0, Math.min(1, props.share));
  const isLeft = props.left === true;
  const state = used >= 1 ? "danger" : used >= 0.8 ? "warning" : isLeft ? "enough" : "normal";
  const share = isLeft ? 1 - used : used;
  return (
    // biome-ignore lint/a11y/useSemanticElements: <meter> cannot be styled alike in every browser
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
