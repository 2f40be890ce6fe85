import { toScaled } from "@/lib/shared/decimal";
import type { Stats } from "../api/types";
import { OTHER_ID, partsBesideTotal, type StackedData } from "../charts/chart-model";
import type { ChartWords } from "../charts/chart-words";
import { fill } from "../i18n/fill";
import type { Format } from "../i18n/format";
import type { Messages } from "../i18n/messages";

/** The summary of a stacked chart in one sentence. */
export function stackedSentence(
  data: StackedData,
  metric: keyof Messages["usage"]["sentences"] & keyof Messages["usage"]["shortSentences"],
  stats: Stats,
  words: ChartWords,
  text: Messages["usage"],
  format: Format,
  period: string,
): string {
  const [first] = data.buckets;
  if (first === undefined) return "";
  const peak = data.buckets.reduce(
    (best, bucket) => (toScaled(bucket.total) > toScaled(best.total) ? bucket : best),
    first,
  );
  // What is left over is no name to look at, however large it is.
  const named = data.series.filter(({ id }) => id !== OTHER_ID);
  const main = named.reduce((best, one) => (one.share > best.share ? one : best), named[0] ?? noSeries);
  const day = new Intl.DateTimeFormat(format.locale, {
    month: "short",
    day: "numeric",
    timeZone: stats.timezone,
  });
  function whenWas(): string {
    const on = { day: day.format(peak.startMs), hour: words.label(peak.startMs) };
    if (stats.bucket === "day") return fill(text.onDay, on);
    // A day from now on back has one hour twice.
    const isTwice = data.buckets.filter(({ startMs }) => words.label(startMs) === on.hour).length > 1;
    return fill(isTwice ? text.onDayAtHour : text.atHour, on);
  }
  const sentences =
    partsBesideTotal(data.series, text.total).length > 0 ? text.sentences : text.shortSentences;
  return fill(sentences[metric], {
    total: words.value(data.total),
    period,
    peak: words.value(peak.total),
    when: whenWas(),
    name: main.name,
    share: format.percent(main.share),
  });
}

const noSeries = { id: "", name: "", color: "", total: "0", share: 0 };

/** The summary of the latency chart in one sentence. */
export function latencySentence(
  stats: Stats,
  text: Messages["usage"],
  format: Format,
  period: string,
): string {
  return fill(text.sentences.latency, {
    period,
    p50: format.duration(stats.totals.p50Ms),
    p95: format.duration(stats.totals.p95Ms),
  });
}
