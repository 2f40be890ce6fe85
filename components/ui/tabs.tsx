"use client";

import { Tabs as Base } from "@base-ui/react/tabs";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { cn } from "./cn";

const tabClass =
  "inline-flex h-9 shrink-0 items-center border-b-2 border-transparent px-3 text-sm font-medium whitespace-nowrap text-muted " +
  "hover:text-fg data-active:border-primary data-active:text-fg pointer-coarse:min-h-11";

/** Tabs in one row, which scrolls sideways where they do not fit, with their panels. Controlled when `value` is given. */
export function Tabs<T extends string>(props: {
  label: string;
  value?: T;
  defaultValue?: T;
  onChange?: (value: T) => void;
  /** Whether panels that were opened keep what is typed in them while others are shown. */
  keep?: boolean;
  tabs: Array<{ value: T; label: ReactNode; content: ReactNode }>;
}) {
  const first = props.defaultValue ?? props.tabs[0]?.value;
  const [opened, setOpened] = useState([props.value ?? first]);
  const row = useRef<HTMLDivElement>(null);
  const hidden = useHiddenSides(row);
  return (
    <Base.Root
      className="min-w-0"
      {...(props.value !== undefined ? { value: props.value } : {})}
      defaultValue={first}
      onValueChange={(value: T) => {
        setOpened((before) => [...before.filter((one) => one !== value), value]);
        props.onChange?.(value);
      }}
    >
      <div className="relative shadow-[inset_0_-1px_0_var(--line)]">
        <Base.List
          ref={row}
          aria-label={props.label}
          activateOnFocus
          className="flex scroll-fade overflow-x-auto scroll-px-10 [scrollbar-width:none]"
        >
          {props.tabs.map((tab) => (
            <Base.Tab key={tab.value} value={tab.value} className={tabClass}>
              {tab.label}
            </Base.Tab>
          ))}
        </Base.List>
        {hidden.before && <Further row={row} to="before" />}
        {hidden.after && <Further row={row} to="after" />}
      </div>
      {props.tabs.map((tab) => (
        <Base.Panel
          key={tab.value}
          value={tab.value}
          keepMounted={props.keep === true && opened.includes(tab.value)}
          className="min-w-0 pt-4"
        >
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}

/** At which ends of the row tabs are out of sight. The chosen one is in sight at first. */
function useHiddenSides(row: RefObject<HTMLElement | null>): { before: boolean; after: boolean } {
  const [hidden, setHidden] = useState({ before: false, after: false });
  useEffect(() => {
    const element = row.current;
    if (element === null) return;
    const chosen = element.querySelector<HTMLElement>("[data-active]");
    if (chosen !== null && chosen.offsetLeft + chosen.offsetWidth > element.clientWidth)
      element.scrollLeft = chosen.offsetLeft - element.clientWidth / 2;
    const measure = () => {
      const { scrollLeft, scrollWidth, clientWidth } = element;
      setHidden({ before: scrollLeft > 1, after: scrollLeft + clientWidth < scrollWidth - 1 });
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    for (const tab of element.children) observer.observe(tab);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, [row]);
  return hidden;
}

const ends = {
  before: { icon: ChevronLeft, className: "left-0", sign: -1 },
  after: { icon: ChevronRight, className: "right-0", sign: 1 },
} as const;

/** Scrolls the row for a mouse; the keyboard has its arrows, and fingers need no button. */
function Further(props: { row: RefObject<HTMLElement | null>; to: keyof typeof ends }) {
  const { icon: Icon, className, sign } = ends[props.to];
  return (
    <button
      type="button"
      aria-hidden
      tabIndex={-1}
      onClick={() => {
        const element = props.row.current;
        element?.scrollBy({ left: sign * element.clientWidth * 0.7, behavior: "smooth" });
      }}
      className={cn(
        "absolute inset-y-1 flex w-7 items-center justify-center rounded-sm bg-page text-muted hover:bg-hover hover:text-fg pointer-coarse:hidden",
        className,
      )}
    >
      <Icon aria-hidden className="size-4" />
    </button>
  );
}
