import type { UserAnnouncement } from "../api/types";
import { fill } from "../i18n/fill";
import type { Format } from "../i18n/format";

/** When an announcement holds, in words, with what its times differ from UTC. */
export function timesOf(
  { from, until }: Pick<UserAnnouncement, "from" | "until">,
  words: { since: string; during: string },
  format: Format,
): string {
  const times =
    until === null
      ? fill(words.since, { from: format.minute(from) })
      : fill(words.during, { from: format.minute(from), until: format.minute(until) });
  return `${times} ${format.offset(until ?? from)}`;
}
