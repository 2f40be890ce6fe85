"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";
import { plural } from "../i18n/fill";
import type { Messages } from "../i18n/messages";
import { useFormat } from "../i18n/provider";
import { cn } from "../ui/cn";
import { SearchInput } from "../ui/field";
import { Fold } from "../ui/fold";
import { Link, TextLink } from "../ui/link";

/** A page of the docs, for the list beside each of them and for the search. */
export interface GuideEntry {
  href: string;
  /** The heading that it stands below. */
  group: string;
  title: string;
  /** What the page is about, in its first words. */
  lead: string;
  /** Everything that it says, in lower case. */
  words: string;
}

/** The list of all pages of the docs and their search, beside the page that is open; the pages found take its place. */
export function GuideFrame(props: {
  text: Pick<Messages["guide"], "guides" | "search" | "found" | "nothingFound">;
  entries: readonly GuideEntry[];
  /** The address of the page that is open. */
  current: string;
  children: ReactNode;
}) {
  const { text, entries } = props;
  const format = useFormat();
  const [search, setSearch] = useState("");
  const searchBox = useSearchKeys();
  const typed = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found =
    typed.length === 0 ? null : entries.filter(({ words }) => typed.every((word) => words.includes(word)));
  const links = <GuideLinks entries={entries} current={props.current} />;
  return (
    <div className="grid gap-x-8 gap-y-6 lg:grid-cols-[200px_minmax(0,1fr)]">
      <div className="grid content-start gap-3 self-start lg:sticky lg:top-16 lg:max-h-[calc(100dvh-6.5rem)] lg:overflow-y-auto">
        <div ref={searchBox}>
          <SearchInput label={text.search} value={search} onChange={setSearch} />
        </div>
        <nav aria-label={text.guides} className="max-lg:hidden">
          {links}
        </nav>
        <Fold
          className="rounded-md border lg:hidden"
          heading={text.guides}
          headingClass="min-h-9 px-3 py-2 text-sm font-medium"
        >
          <nav aria-label={text.guides} className="border-t p-2">
            {links}
          </nav>
        </Fold>
      </div>
      <div className="grid min-w-0 content-start gap-6">
        <p role="status" className="text-sm text-muted empty:hidden">
          {found !== null &&
            (found.length === 0 ? text.nothingFound : plural(text.found, found.length, format.locale))}
        </p>
        {found === null ? props.children : <Found entries={found} />}
      </div>
    </div>
  );
}

function GuideLinks(props: { entries: readonly GuideEntry[]; current: string }) {
  const groups = [...new Set(props.entries.map(({ group }) => group))];
  return (
    <div className="grid gap-3 text-sm">
      {groups.map((name) => (
        <section key={name} aria-label={name}>
          <p className="px-3 py-1 text-xs font-medium text-muted">{name}</p>
          <ul className="grid gap-0.5">
            {props.entries
              .filter(({ group }) => group === name)
              .map(({ href, title }) => (
                <li key={href}>
                  <Link
                    href={href}
                    aria-current={href === props.current ? "page" : undefined}
                    className={cn(
                      "flex min-h-8 items-center rounded-md px-3 py-1 hover:bg-hover hover:text-fg",
                      href === props.current ? "bg-hover font-medium text-fg" : "text-muted",
                    )}
                  >
                    {title}
                  </Link>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** Ctrl or ⌘ with K leads to the search in the element with this reference, as in most docs. */
function useSearchKeys() {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "k") return;
      event.preventDefault();
      place.current?.querySelector("input")?.focus();
    }
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  return place;
}

function Found(props: { entries: readonly GuideEntry[] }) {
  return (
    <ul className="grid gap-4">
      {props.entries.map(({ href, title, lead }) => (
        <li key={href} className="grid min-w-0 gap-1 text-sm">
          <span>
            <TextLink href={href}>{title}</TextLink>
          </span>
          <span className="truncate text-muted">{lead}</span>
        </li>
      ))}
    </ul>
  );
}
