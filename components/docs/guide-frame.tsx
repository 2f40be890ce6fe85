"use client";

import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useMemo, useState } from "react";
import { plural } from "../i18n/fill";
import type { Messages } from "../i18n/messages";
import { useFormat } from "../i18n/provider";
import { type FoundPage, markedPieces, searchDocs } from "../search/search-docs";
import { moveInResults, useSearchKeys } from "../search/search-keys";
import { useDocsPages } from "../search/use-docs-pages";
import { cn } from "../ui/cn";
import { SearchInput } from "../ui/field";
import { Fold } from "../ui/fold";
import { Link } from "../ui/link";
import { type Section, SectionLinks } from "../ui/section-links";

/** Fewer parts need no list of their own. */
const MIN_SECTIONS = 3;

/** A page of the docs, for the list beside each of them. */
export interface GuideEntry {
  href: string;
  /** The heading that it stands below. */
  group: string;
  title: string;
}

/** The list of all pages of the docs and their search, beside the page that is open; what is found takes its place. */
export function GuideFrame(props: {
  text: Pick<
    Messages["guide"],
    "guides" | "search" | "found" | "nothingFound" | "searchFailed" | "onThisPage"
  >;
  entries: readonly GuideEntry[];
  /** The address of the page that is open. */
  current: string;
  /** The parts of that page. */
  sections: readonly Section[];
  children: ReactNode;
}) {
  const { text, entries, current, sections } = props;
  const [search, setSearch] = useState("");
  const typed = search.trim();
  const place = useSearchKeys();
  const { pages, failed } = useDocsPages(useFormat().locale, typed);
  const found = useMemo(() => (pages === null ? null : searchDocs(pages, typed)), [pages, typed]);
  const searches = typed !== "" && (found !== null || failed);
  const onKeyDown = useResultKeys(place, typed, found !== null);
  const list = <GuideList key="list" label={text.guides} entries={entries} current={current} />;
  return (
    <div className="flex gap-8">
      <div
        ref={place}
        className="grid min-w-0 flex-1 content-start items-start gap-x-8 gap-y-3 lg:grid-cols-[200px_minmax(0,1fr)]"
      >
        <div className="z-10 lg:sticky lg:top-16 lg:col-start-1 lg:row-start-1">
          <SearchInput
            label={text.search}
            value={search}
            onChange={setSearch}
            onKeyDown={onKeyDown}
            aria-keyshortcuts="/ Control+K"
          />
        </div>
        {/* While a search is open the keyboard comes to its results before the list. */}
        {!searches && list}
        <div
          key="page"
          className="mt-3 grid min-w-0 content-start gap-6 lg:col-start-2 lg:row-start-1 lg:mt-0"
        >
          <p role="status" className="text-sm text-muted empty:hidden">
            {searches && <FoundCount text={text} count={found?.length ?? null} />}
          </p>
          {searches ? (
            <Found
              found={found ?? []}
              onKeyDown={onKeyDown}
              onOpen={(href) => href === current && setSearch("")}
            />
          ) : (
            props.children
          )}
        </div>
        {searches && list}
      </div>
      {sections.length >= MIN_SECTIONS && !searches && (
        <SectionLinks
          sections={sections}
          label={text.onThisPage}
          headed
          className="w-40 shrink-0 text-sm max-xl:hidden"
        />
      )}
    </div>
  );
}

/** How many pages are found; null when the search could not be loaded. */
function FoundCount(props: {
  text: Pick<Messages["guide"], "found" | "nothingFound" | "searchFailed">;
  count: number | null;
}) {
  const { text, count } = props;
  const { locale } = useFormat();
  if (count === null) return text.searchFailed;
  return count === 0 ? text.nothingFound : plural(text.found, count, locale);
}

/** Beside the page, below the search, with room for the ring of the focus; folded on phones. */
function GuideList(props: { label: string; entries: readonly GuideEntry[]; current: string }) {
  const links = <GuideLinks entries={props.entries} current={props.current} />;
  return (
    <div className="lg:sticky lg:top-28 lg:-mx-1 lg:mt-12 lg:max-h-[calc(100dvh-11rem)] lg:overflow-y-auto lg:p-1 lg:col-start-1 lg:row-start-1">
      <nav aria-label={props.label} className="max-lg:hidden">
        {links}
      </nav>
      <Fold
        className="rounded-md border lg:hidden"
        heading={props.label}
        headingClass="min-h-9 px-3 py-2 text-sm font-medium"
      >
        <nav aria-label={props.label} className="border-t p-2">
          {links}
        </nav>
      </Fold>
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

/** The keys of the search and its results; Enter opens the first result, which may be still to come. */
function useResultKeys(place: RefObject<HTMLElement | null>, typed: string, isFound: boolean) {
  const [entered, setEntered] = useState("");
  useEffect(() => {
    if (entered === "" || !isFound) return;
    setEntered("");
    if (entered === typed) place.current?.querySelector<HTMLElement>("a[data-result]")?.click();
  }, [entered, typed, isFound, place]);
  return (event: KeyboardEvent<HTMLElement>) => {
    if (moveInResults(event, place.current)) setEntered(typed);
  };
}

/** The pages that a search has found, with the passage that has the words. */
function Found(props: {
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
