"use client";

import { useEffect, useState } from "react";
import type { Locale } from "../i18n/locale";
import type { DocsPage } from "./search-docs";

/** What the search looks into, by language, for as long as the tab is open. */
const loaded = new Map<Locale, Promise<DocsPage[]>>();

/** What the search looks into, loaded at the first typed letter; a failed load is tried again with the next one. */
export function useDocsPages(locale: Locale, typed: string): { pages: DocsPage[] | null; failed: boolean } {
  const [pages, setPages] = useState<DocsPage[] | null>(null);
  const [failed, setFailed] = useState(false);
  const missing = typed !== "" && pages === null ? typed : null;
  useEffect(() => {
    if (missing === null) return;
    let wanted = true;
    const loading = loaded.get(locale) ?? load();
    loaded.set(locale, loading);
    loading.then(
      (answer) => {
        if (wanted) setPages(answer);
      },
      () => {
        loaded.delete(locale);
        if (wanted) setFailed(true);
      },
    );
    return () => {
      wanted = false;
    };
  }, [locale, missing]);
  return { pages, failed: failed && pages === null };
}

async function load(): Promise<DocsPage[]> {
  const answer = await fetch("/docs/search");
  if (!answer.ok) throw new Error(`The search answered ${answer.status}`);
  return (await answer.json()) as DocsPage[]; // the route writes them
}
