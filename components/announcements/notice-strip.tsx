import { Megaphone, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "../ui/cn";
import type { Announcement } from "./hidden-notices";
import { LinkedText } from "./linked-text";

/** An announcement as a line over the whole width. */
export function NoticeStrip(props: {
  notice: Pick<Announcement, "title" | "text" | "tone">;
  /** The name of the region. */
  label: string;
  more?: ReactNode;
  button?: ReactNode;
}) {
  const { title, text, tone } = props.notice;
  const Icon = tone === "warning" ? TriangleAlert : Megaphone;
  return (
    <section
      aria-label={props.label}
      className={cn(
        "flex items-start gap-2 border-b px-4 py-2 text-sm sm:px-6",
        tone === "warning" ? "bg-warning-soft text-warning" : "bg-primary-soft text-fg",
      )}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <p className="min-w-0 flex-1 wrap-anywhere">
        <strong className="font-semibold">{title}</strong>
        {text !== "" && (
          <>
            {" "}
            <LinkedText text={text} />
          </>
        )}
        {props.more !== undefined && <> {props.more}</>}
      </p>
      {props.button}
    </section>
  );
}
