import { compareCodes } from "@/lib/shared/collate";
import { inLanguage } from "../announcements/hidden-notices";
import type { PublicUptime } from "../api/types";
import type { Locale } from "../i18n/locale";
import type { Messages } from "../i18n/messages";

interface FeedWords {
  publicUrl: string;
  locale: Locale;
  author: string;
  title: string;
  states: Messages["models"]["uptime"]["states"];
}

interface Entry {
  id: string;
  title: string;
  updated: string;
  text: string;
}

/** Public announcements and incidents, the latest first, as an Atom feed. See RFC 4287. */
export function statusFeed(status: PublicUptime, words: FeedWords): string {
  const page = `${words.publicUrl}/status`;
  const entries = [...announced(status, page, words.locale), ...incidents(status, page, words)].sort((a, b) =>
    compareCodes(b.updated, a.updated),
  );
  return [
    `<?xml version="1.0" encoding="utf-8"?>`,
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${words.locale}">`,
    `<title>${escaped(words.title)}</title><author><name>${escaped(words.author)}</name></author><id>${escaped(page)}</id>`,
    `<link href="${escaped(page)}"/><link rel="self" href="${escaped(page)}/feed"/>`,
    `<updated>${entries[0]?.updated ?? status.at}</updated>`,
    ...entries.map((entry) => entryText(entry, page)),
    "</feed>\n",
  ].join("\n");
}

function announced(status: PublicUptime, page: string, locale: Locale): Entry[] {
  const all = [...status.planned, ...status.notices, ...status.announcements];
  const byId = new Map(all.map((one) => [one.id, inLanguage(one, locale)]));
  return [...byId.values()].map((one) => ({
    id: `${page}#announcement-${one.id}`,
    title: one.title,
    updated: one.updatedAt,
    text: [`${one.from}${one.until === null ? "" : ` – ${one.until}`}`, one.text].join("\n\n"),
  }));
}

function incidents(status: PublicUptime, page: string, { states }: FeedWords): Entry[] {
  return status.incidents.map(({ from, until, over, models, state }) => ({
    id: `${page}#incident-${over}-${from}`,
    title: `${models.map(({ id }) => id).join(", ")}: ${states[state]}`,
    updated: until ?? from,
    text: `${from} – ${until ?? "…"}\n\n${models.map(({ id, state: own }) => `${id}: ${states[own]}`).join("\n")}`,
  }));
}

function entryText({ id, title, updated, text }: Entry, page: string): string {
  return [
    `<entry><id>${escaped(id)}</id><title>${escaped(title)}</title><updated>${updated}</updated>`,
    `<link href="${escaped(page)}"/><content type="text">${escaped(text)}</content></entry>`,
  ].join("");
}

/** Text as XML text and attribute values; characters that XML has no place for are left out. */
function escaped(text: string): string {
  const names: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "")
    .replace(/[&<>"]/g, (character) => names[character] ?? character);
}
