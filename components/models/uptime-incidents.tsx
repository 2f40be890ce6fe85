import { HOUR_MS } from "@/lib/kernel/durations";
import { type Announcement, inLanguage } from "../announcements/hidden-notices";
import { NoticeText } from "../announcements/notice-text";
import type { Uptime } from "../api/types";
import { fill, plural } from "../i18n/fill";
import { rangeText } from "../i18n/format";
import type { Locale } from "../i18n/locale";
import type { Messages } from "../i18n/messages";
import { Status } from "../ui/status";
import { ModelLink, momentFormat, periodName, shareText, uptimeTones } from "./uptime";

interface IncidentsProps {
  uptime: Uptime;
  /** What was announced to everybody, beside the incidents of its time. */
  announcements: readonly Announcement[];
  text: Messages["models"]["uptime"];
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
  const { incident, text, locale } = props;
  const words = text.incidents;
  const { range, length } = timeWords(incident, props);
  return (
    <li className="grid gap-x-6 gap-y-2 p-4 text-sm sm:grid-cols-[15rem_minmax(0,1fr)]">
      <p className="tabular">
        {range}
        <span className="block text-xs text-muted">{length}</span>
      </p>
      <ul className="grid content-start gap-1">
        {incident.models.map(({ id, state, share, times }) => (
          <li key={id} className="flex flex-wrap items-baseline gap-x-3">
            <ModelLink id={id} />
            {times.length > 0 && (
              <span className="tabular text-xs text-muted">{timesText(times, props)}</span>
            )}
            <Status tone={uptimeTones[state]}>
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
              {text !== "" && <NoticeText text={text} />}
            </li>
          ))}
      </ul>
    </li>
  );
}

type Time = Pick<Uptime["incidents"][number], "from" | "until" | "over">;
type Words = Pick<IncidentsProps, "uptime" | "text" | "locale">;

/** When an incident was, and how long. */
function timeWords(time: Time, props: Words): { range: string; length: string } {
  const { uptime, text, locale } = props;
  const words = text.incidents;
  const format = momentFormat(uptime, locale, time.over === "hours");
  const from = new Date(time.from);
  if (time.over === "day") return { range: format.format(from), length: words.wholeDay };
  if (time.until === null)
    return { range: fill(words.since, { time: format.format(from) }), length: words.ongoing };
  const until = new Date(time.until);
  return {
    range: rangeText(format, from, until, locale),
    length: lengthText(until.getTime() - from.getTime(), locale),
  };
}

/** The hours of a model within a day, or its days within hours. */
function timesText(times: readonly Time[], props: Words): string {
  const all = times.map((time) => {
    const { range, length } = timeWords(time, props);
    return time.over === "day" ? `${range}, ${length}` : range;
  });
  return all.join(" · ");
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
    new Intl.NumberFormat(locale, { style: "unit", unit: name, unitDisplay: "long" })
      .format(count)
      .replace(/(?<=\d)(?=\p{Script=Han})/u, " ");
  const rest = hours - days * 24;
  return [...(days === 0 ? [] : [unit(days, "day")]), ...(rest === 0 ? [] : [unit(rest, "hour")])].join(" ");
}
