import { DAY_MS } from "@/lib/kernel/durations";
import { ratio } from "@/lib/shared/decimal";
import type { Profile, Stats } from "../api/types";
import { plural } from "../i18n/fill";
import type { Locale } from "../i18n/locale";
import type { Messages } from "../i18n/messages";

const LONG_DAYS = 365;

/**
 * For how many days a balance lasts when each of them costs as much as a day of the statistics; null when nothing was
 * spent. An account that is younger than the statistics spent it in its own days, of which there is at least one.
 */
export function daysLeft(
  remaining: string,
  stats: Pick<Stats, "from" | "to" | "totals">,
  self: Pick<Profile, "createdAt">,
): number | null {
  const from = Math.max(Date.parse(stats.from), Date.parse(self.createdAt));
  const days = Math.max(1, (Date.parse(stats.to) - from) / DAY_MS);
  if (ratio(stats.totals.cost, 1) === 0) return null;
  return Math.max(0, ratio(remaining, stats.totals.cost) * days);
}

/** The days that a balance lasts, in words. */
export function daysLeftText(days: number | null, text: Messages["overview"], locale: Locale): string {
  if (days === null) return text.nothingSpent;
  if (days === 0) return text.noneLeft;
  if (days < 1) return text.underDay;
  return days > LONG_DAYS ? text.longLeft : plural(text.daysLeft, Math.round(days), locale);
}
