import { DAY_MS } from "@/lib/kernel/clock";
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
  idle: "off",
};

/** Height and colour say the same. */
const looks: Record<State, string> = {
  operational: "h-full bg-success",
  degraded: "h-3/4 bg-warning",
  down: "h-2/5 bg-danger",
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

/** A share with two decimals, which the API has rounded down. */
function shareText(share: number, locale: Locale): string {
  const digits = share === 1 ? 0 : 2;
  return new Intl.NumberFormat(locale, {
    style: "percent",
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(share);
}

/** State, shares, and a bar for each of the last 90 days; it needs no script. */
export function UptimeView(props: { uptime: Uptime; model: ModelUptime; text: Text; locale: Locale }) {
  const { uptime, model, text, locale } = props;
  const answered = (share: number | null) =>
    share === null ? text.nothing : fill(text.answered, { share: shareText(share, locale) });
  const day = new Intl.DateTimeFormat(locale, { month: "short", day: "numeric", timeZone: "UTC" });
  const days = model.days.map((share, index) => {
    const date = day.format(Date.parse(uptime.from) + index * DAY_MS);
    const state = stateOf(share, uptime);
    const words = fill(text.day, { date, state: text.states[state], share: answered(share) });
    return { date, share, state, label: share === null ? `${date}: ${text.nothing}` : words };
  });
  const countOf = (state: State) => days.filter((one) => one.state === state).length;
  const recorded = days.filter(({ share }) => share !== null).length;
  const some = recorded > 0 && recorded < days.length;
  const troubles = (["degraded", "down"] as const)
    .filter((state) => countOf(state) > 0)
    .map((state) => plural(text.days[state], countOf(state), locale));
  const lowest = days
    .flatMap(({ date, share }) => (share === null || share === 1 ? [] : [{ date, share }]))
    .sort((a, b) => a.share - b.share)
    .slice(0, MOST_LOWEST)
    .map(({ date, share }) => `${date} ${shareText(share, locale)}`);
  const coverage = some ? [fill(text.recorded, { count: recorded, of: days.length })] : [];
  const share = [answered(model.ninetyDays), ...coverage, ...troubles].join(text.gap);
  const sentence = fill(text.sentence, { model: model.id, share });
  return (
    <div className="grid min-w-0 gap-2 text-sm">
      <dl className="tabular flex flex-wrap gap-x-6 gap-y-1">
        <Share name={text.lastDay} value={answered(model.lastDay)} />
        <Share name={text.ninetyDays} value={share} />
      </dl>
      <div role="img" aria-label={sentence} className="flex h-8 items-end gap-px">
        {days.map(({ date, label, state }) => (
          <span key={date} title={label} className={cn("badge min-w-0 flex-1 rounded-[1px]", looks[state])} />
        ))}
      </div>
      <p className="flex justify-between gap-4 text-xs text-muted">
        <span>{days[0]?.date}</span>
        <span>{text.today}</span>
      </p>
      {lowest.length > 0 && (
        <p className="tabular text-xs text-muted">{fill(text.lowest, { days: lowest.join(" · ") })}</p>
      )}
    </div>
  );
}

/** What the colours and heights of the bars mean, with the shares from which on they do. */
export function UptimeLegend(props: { uptime: Uptime; text: Text; locale: Locale }) {
  const { uptime, text, locale } = props;
  const degraded = shareText(uptime.degradedBelow, locale);
  const down = shareText(uptime.downBelow, locale);
  const meanings: Record<State, string> = {
    operational: fill(text.legend.operational, { share: degraded }),
    degraded: fill(text.legend.degraded, { from: down, below: degraded }),
    down: fill(text.legend.down, { share: down }),
    idle: text.legend.idle,
  };
  return (
    <div className="grid gap-1 text-xs text-muted">
      <ul className="flex flex-wrap gap-x-4 gap-y-1">
        {(["operational", "degraded", "down", "idle"] as const).map((state) => (
          <li key={state} className="flex items-center gap-2">
            <span aria-hidden className="flex h-4 w-1.5 items-end">
              <span className={cn("badge w-full rounded-[1px]", looks[state])} />
            </span>
            {meanings[state]}
          </li>
        ))}
      </ul>
      <p>{text.legend.states}</p>
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

function stateOf(share: number | null, { degradedBelow, downBelow }: Uptime): State {
  if (share === null) return "idle";
  if (share < downBelow) return "down";
  return share < degradedBelow ? "degraded" : "operational";
}
