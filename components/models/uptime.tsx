import { DAY_MS } from "@/lib/kernel/durations";
import type { Uptime } from "../api/types";
import { fill, plural } from "../i18n/fill";
import type { Locale } from "../i18n/locale";
import type { Messages } from "../i18n/messages";
import { cn } from "../ui/cn";
import { Link } from "../ui/link";
import { Status, type StatusTone } from "../ui/status";
import { rowNameClass } from "../ui/table";
import { UptimeBars } from "./uptime-bars";

type Text = Messages["models"]["uptime"];
type State = Uptime["models"][number]["state"];

/** How well one model answers. */
export type ModelUptime = Uptime["models"][number];

export const uptimeTones: Record<State, StatusTone> = {
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
  const isKnown = model.state !== "few" && model.state !== "idle";
  if (props.brief !== true) return <Status tone={uptimeTones[model.state]}>{state}</Status>;
  return (
    <Status tone={uptimeTones[model.state]}>
      <span title={state}>{isKnown ? fill(text.stateNow[model.stateOver], { state: word }) : word}</span>
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

interface ViewProps {
  uptime: Uptime;
  model: ModelUptime;
  text: Text;
  locale: Locale;
}

/** A model's name, which leads to its prices and code. */
export function ModelLink({ id }: { id: string }) {
  return (
    <Link href={`/models?model=${encodeURIComponent(id)}`} className={cn(rowNameClass, "break-all")}>
      {id}
    </Link>
  );
}

/** One model of a list in one line, on a narrow page in two: its state, its share of the period, and the bars. */
export function UptimeRow(props: ViewProps) {
  const { uptime, model, text, locale } = props;
  const { bars, sentence } = wordsOf(props);
  const names = { ...text, last: text.within, since: text.spans.since };
  const span = periodName(uptime, uptime.period, names, locale);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-4 py-2 text-sm lg:flex-nowrap">
      <h2 className="min-w-0 flex-1 lg:w-56 lg:flex-none">
        <ModelLink id={model.id} />
      </h2>
      <span className="shrink-0 lg:w-36">
        <UptimeStatus brief model={model} text={text} />
      </span>
      <span className="tabular shrink-0 text-right lg:order-1 lg:w-36">
        {model.share === null ? (
          "–"
        ) : (
          <>
            {shareText(model.share, locale)} <span className="text-muted max-lg:hidden">{span}</span>
          </>
        )}
      </span>
      <Bars bars={bars} sentence={sentence} className="h-5 basis-full lg:flex-1 lg:basis-0" />
    </li>
  );
}

/** One model with its shares, a bar for each hour or day of the period, and the lowest of them. */
export function UptimeView(props: ViewProps) {
  const { uptime, model, text, locale } = props;
  const { bucket, period } = uptime;
  const { bars, share, answered, sentence } = wordsOf(props);
  const lowest = bars
    .flatMap(({ date, share }) => (share === null || share === 1 ? [] : [{ date, share }]))
    .sort((a, b) => a.share - b.share)
    .slice(0, MOST_LOWEST)
    .map(({ date, share }) => `${date} ${shareText(share, locale)}`);
  const nameOf = (of: Uptime["period"]) => periodName(uptime, of, text, locale);
  return (
    <div className="grid min-w-0 gap-2 text-sm">
      <dl className="tabular flex flex-wrap gap-x-6 gap-y-1">
        {period !== "24h" && <Share name={nameOf("24h")} value={answered(model.lastDay)} />}
        <Share name={nameOf(period)} value={share} />
      </dl>
      <Bars bars={bars} sentence={sentence} className="h-8" />
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

/** The hours or days of the period; the sentence says the same. */
function Bars(props: { bars: ReturnType<typeof barsOf>; sentence: string; className: string }) {
  return (
    <UptimeBars sentence={props.sentence} className={props.className}>
      {props.bars.map(({ start, label, state }) => (
        <span key={start} data-label={label} className={cn("badge rounded-[1px]", looks[state])} />
      ))}
    </UptimeBars>
  );
}

/** The bars of a model with what they say in words. */
function wordsOf(props: ViewProps) {
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
  const share = [answered(model.share), ...coverage, ...troubles].join(text.gap);
  const name = periodName(uptime, period, text, locale);
  return { bars, answered, share, sentence: fill(text.sentence, { model: model.id, period: name, share }) };
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
function barsOf({ uptime, model, text, locale }: ViewProps, answered: (share: number | null) => string) {
  const format = momentFormat(uptime, locale, uptime.bucket === "hour");
  return model.buckets.map(({ state, share }, index) => {
    const start = uptime.starts[index] ?? uptime.at;
    const date = format.format(new Date(start));
    const words = { date, state: text.states[state], share: answered(share) };
    return { start, date, share, state, label: fill(share === null ? text.noBar : text.bar, words) };
  });
}

/** Days, or moments, in the time zone that the days are of. */
export function momentFormat({ timezone }: Uptime, locale: Locale, withTime: boolean): Intl.DateTimeFormat {
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

function Share(props: { name: string; value: string }) {
  return (
    <div className="flex gap-2">
      <dt className="shrink-0 text-muted">{props.name}</dt>
      <dd>{props.value}</dd>
    </div>
  );
}
