"use client";

import { Menu } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { buttonClass } from "../ui/button";
import { cn } from "../ui/cn";

/** What the head of a phone has no room for; it closes on Escape, on a press beside it and when a link is followed. */
export function SiteMenu(props: { label: string; className: string; children: ReactNode }) {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    function close(event: Event) {
      const details = menu.current;
      if (!details?.open) return;
      if (event instanceof KeyboardEvent) {
        if (event.key !== "Escape") return;
        details.querySelector("summary")?.focus();
      } else if (event.target instanceof Element && details.contains(event.target)) {
        if (event.target.closest("a") === null) return;
      }
      details.open = false;
    }
    document.addEventListener("click", close);
    document.addEventListener("keydown", close);
    return () => {
      document.removeEventListener("click", close);
      document.removeEventListener("keydown", close);
    };
  }, []);
  return (
    <details ref={menu} className={cn("relative", props.className)}>
      <summary
        aria-label={props.label}
        className={cn(buttonClass("ghost", "icon"), "list-none [&::-webkit-details-marker]:hidden")}
      >
        <Menu aria-hidden className="size-4" />
      </summary>
      <div className="absolute right-0 z-30 mt-1 grid w-max min-w-48 justify-items-stretch rounded-lg bg-page p-1 shadow-float">
        {props.children}
      </div>
    </details>
  );
}
