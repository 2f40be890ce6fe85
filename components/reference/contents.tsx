"use client";

import { useEffect, useRef, useState } from "react";
import { useMessages } from "../i18n/provider";
import { cn } from "../ui/cn";
import { Fold } from "../ui/fold";
import { anchorOf, type OperationGroup } from "./model";
import { methodTones } from "./operation-view";

/** All shown operations beside the page, by part, the one in view marked; folded on phones. */
export function Contents(props: { groups: OperationGroup[]; onOpen: (id: string) => void }) {
  const text = useMessages("reference");
  const current = useOperationInView(
    props.groups.flatMap(({ operations }) => operations.map(({ operationId }) => operationId)),
  );
  const column = useRef<HTMLDivElement>(null);
  useEffect(() => keepInView(column.current, current), [current]);
  if (props.groups.length === 0) return <div />;
  const links = <Links {...props} current={current} />;
  return (
    // With room for the ring of the focus.
    <div
      ref={column}
      className="min-w-0 lg:sticky lg:top-16 lg:-m-1 lg:max-h-[calc(100dvh-6.5rem)] lg:overflow-y-auto lg:p-1"
    >
      <nav aria-label={text.contents} className="max-lg:hidden">
        {links}
      </nav>
      <Fold
        className="rounded-md border lg:hidden"
        heading={text.contents}
        headingClass="min-h-9 px-3 py-2 text-sm font-medium"
      >
        <nav aria-label={text.contents} className="border-t p-2">
          {links}
        </nav>
      </Fold>
    </div>
  );
}

function Links(props: { groups: OperationGroup[]; current: string | null; onOpen: (id: string) => void }) {
  const text = useMessages("reference");
  return (
    <div className="grid gap-3 text-sm">
      {props.groups.map(({ tag, operations }) => (
        <section key={tag} aria-label={text.tags[tag] ?? tag}>
          <a
            href={`#${anchorOf(tag)}`}
            className="flex min-h-6 items-center rounded-md px-3 py-1 text-xs font-medium text-muted hover:bg-hover hover:text-fg"
          >
            {text.tags[tag] ?? tag}
          </a>
          <ul className="grid gap-0.5">
            {operations.map(({ operationId, method, summary }) => (
              <li key={operationId}>
                <a
                  href={`#${operationId}`}
                  aria-current={operationId === props.current ? "location" : undefined}
                  onClick={() => props.onOpen(operationId)}
                  className={cn(
                    "flex min-h-8 items-baseline gap-2 rounded-md px-3 py-1.5 hover:bg-hover hover:text-fg pointer-coarse:min-h-11",
                    operationId === props.current ? "bg-hover font-medium text-fg" : "text-muted",
                  )}
                >
                  <span
                    className={cn(
                      "w-13 shrink-0 rounded-sm text-center font-mono text-xs font-semibold uppercase",
                      methodTones[method],
                    )}
                  >
                    {method}
                  </span>{" "}
                  <span className="min-w-0 wrap-anywhere">{text.summaries[operationId] ?? summary}</span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** The operation of the address while it is in view, else the first one that is. */
function useOperationInView(ids: readonly string[]): string | null {
  const [current, setCurrent] = useState<string | null>(null);
  const shown = ids.join(" ");
  useEffect(() => {
    const order = shown.split(" ");
    const visible = new Set<string>();
    function mark() {
      const ofAddress = window.location.hash.slice(1);
      setCurrent(visible.has(ofAddress) ? ofAddress : (order.find((id) => visible.has(id)) ?? null));
    }
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) visible.add(target.id);
          else visible.delete(target.id);
        }
        mark();
      },
      { rootMargin: "-72px 0px 0px 0px" }, // below the head of the page
    );
    for (const id of order) {
      const article = document.getElementById(id);
      if (article !== null) observer.observe(article);
    }
    window.addEventListener("hashchange", mark);
    return () => {
      observer.disconnect();
      window.removeEventListener("hashchange", mark);
    };
  }, [shown]);
  return current;
}

/** Scrolls the column, never the page, to the marked link. */
function keepInView(column: HTMLElement | null, current: string | null): void {
  const link = column?.querySelector<HTMLElement>("nav [aria-current]");
  if (current === null || !column || !link || link.offsetParent === null) return;
  const [outer, inner] = [column.getBoundingClientRect(), link.getBoundingClientRect()];
  if (inner.top < outer.top) column.scrollTop -= outer.top - inner.top + inner.height;
  if (inner.bottom > outer.bottom) column.scrollTop += inner.bottom - outer.bottom + inner.height;
}
