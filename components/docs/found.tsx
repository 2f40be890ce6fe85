"use client";

import type { KeyboardEvent } from "react";
import { Link } from "../ui/link";
import { type FoundPage, markedPieces } from "./search";

/** The pages that a search has found, with the passage that has the words. */
export function Found(props: {
  found: readonly FoundPage[];
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  onOpen: (href: string) => void;
}) {
  return (
    <ul className="-mx-3 grid min-w-0 gap-1">
      {props.found.map(({ page, passage, marked }) => (
        <li key={page.href} className="min-w-0">
          <Link
            href={page.href}
            data-result
            onKeyDown={props.onKeyDown}
            onClick={() => props.onOpen(page.href)}
            className="grid min-w-0 gap-1 rounded-md px-3 py-2 text-sm hover:bg-hover"
          >
            <span className="flex min-w-0 flex-wrap items-baseline gap-x-3">
              <span className="font-medium text-primary wrap-anywhere">
                <Marked text={page.title} words={marked} />
              </span>{" "}
              <span className="text-xs text-muted wrap-anywhere">
                <Marked text={page.note} words={marked} />
              </span>
            </span>
            {passage !== null && (
              <span className="prose-width leading-6 text-muted wrap-anywhere">
                <Marked text={passage} words={marked} />
              </span>
            )}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Marked(props: { text: string; words: readonly string[] }) {
  let at = 0;
  return markedPieces(props.text, props.words).map(({ text, marked }) => {
    const key = at;
    at += text.length;
    return marked ? (
      <mark key={key} className="rounded-sm bg-warning-soft text-fg">
        {text}
      </mark>
    ) : (
      <span key={key}>{text}</span>
    );
  });
}
