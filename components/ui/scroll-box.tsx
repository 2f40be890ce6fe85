"use client";

import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { cn } from "./cn";

/** Scrolls inside itself; a tab stop only while there is something to scroll, so that the keyboard can. */
export function ScrollBox(props: {
  label: string;
  ref?: RefObject<HTMLDivElement | null>;
  /** Scrolls only while something does not fit, so that heads inside stick to the page. */
  whenNeeded?: boolean;
  className?: string | undefined;
  children: ReactNode;
}) {
  const own = useRef<HTMLDivElement>(null);
  const box = props.ref ?? own;
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = () =>
      setScrolls(element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    return () => observer.disconnect();
  }, [box]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls
    <div
      ref={box}
      role="group"
      aria-label={props.label}
      tabIndex={scrolls ? 0 : undefined}
      data-scrolls={scrolls || undefined}
      className={cn(
        "group/scroll relative",
        props.whenNeeded && !scrolls ? "overflow-clip" : "overflow-auto [--head-top:0px]",
        props.className,
      )}
    >
      {props.children}
    </div>
  );
}
