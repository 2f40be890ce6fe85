"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { parseAsInteger, parseAsString, type UseQueryStatesKeysMap, useQueryStates, type Values } from "nuqs";
import { useState } from "react";
import { focusMain } from "../ui/focus-main";
import { previousPage, rememberPreviousPage } from "./cursor-history";

type Parsers = UseQueryStatesKeysMap;
type NameOf<P extends Parsers> = keyof P & string;
type Change<P extends Parsers> = Partial<{ [N in keyof P]: Values<P>[N] | null }>;

/** The filters of a list and the page of it that is shown; both stand in the URL, so that a view can be shared. */
export interface ListState<P extends Parsers = Parsers> {
  /** The filters; null where one is not set. */
  url: Values<P>;
  page: number;
  cursor: string | null;
  /** Whether any filter is set. */
  filtered: boolean;
  /** Changes filters and goes to the first page. */
  set(change: Change<P>, history?: "push" | "replace"): void;
  clear(): void;
  /** A filter as it stands in the URL; empty where it is not set. */
  textOf(name: NameOf<P>): string;
  /** As `set`, with what the URL gets; a text that a filter's parser refuses clears that filter. */
  setTexts(texts: Partial<Record<NameOf<P>, string>>, history?: "push" | "replace"): void;
  goToPage(page: number): void;
  goToOlder(cursor: string): void;
  goToNewer(): void;
}

const positionParsers = { page: parseAsInteger, cursor: parseAsString };
const firstPage = { page: null, cursor: null };

/** The filters of one list, read by these parsers (without defaults: null is "not set"), and its position. */
export function useListState<P extends Parsers>(parsers: P): ListState<P> {
  const [url, setUrl] = useQueryStates(parsers);
  const [position, setPosition] = useQueryStates(positionParsers);
  function set(change: Change<P>, history: "push" | "replace" = "push") {
    void setPosition(firstPage, { history });
    // The names and values are those of the parsers; the library's own type of a change hides that from the compiler.
    void setUrl(change as Parameters<typeof setUrl>[0], { history });
  }
  function setAll(read: (name: NameOf<P>) => unknown, names: string[], history?: "push" | "replace") {
    // Each value was read by the parser of its own name.
    set(Object.fromEntries(names.map((name) => [name, read(name)])) as Change<P>, history);
  }
  return {
    url,
    page: position.page ?? 1,
    cursor: position.cursor,
    filtered: Object.values(url).some((value) => value !== null),
    set,
    clear: () => {
      setAll(() => null, Object.keys(parsers));
      focusMain(); // what was pressed goes away
    },
    textOf: (name) => {
      const value: unknown = url[name];
      return value === null ? "" : textParser(parsers, name).serialize(value);
    },
    setTexts: (texts, history) =>
      setAll(
        (name) => (texts[name] ? textParser(parsers, name).parse(texts[name]) : null),
        Object.keys(texts),
        history,
      ),
    goToPage: (page) =>
      void setPosition({ page: page === 1 ? null : page }, { history: "push", scroll: true }),
    goToOlder: (cursor) => {
      if (cursor === position.cursor) return; // pressed again before its page came
      rememberPreviousPage(cursor, position.cursor);
      void setPosition({ cursor }, { history: "push", scroll: true });
    },
    goToNewer: () => {
      const cursor = position.cursor === null ? null : previousPage(position.cursor);
      void setPosition({ cursor }, { history: "push", scroll: true });
    },
  };
}

/** The address of this view of a list with one record open beside it, which this parameter names. */
export function useHrefOf(parameter: string): (id: string) => string {
  const path = usePathname();
  const search = useSearchParams();
  return (id) => {
    const query = new URLSearchParams(search);
    query.set(parameter, id);
    return `${path}?${query}`;
  };
}

/** The pages of a list inside another page, whose URL they do not belong to; it has no filters. */
export function useLocalPages() {
  const [page, goToPage] = useState(1);
  const nothing = () => {};
  return {
    page,
    goToPage,
    cursor: null,
    goToOlder: nothing,
    goToNewer: nothing,
    filtered: false,
    clear: nothing,
    textOf: () => "",
    setTexts: nothing,
  };
}

interface TextParser {
  parse(text: string): unknown;
  serialize(value: unknown): string;
}

/** The parser of one filter, which has one value: none of a list's filters uses the library's parsers of several. */
function textParser<P extends Parsers>(parsers: P, name: NameOf<P>): TextParser {
  return parsers[name] as TextParser; // as said above
}
