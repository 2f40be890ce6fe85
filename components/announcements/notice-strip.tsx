import { Megaphone, TriangleAlert } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "../ui/cn";
import { Strip } from "../ui/strip";
import type { Announcement } from "./hidden-notices";
import { NoticeLine } from "./notice-text";

/** An announcement as a line over the whole width. */
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
  return (
    <Strip
      {...strip}
      icon={tone === "warning" ? TriangleAlert : Megaphone}
      className={tone === "warning" ? "bg-warning-soft text-warning" : "bg-primary-soft text-fg"}
    >
      <span className="flex flex-wrap gap-x-2">
        {/* What is long is read on the page that `more` leads to. */}
        <span className={cn("min-w-0", more !== undefined && "line-clamp-2")}>
          <strong className="font-semibold">{title}</strong>
          {text !== "" && (
            <>
              {" · "}
              <NoticeLine text={text} all={more === undefined} />
            </>
          )}
        </span>
        {more !== undefined && <span className="shrink-0">{more}</span>}
      </span>
    </Strip>
  );
}
