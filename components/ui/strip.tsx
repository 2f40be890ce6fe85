import { type LucideIcon, X } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "./cn";

/** A button in the first line of a strip. */
export const stripButtonClass = "flex size-6 shrink-0 items-center justify-center rounded-sm hover:bg-hover";

/** A notice over the whole width; its icon and the button that puts it away stand in its first line. */
export function Strip(props: {
  icon: LucideIcon;
  /** The name of the region; without it what it says is a status. */
  label?: string;
  /** Its colours. */
  className: string;
  /** The width of its content. */
  width?: string | undefined;
  /** A button before the one that puts it away. */
  action?: ReactNode;
  hide?: { label: string; onHide: () => void } | undefined;
  children: ReactNode;
}) {
  const { icon: Icon, label, hide } = props;
  const content = (
    <div className={cn("mx-auto flex items-start gap-2 px-4 py-2 text-sm/6 sm:px-6", props.width)}>
      <Icon aria-hidden className="mt-1 size-4 shrink-0" />
      <p className="min-w-0 flex-1 wrap-anywhere">{props.children}</p>
      {props.action}
      {hide !== undefined && (
        <button type="button" className={stripButtonClass} aria-label={hide.label} onClick={hide.onHide}>
          <X aria-hidden className="size-4" />
        </button>
      )}
    </div>
  );
  const className = cn("border-b", props.className);
  if (label === undefined)
    return (
      <div role="status" className={className}>
        {content}
      </div>
    );
  return (
    <section aria-label={label} className={className}>
      {content}
    </section>
  );
}
