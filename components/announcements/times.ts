import type { UserAnnouncement } from "../api/types";
import { fill } from "../i18n/fill";
import type { Format } from "../i18n/format";
import type { Messages } from "../i18n/messages";

/** When an announcement holds, in words. */
export function timesOf(
  { from, until }: Pick<UserAnnouncement, "from" | "until">,
  words: Messages["shell"]["notices"],
  format: Format,
): string {
  const times = { from: format.minute(from), until: until === null ? "" : format.minute(until) };
  return fill(until === null ? words.since : words.during, times);
}
