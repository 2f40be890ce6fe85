import type { Bootstrap } from "../api/types";
import type { Locale } from "../i18n/locale";

/** An announcement as every page shows it. */
export type Announcement = Bootstrap["announcements"][number];

/** An announcement with the words for readers of a language; what has none is told as it was written first. */
export function inLanguage<One extends Pick<Announcement, "title" | "text" | "titleZh" | "textZh">>(
  announcement: One,
  locale: Locale,
): One {
  if (locale !== "zh-CN") return announcement;
  const { title, text, titleZh, textZh } = announcement;
  return { ...announcement, title: titleZh || title, text: textZh || text };
}

/** A cookie keeps this many. */
const MAX_HIDDEN = 20;

/** The mark of an announcement in its present form: after a change it is shown again. */
export function noticeMark({ id, updatedAt }: Pick<Announcement, "id" | "updatedAt">): string {
  return `${id.slice(0, 8)}-${Date.parse(updatedAt).toString(36)}`;
}

/** The marks in a cookie's value. */
export function readHiddenNotices(value: string | undefined): string[] {
  const marks = (value ?? "").split(".").filter((mark) => /^[0-9a-f]{8}-[0-9a-z]{1,10}$/.test(mark));
  return marks.slice(-MAX_HIDDEN);
}

/** The cookie's value for marks; the oldest are forgotten. */
export function writeHiddenNotices(marks: readonly string[]): string {
  return marks.slice(-MAX_HIDDEN).join(".");
}

/** The announcement that is shown: of those that are not hidden the last warning, else the last one, else a planned one. */
export function noticeToShow<One extends Announcement & { planned?: boolean }>(
  announcements: readonly One[],
  hidden: readonly string[],
): One | null {
  const left = announcements.filter((one) => !hidden.includes(noticeMark(one)));
  const current = left.filter(({ planned }) => planned !== true);
  return current.find(({ tone }) => tone === "warning") ?? current[0] ?? left[0] ?? null;
}
