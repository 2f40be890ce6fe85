import { DAY_MS, HOUR_MS } from "@/lib/kernel/clock";
import { type Announcement, inLanguage } from "../announcements/hidden-notices";
import { LinkedText } from "../announcements/linked-text";
import type { Uptime } from "../api/types";
import { fill, plural } from "../i18n/fill";
import type { Locale } from "../i18n/locale";
import type { Messages } from "../i18n/messages";
import { cn } from "../ui/cn";
import { Status, type StatusTone } from "../ui/status";

type Text = Messages["models"]["uptime"];
type State = Uptime["models"][number]["state"];

/** How well one model answers. */
export type ModelUptime = Uptime["models"][number];

const tones: Record<State, StatusTone> = {
  operational: "normal",
  degraded: "warning",
  down: "danger",
  few: "off",
  idle: "off",
};

/** Height and colour say the same. */
const looks: Record<State, string> = {
  operational: "h-full bg-success",
  degraded: "h-3/4 bg-warning",
  down: "h-2/5 bg-danger",
  few: "h-full border border-control",
  idle: "h-full bg-line",
};

const MOST_LOWEST = 3;

/** The state of a model in a word, with the time that it is of; where there is little room only in the tooltip. */
export function UptimeStatus(props: {
  model: Pick<ModelUptime, "state" | "stateOver">;
  text: Text;
  brief?: boolean;
}) {
  const { model, text } = props;
  const word = text.states[model.state];
  const state = fill(text.stateOver[model.stateOver], { state: word });
  if (props.brief !== true) return <Status tone={tones[model.state]}>{state}</Status>;
  return (
    <Status tone={tones[model.state]}>
      <span title={state}>{word}</span>
    </Status>
  );
}

/** A share with two decimals; 100% and 0% are whole, because the API keeps them for what has no exception. */
export function shareText(share: number, locale: Locale): string {
  const digits = share === 1 || share === 0 ? 0 : 2;
  return new Intl.NumberFormat(locale, {
    style: "percent",
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(share);
}

/** Shares, and a bar for each hour or day of the period; it needs no script. */
export function UptimeView(props: { uptime: Uptime; model: ModelUptime; text: Text; locale: Locale }) {
  const { uptime, model, text, locale } = props;
  const { bucket, period } = uptime;
  const answered = (share: number | null) =>
    share === null ? text.nothing : fill(text.answered, { share: shareText(share, locale) });
  const bars = barsOf(props, answered);
  const countOf = (state: State) => bars.filter((bar) => bar.state === state).length;
  const recorded = bars.length - countOf("idle");
  const some = recorded > 0 && recorded < bars.length;
  const coverage = some ? [fill(text.recorded[bucket], { count: recorded, of: bars.length })] : [];
  const troubles = (["degraded", "down"] as const)
    .filter((state) => countOf(state) > 0)
    .map((state) => plural(text.troubles[bucket][state], countOf(state), locale));
  const lowest = bars
    .flatMap(({ date, share }) => (share === null || share === 1 ? [] : [{ date, share }]))
    .sort((a, b) => a.share - b.share)
    .slice(0, MOST_LOWEST)
    .map(({ date, share }) => `${date} ${shareText(share, locale)}`);
  const share = [answered(model.share), ...coverage, ...troubles].join(text.gap);
  const nameOf = (of: Uptime["period"]) => periodName(uptime, of, text, locale);
  const sentence = fill(text.sentence, { model: model.id, period: nameOf(period), share });
  return (
    <div className="grid min-w-0 gap-2 text-sm">
      <dl className="tabular flex flex-wrap gap-x-6 gap-y-1">
        {period !== "24h" && <Share name={nameOf("24h")} value={answered(model.lastDay)} />}
        <Share name={nameOf(period)} value={share} />
      </dl>
      <div role="img" aria-label={sentence} className="flex h-8 items-end gap-px">
        {bars.map(({ start, label, state }) => (
          <span
            key={start}
            title={label}
            className={cn("badge min-w-0 flex-1 rounded-[1px]", looks[state])}
          />
        ))}
      </div>
      <p className="flex justify-between gap-4 text-xs text-muted">
        <span>{bars[0]?.date}</span>
        <span>{text.now[bucket]}</span>
      </p>
      {lowest.length > 0 && (
        <p className="tabular text-xs text-muted">
          {fill(text.lowest[bucket], { list: lowest.join(" · ") })}
        </p>
      )}
    </div>
  );
}

const daysOf = { "24h": 1, "7d": 7, "30d": 30, "90d": 90 } as const;

/** The first day of a period that begins before anything is known; null for one that is covered. */
function sinceDay(uptime: Uptime, period: Uptime["period"], locale: Locale): string | null {
  const days = Math.ceil((Date.parse(uptime.at) - Date.parse(uptime.since)) / DAY_MS);
  return days >= daysOf[period] ? null : momentFormat(uptime, locale, false).format(new Date(uptime.since));
}

/** What the time of a period is called: the last days, or all since the first one. */
export function periodName(
  uptime: Uptime,
  period: Uptime["period"],
  text: Pick<Text, "last" | "since" | "periods">,
  locale: Locale,
): string {
  const date = sinceDay(uptime, period, locale);
  return date === null ? fill(text.last, { period: text.periods[period] }) : fill(text.since, { date });
}

/** The hours or days of the period, with what each bar says. */
function barsOf(
  { uptime, model, text, locale }: Parameters<typeof UptimeView>[0],
  answered: (share: number | null) => string,
) {
  const format = momentFormat(uptime, locale, uptime.bucket === "hour");
  return model.buckets.map(({ state, share }, index) => {
    const start = uptime.starts[index] ?? uptime.at;
    const date = format.format(new Date(start));
    const words = { date, state: text.states[state], share: answered(share) };
    return { start, date, share, state, label: fill(share === null ? text.noBar : text.bar, words) };
  });
}

/** Days, or moments, in the time zone that the days are of. */
function momentFormat({ timezone }: Uptime, locale: Locale, withTime: boolean): Intl.DateTimeFormat {
  const time = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  return new Intl.DateTimeFormat(locale, {
    month: "short",
    day: "numeric",
    timeZone: timezone,
    ...(withTime && time),
  });
}

/** What the colours and heights of the bars mean, with the shares and the numbers from which on they do. */
export function UptimeLegend(props: { uptime: Uptime; text: Text; locale: Locale }) {
  const { uptime, text, locale } = props;
  const bound = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 2 });
  const [degraded, down] = [bound.format(uptime.degradedBelow), bound.format(uptime.downBelow)];
  const meanings: Record<State, string> = {
    operational: fill(text.legend.operational, { share: degraded }),
    degraded: fill(text.legend.degraded, { from: down, below: degraded }),
    down: fill(text.legend.down, { share: down }),
    few: text.legend.few,
    idle: text.legend.idle,
  };
  return (
    <div className="grid gap-1 text-xs text-muted">
      <ul className="flex flex-wrap gap-x-4 gap-y-1">
        {(["operational", "degraded", "down", "few", "idle"] as const).map((state) => (
          <li key={state} className="flex items-center gap-2">
            <span aria-hidden className="flex h-4 w-1.5 shrink-0 items-end">
              <span className={cn("badge w-full rounded-[1px]", looks[state])} />
            </span>
            {meanings[state]}
          </li>
        ))}
      </ul>
      <p className="prose-width">
        {fill(text.legend.least, { requests: uptime.leastRequests, failures: uptime.leastFailures })}
      </p>
    </div>
  );
}

interface IncidentsProps {
  uptime: Uptime;
  /** What was announced to everybody, beside the incidents of its time. */
  announcements: readonly Announcement[];
  text: Text;
  locale: Locale;
}

/** The times in which models were degraded or down, the latest first. */
export function UptimeIncidents(props: IncidentsProps) {
  const { uptime, text, locale } = props;
  const words = text.incidents;
  const span = periodName(uptime, uptime.period, { ...text, ...text.spans }, locale);
  const { incidents, incidentCount } = uptime;
  return (
    <section className="grid gap-3">
      <div>
        <h2 className="text-lg font-semibold">{words.title}</h2>
        <p className="text-sm text-muted">
          {incidentCount === 0
            ? fill(words.none, { span })
            : plural(words.some, incidentCount, locale, { span })}
          {incidentCount > incidents.length && fill(words.latest, { count: incidents.length })}
        </p>
      </div>
      {incidents.length > 0 && (
        <ol className="divide-y rounded-lg border">
          {incidents.map((incident) => (
            <Incident key={`${incident.over} ${incident.from}`} {...props} incident={incident} />
          ))}
        </ol>
      )}
    </section>
  );
}

function Incident(props: IncidentsProps & { incident: Uptime["incidents"][number] }) {
  const { uptime, incident, text, locale } = props;
  const words = text.incidents;
  const format = momentFormat(uptime, locale, incident.over === "hours");
  const from = new Date(incident.from);
  const until = incident.until === null ? null : new Date(incident.until);
  const range = () => {
    if (incident.over === "day") return format.format(from);
    return until === null
      ? fill(words.since, { time: format.format(from) })
      : format.formatRange(from, until);
  };
  const length = () => {
    if (incident.over === "day") return words.wholeDay;
    return until === null ? words.ongoing : lengthText(until.getTime() - from.getTime(), locale);
  };
  return (
    <li className="grid gap-x-6 gap-y-2 p-4 text-sm sm:grid-cols-[15rem_minmax(0,1fr)]">
      <p className="tabular">
        {range()}
        <span className="block text-xs text-muted">{length()}</span>
      </p>
      <ul className="grid content-start gap-1">
        {incident.models.map(({ id, state, share }) => (
          <li key={id} className="flex flex-wrap items-baseline gap-x-3">
            <span className="font-medium break-all">{id}</span>
            <Status tone={tones[state]}>
              {fill(words.model, {
                state: text.states[state],
                share: fill(text.answered, { share: shareText(share, locale) }),
              })}
            </Status>
          </li>
        ))}
        {props.announcements
          .filter((one) => isOverlapping(one, incident))
          .map((one) => inLanguage(one, locale))
          .map(({ id, title, text }) => (
            <li key={id} className="prose-width wrap-anywhere">
              <strong className="font-medium">{title}</strong>
              {text !== "" && (
                <>
                  {" · "}
                  <LinkedText text={text} />
                </>
              )}
            </li>
          ))}
      </ul>
    </li>
  );
}

type Span = Pick<Announcement, "from" | "until">;

function isOverlapping(one: Span, other: Span): boolean {
  return (other.until === null || one.from < other.until) && (one.until === null || other.from < one.until);
}

/** A number of hours, in days from two of them on. */
function lengthText(ms: number, locale: Locale): string {
  const hours = Math.round(ms / HOUR_MS);
  const days = hours < 48 ? 0 : Math.floor(hours / 24);
  const unit = (count: number, name: "day" | "hour") =>
    new Intl.NumberFormat(locale, { style: "unit", unit: name, unitDisplay: "long" }).format(count);
  const rest = hours - days * 24;
  return [...(days === 0 ? [] : [unit(days, "day")]), ...(rest === 0 ? [] : [unit(rest, "hour")])].join(" ");
}

function Share(props: { name: string; value: string }) {
  return (
    <div className="flex gap-2">
      <dt className="shrink-0 text-muted">{props.name}</dt>
      <dd>{props.value}</dd>
    </div>
  );
}
