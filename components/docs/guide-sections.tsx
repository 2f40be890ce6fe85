"use client";

import { type ReactNode, useState } from "react";
import { plural } from "../i18n/fill";
import type { Messages } from "../i18n/messages";
import { useFormat } from "../i18n/provider";
import { SearchInput } from "../ui/field";
import { Fold } from "../ui/fold";
import { type Section, SectionLinks } from "../ui/section-links";

/** The sections of the docs, of which a search leaves those that have its words, with a list of links that follows. */
export function GuideSections(props: {
  text: Pick<Messages["guide"], "onThisPage" | "search" | "found" | "nothingFound">;
  sections: readonly (Section & { body: ReactNode })[];
}) {
  const { text, sections } = props;
  const format = useFormat();
  const [search, setSearch] = useState("");
  const [found, setFound] = useState<ReadonlySet<string> | null>(null);
  const shown = sections.filter(({ id }) => found?.has(id) !== false);
  function find(typed: string) {
    setSearch(typed);
    const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
    const hasWords = ({ id }: Section) => {
      const content = document.getElementById(id)?.textContent.toLowerCase() ?? "";
      return words.every((word) => content.includes(word));
    };
    setFound(words.length === 0 ? null : new Set(sections.filter(hasWords).map(({ id }) => id)));
  }
  return (
    <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_200px]">
      <div className="grid min-w-0 content-start gap-8">
        <div className="grid gap-2">
          <SearchInput className="sm:w-80" label={text.search} value={search} onChange={find} />
          <p role="status" className="text-sm text-muted empty:hidden">
            {found !== null &&
              (found.size === 0 ? text.nothingFound : plural(text.found, found.size, format.locale))}
          </p>
          <Fold
            className="rounded-md border lg:hidden"
            heading={text.onThisPage}
            headingClass="min-h-9 px-3 py-2 text-sm font-medium"
          >
            <ul className="grid border-t p-3">
              {shown.map(({ id, title }) => (
                <li key={id}>
                  <a href={`#${id}`} className="flex min-h-9 items-center text-sm text-muted hover:text-fg">
                    {title}
                  </a>
                </li>
              ))}
            </ul>
          </Fold>
        </div>
        {sections.map(({ id, title, body }) => (
          <section
            key={id}
            id={id}
            hidden={found?.has(id) === false}
            aria-labelledby={`${id}-title`}
            className="grid min-w-0 gap-3"
          >
            <h2 id={`${id}-title`} className="text-xl font-semibold">
              {title}
            </h2>
            {body}
          </section>
        ))}
      </div>
      <SectionLinks sections={shown} label={text.onThisPage} />
    </div>
  );
}
