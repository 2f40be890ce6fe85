import { ChevronDown, Megaphone, TriangleAlert } from "lucide-react";
import { type ComponentProps, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { useMessages } from "../i18n/provider";
import { cn } from "../ui/cn";
import { Strip, stripButtonClass } from "../ui/strip";
import type { Announcement } from "./hidden-notices";
import { NoticeLine } from "./notice-text";

/** An announcement over the whole width: two lines, and what they have no room for once it is opened. */
export function NoticeStrip(
  props: {
    notice: Pick<Announcement, "title" | "text" | "tone">;
    /** The name of the region. */
    label: string;
    more?: ReactNode;
  } & Pick<ComponentProps<typeof Strip>, "hide" | "width">,
) {
  const { notice, more, ...strip } = props;
  const { title, text, tone } = notice;
  const { wholeAnnouncement } = useMessages("common");
  const [open, setOpen] = useState(false);
  const words = useRef<HTMLSpanElement>(null);
  const opens = useIsCut(words) || open;
  return (
    <Strip
      {...strip}
      icon={tone === "warning" ? TriangleAlert : Megaphone}
      className={tone === "warning" ? "bg-warning-soft text-warning" : "bg-primary-soft text-fg"}
      action={
        (opens || more !== undefined) && (
          <button
            type="button"
            aria-expanded={open}
            aria-label={wholeAnnouncement}
            className={cn(stripButtonClass, !opens && "sm:hidden")}
            onClick={() => setOpen(!open)}
          >
            <ChevronDown aria-hidden className={cn("size-4", open && "rotate-180")} />
          </button>
        )
      }
    >
      <span className="flex flex-wrap gap-x-2">
        <span ref={words} className={cn("min-w-0", !open && "line-clamp-2")}>
          <strong className="font-semibold">{title}</strong>
          {text !== "" && (
            <>
              {" · "}
              <NoticeLine text={text} all={more === undefined} />
            </>
          )}
        </span>
        {more !== undefined && <span className={cn("shrink-0", !open && "max-sm:hidden")}>{more}</span>}
      </span>
    </Strip>
  );
}

/** Whether a text has more lines than are shown. */
function useIsCut(text: RefObject<HTMLElement | null>): boolean {
  const [cut, setCut] = useState(false);
  useEffect(() => {
    const { current } = text;
    if (current === null) return;
    const observer = new ResizeObserver(() => setCut(current.scrollHeight > current.clientHeight));
    observer.observe(current);
    return () => observer.disconnect();
  }); // its words may have changed
  return cut;
}
