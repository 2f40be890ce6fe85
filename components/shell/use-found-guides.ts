"use client";

import { BookOpen } from "lucide-react";
import { useShell } from "../api/shell-facts";
import { useLanguage } from "../i18n/provider";
import { type DocsPage, searchDocs } from "../search/search-docs";
import { useDocsPages } from "../search/use-docs-pages";
import { useOpenPage } from "./offline";
import type { Command } from "./use-commands";

/** A shorter text finds pages and records only; two Chinese characters are a word. */
const WORTH_ASKING = /\p{Script=Han}{2}|.{3}/u;
const MOST = 4;

/**
 * The pages of the docs that have every typed word, the best match first: those that have them in their title, and the
 * `others` as well.
 */
export function useFoundGuides(typed: string, others: boolean): { guides: Command[]; searching: boolean } {
  const { locale } = useLanguage();
  const open = useOpenPage();
  const { admin } = useShell();
  const text = typed.trim();
  const asked = WORTH_ASKING.test(text) ? text : "";
  const { pages, failed } = useDocsPages(locale, asked);
  const words = asked.toLowerCase().split(/\s+/);
  const isNamed = ({ title, note }: DocsPage) =>
    words.every((word) => `${title} ${note}`.toLowerCase().includes(word));
  const guides = searchDocs(pages ?? [], asked)
    .filter(({ page }) => (others || isNamed(page)) && (admin || !page.note.includes("/api/admin/")))
    .slice(0, MOST)
    .map(({ page: { href, title, note } }) => ({
      id: `guide${href.replaceAll("/", "-")}`,
      label: title,
      keywords: "",
      note,
      icon: BookOpen,
      run: () => open(href),
    }));
  return { guides, searching: asked !== "" && pages === null && !failed };
}
