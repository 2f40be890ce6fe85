"use client";

import { useEffect, useState } from "react";
import { cn } from "./cn";

/** A part of a long page: the id of its element, and its title. */
export interface Section {
  id: string;
  title: string;
}

/**
 * Links to the parts of a long page, beside it where there is room; that of the part in view is marked.
 * `label`: what they are called to screen readers.
 */
export function SectionLinks(props: {
  sections: readonly Section[];
  label: string;
  /** Says the label above the links. */
  headed?: boolean;
  /** Its place; hidden on narrow windows unless given. */
  className?: string;
}) {
  const current = usePartInView(props.sections);
  usePartOfAddress();
  return (
    <nav
      aria-label={props.label}
      className={cn(
        "sticky top-16 max-h-[calc(100dvh-6.5rem)] self-start overflow-y-auto",
        props.className ?? "max-lg:hidden",
      )}
    >
      {props.headed === true && <p className="px-3 py-1 text-xs font-medium text-muted">{props.label}</p>}
      <ul className="grid gap-0.5">
        {props.sections.map(({ id, title }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              aria-current={id === current ? "location" : undefined}
              className={cn(
                "flex min-h-8 items-center rounded-md px-3 py-1 hover:bg-hover hover:text-fg",
                id === current ? "font-medium text-fg" : "text-muted",
              )}
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Keeps the part that the address names at the top while the parts grow as they load, until the reader acts. */
function usePartOfAddress() {
  useEffect(() => {
    let end = holdPart();
    const again = () => {
      end();
      end = holdPart();
    };
    window.addEventListener("hashchange", again);
    return () => {
      window.removeEventListener("hashchange", again);
      end();
    };
  }, []);
}

/** Keeps the part of the address in place, and returns what ends that. */
function holdPart(): () => void {
  const part = document.getElementById(window.location.hash.slice(1));
  if (part === null) return () => undefined;
  const growth = new ResizeObserver(() => part.scrollIntoView());
  const acts = ["wheel", "touchstart", "keydown", "pointerdown"] as const;
  const end = () => {
    growth.disconnect();
    for (const act of acts) window.removeEventListener(act, end);
  };
  growth.observe(document.body);
  for (const act of acts) window.addEventListener(act, end, { passive: true });
  return end;
}

/** The last part whose title has come to the upper third of the window; at the very top of the page the first one. */
function usePartInView(sections: readonly Section[]): string | null {
  const [current, setCurrent] = useState<string | null>(null);
  useEffect(() => {
    const find = () => {
      const line = window.innerHeight / 3;
      const above = sections.filter(({ id }) => {
        const top = document.getElementById(id)?.getBoundingClientRect().top;
        return top !== undefined && top < line;
      });
      const isAtEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 1;
      const first = window.scrollY === 0 ? sections[0] : undefined;
      setCurrent((first ?? (isAtEnd ? sections : above).at(-1))?.id ?? null);
    };
    find();
    window.addEventListener("scroll", find, { passive: true });
    return () => window.removeEventListener("scroll", find);
  }, [sections]);
  return current;
}
