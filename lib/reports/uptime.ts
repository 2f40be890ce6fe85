import type { Session } from "@/lib/db/database";
import { onlyRow } from "@/lib/db/rows";
import { DAY_MS, HOUR_MS } from "@/lib/kernel/durations";
import { errorCodeOrder, faultCodes } from "@/lib/kernel/errors";
import { addDays, calendarOf } from "./calendar";
import { coveringRollups, momentsOf, momentsText } from "./covering-rollups";
import { type Joined, joinSpans, nestSpans, type Span } from "./joined-sums";
import { floorToGrid, hoursOfLastDay } from "./stats-range";

/** Below this share of answered requests a model counts as degraded, or as down. Source: docs/contract.md#uptime. */
const DEGRADED_BELOW = 0.99;
const DOWN_BELOW = 0.5;

/**
 * An hour or a day is only judged with at least so many requests; it counts as degraded or down with at least so many
 * failures.
 */
const LEAST_REQUESTS = 20;
const LEAST_FAULTS = 2;

/** Shares are rounded to so many parts; only a share without any exception is rounded to all or nothing. */
const PARTS = 10_000;

const daysOf = { "24h": 1, "7d": 7, "30d": 30, "90d": 90 } as const;
const UPTIME_DAYS = daysOf["90d"];
/** Days before the first request are only included to show at least this many days. */
const LEAST_DAYS = 7;
/** Hours in the last 24 hours, the current one included. */
const FULL_HOURS = 24;

/** The time that an answer covers: `24h` in hours, the others in days. */
export type UptimePeriod = keyof typeof daysOf;

/** How well a model answers; `few`: some requests failed, but too few requests or failures to judge. */
type UptimeState = "operational" | "degraded" | "down" | "few" | "idle";

/** The most incidents of one answer, the latest ones. */
const MAX_INCIDENTS = 50;

/**
 * The requests of one model that the gateway had to answer, and those that failed because of the gateway or its nodes.
 */
interface Answers {
  requests: number;
  faults: number;
}

type AnswersRow = Record<keyof Answers, string> & { index: number; model: string };

/** By model, then by the index of the bucket. */
type AnswersByModel = Map<string, Map<number, Answers>>;

/** The answers of a model in a time in which it was degraded or down. Units: milliseconds since 1970. */
interface Trouble extends Answers, Span {
  model: string;
}

const codeAt = (code: (typeof errorCodeOrder)[number]) =>
  `coalesce(sum(error_counts[${errorCodeOrder.indexOf(code) + 1}]), 0)`;
const FAULTS = faultCodes.map(codeAt).join(" + ");
const ANSWERS = `(sum(request_count) - sum(error_count) + ${FAULTS})::text AS requests, (${FAULTS})::text AS faults`;

/**
 * The share of requests that each model has answered: by hour over the last 24 hours, by day over the last 90 days of a
 * time zone, and the hours in which it was degraded or down. Only failures of the gateway or its nodes lower it;
 * refused requests do not count at all. It contains no volumes and no nodes. Source: docs/contract.md#uptime.
 */
export async function readUptime(db: Session, hours: TroubledHours, timeZone: string, now: Date) {
  const calendar = calendarOf(timeZone);
  const at = now.getTime();
  const today = calendar.dateOf(at);
  const dates = Array.from({ length: UPTIME_DAYS }, (_, index) => addDays(today, index + 1 - UPTIME_DAYS));
  const starts = { day: dates.map(calendar.startOf), hour: hoursOfLastDay(at, FULL_HOURS) };
  const [byDay, byHour, lately, oldest, troubled] = await Promise.all([
    sumAnswers(db, starts.day, at),
    sumAnswers(db, starts.hour, at),
    sumAnswers(db, [floorToGrid(at - HOUR_MS)], at),
    db.query<{ at: Date | null }>("SELECT min(bucket) AS at FROM usage_rollups"),
    hours.since(starts.day[0] ?? at, at),
  ]);
  const ends = [...starts.day.slice(1), calendar.startOf(addDays(today, 1))];
  const firstAt = onlyRow(oldest).at?.getTime() ?? at;
  const daysInUse = ends.filter((end) => end > firstAt).length;
  return {
    at,
    timeZone,
    starts,
    daysInUse,
    periods: periodsOf(daysInUse, at - firstAt),
    troubles: { hours: troubled, days: troubledDays(byDay, starts.day, ends, troubled) },
    answersOf: (model: string) => ({
      day: starts.day.map((_, index) => byDay.get(model)?.get(index) ?? addAnswers([])),
      hour: starts.hour.map((_, index) => byHour.get(model)?.get(index) ?? addAnswers([])),
      lately: lately.get(model)?.get(0) ?? addAnswers([]),
    }),
  };
}

/** The uptime of every model that was ever called. */
export type Uptime = Awaited<ReturnType<typeof readUptime>>;

/** The uptime of these models over a period, by default the shortest that has all requests, as the API shows it. */
export function uptimeRecord(uptime: Uptime, aliases: readonly string[], asked?: UptimePeriod) {
  const period = asked ?? uptime.periods.at(-1) ?? "24h";
  const bucket = period === "24h" ? ("hour" as const) : ("day" as const);
  const days = Math.min(daysOf[period], Math.max(LEAST_DAYS, uptime.daysInUse));
  const starts = uptime.starts[bucket].slice(-(bucket === "hour" ? FULL_HOURS : days));
  const since = starts[0] ?? uptime.at;
  const isShown = ({ model, to }: Trouble) => aliases.includes(model) && to > since;
  const incidents = nestSpans(
    joinSpans("hours", uptime.troubles.hours.filter(isShown)),
    joinSpans("day", uptime.troubles.days.filter(isShown)),
  ).sort((a, b) => b.from - a.from);
  return {
    at: isoOf(uptime.at),
    timezone: uptime.timeZone,
    period,
    periods: uptime.periods,
    since: isoOf(uptime.starts.day.at(-Math.max(LEAST_DAYS, uptime.daysInUse)) ?? uptime.at),
    bucket,
    starts: starts.map(isoOf),
    degradedBelow: DEGRADED_BELOW,
    downBelow: DOWN_BELOW,
    leastRequests: LEAST_REQUESTS,
    leastFailures: LEAST_FAULTS,
    models: aliases.map((id) => modelRecord(uptime, id, bucket, starts.length)),
    incidents: incidents.slice(0, MAX_INCIDENTS).map((one) => incidentRecord(one, uptime.at)),
    incidentCount: incidents.length,
  };
}

function modelRecord({ answersOf }: Uptime, id: string, bucket: "hour" | "day", count: number) {
  const found = answersOf(id);
  const lastDay = addAnswers(found.hour);
  const isJudged = found.lately.requests >= LEAST_REQUESTS;
  const buckets = found[bucket].slice(-count);
  return {
    id,
    state: stateOf(isJudged ? found.lately : lastDay),
    stateOver: isJudged ? ("hour" as const) : ("day" as const),
    lastDay: shareOf(lastDay),
    share: bucket === "hour" ? shareOf(lastDay) : shareOf(addAnswers(buckets)),
    buckets: buckets.map((answers) => ({ state: stateOf(answers), share: shareOf(answers) })),
  };
}

/** The periods up to the shortest one that reaches back to the first request. */
function periodsOf(daysInUse: number, ageMs: number): UptimePeriod[] {
  const periods = Object.keys(daysOf) as UptimePeriod[]; // the keys of this constant
  const enough = periods.findIndex((period) =>
    period === "24h" ? ageMs <= DAY_MS : daysInUse <= daysOf[period],
  );
  return enough === -1 ? periods : periods.slice(0, enough + 1);
}

function incidentRecord({ over, from, to, parts, within }: Joined<Trouble>, at: number) {
  const untilOf = (end: number) => (end > at ? null : isoOf(end));
  const all = [...parts, ...within.flatMap((one) => one.parts)];
  const models = [...new Set(all.map(({ model }) => model))].map((id) => ({
    id,
    ...worstOf(all.filter(({ model }) => model === id)),
    times: within
      .filter((one) => one.parts.some(({ model }) => model === id))
      .map((one) => ({ from: isoOf(one.from), until: untilOf(one.to), over: one.over })),
  }));
  models.sort((a, b) => a.share - b.share);
  const state = models.find((model) => model.state === "down")?.state ?? ("degraded" as const);
  return { from: isoOf(from), until: untilOf(to), over, state, models };
}

/** The worst state of a model in an incident, and its share over its own parts of the incident. */
function worstOf(parts: readonly Trouble[]) {
  const isDown = parts.some((part) => stateOf(part) === "down");
  const state = isDown ? ("down" as const) : ("degraded" as const);
  return { state, share: shareOf(addAnswers(parts)) ?? 0 };
}

/** The days that were degraded or down as a whole, but have no single hour that was. */
function troubledDays(
  byDay: AnswersByModel,
  starts: readonly number[],
  ends: readonly number[],
  hours: readonly Trouble[],
): Trouble[] {
  return [...byDay].flatMap(([model, days]) =>
    [...days].flatMap(([index, answers]) => {
      const [from = 0, to = 0] = [starts[index], ends[index]];
      const hasTroubledHour = hours.some((hour) => hour.model === model && hour.from < to && hour.to > from);
      return isTroubled(answers) && !hasTroubledHour ? [{ model, from, to, ...answers }] : [];
    }),
  );
}

/** Null: there was no request to answer. Only a share without any exception is exactly 1 or 0. */
function shareOf({ requests, faults }: Answers): number | null {
  if (requests === 0) return null;
  if (faults === 0 || faults === requests) return faults === 0 ? 1 : 0;
  const parts = Math.round(((requests - faults) * PARTS) / requests);
  return Math.min(PARTS - 1, Math.max(1, parts)) / PARTS;
}

function stateOf({ requests, faults }: Answers): UptimeState {
  if (requests === 0) return "idle";
  const share = (requests - faults) / requests;
  if (share >= DEGRADED_BELOW) return "operational";
  if (requests < LEAST_REQUESTS || faults < LEAST_FAULTS) return "few";
  return share < DOWN_BELOW ? "down" : "degraded";
}

const isoOf = (moment: number) => new Date(moment).toISOString();

const isTroubled = (answers: Answers) => ["degraded", "down"].includes(stateOf(answers));

function addAnswers(all: readonly Answers[]): Answers {
  const total = { requests: 0, faults: 0 };
  for (const answers of all) {
    total.requests += answers.requests;
    total.faults += answers.faults;
  }
  return total;
}

/** The answers from the first of `starts` to `to` (not included). Units: milliseconds since 1970. */
async function sumAnswers(db: Session, starts: readonly number[], to: number): Promise<AnswersByModel> {
  const rollups = await coveringRollups(db, starts, to);
  const rows = await db.query<AnswersRow>(
    `SELECT width_bucket(bucket, (SELECT ${momentsOf("$3")})) - 1 AS index, model, ${ANSWERS}
     FROM ${rollups.table("")} found GROUP BY 1, 2`,
    [...rollups.params, momentsText(starts)],
  );
  const found: AnswersByModel = new Map();
  for (const row of rows) {
    const ofModel = found.get(row.model) ?? new Map<number, Answers>();
    ofModel.set(Number(row.index), answersOf(row));
    found.set(row.model, ofModel);
  }
  return found;
}

function answersOf({ requests, faults }: AnswersRow): Answers {
  return { requests: Number(requests), faults: Number(faults) };
}

/** After this time a day is not read again; later settlements are missing in its hours. */
const SETTLED_AFTER_MS = DAY_MS;

/** The hours in which models were degraded or down. Completed days are read once, one by one. */
export class TroubledHours {
  readonly #db: Session;
  readonly #known = new Map<number, Trouble[]>();

  constructor(db: Session) {
    this.#db = db;
  }

  /** The hours that end after `from`. Units: milliseconds since 1970. */
  async since(from: number, at: number): Promise<Trouble[]> {
    const firstDay = Math.floor(from / DAY_MS) * DAY_MS;
    const open = Math.floor((at - SETTLED_AFTER_MS) / DAY_MS) * DAY_MS;
    for (const day of this.#known.keys()) if (day < firstDay) this.#known.delete(day);
    for (let day = firstDay; day < open; day += DAY_MS) {
      if (!this.#known.has(day)) this.#known.set(day, await readTroubles(this.#db, day, day + DAY_MS));
    }
    const latest = await readTroubles(this.#db, open, at);
    return [...[...this.#known.values()].flat(), ...latest].filter(({ to }) => to > from);
  }
}

const FOLDED_UNTIL = "(SELECT folded_until FROM rollup_progress)";
const READ = "bucket, model, request_count, error_count, error_counts";

/** The 4-hour roll-ups show where there were enough failures, so that only these hours are read one by one. */
async function readTroubles(db: Session, from: number, to: number): Promise<Trouble[]> {
  const rows = await db.query<AnswersRow>(
    `WITH suspect AS MATERIALIZED (
       SELECT bucket AS block, model AS name FROM usage_rollups_4h
       WHERE bucket >= $1::timestamptz AND bucket < least($2::timestamptz, ${FOLDED_UNTIL})
       GROUP BY 1, 2 HAVING ${FAULTS} >= ${LEAST_FAULTS}
     )
     SELECT floor(extract(epoch FROM bucket) / 3600)::integer AS index, model, ${ANSWERS} FROM (
       SELECT ${READ} FROM suspect JOIN usage_rollups
         ON bucket >= block AND bucket < block + interval '4 hours' AND bucket < $2::timestamptz AND model = name
       UNION ALL SELECT ${READ} FROM usage_rollups
       WHERE bucket >= greatest($1::timestamptz, ${FOLDED_UNTIL}) AND bucket < $2::timestamptz
     ) found GROUP BY 1, 2 HAVING ${FAULTS} >= ${LEAST_FAULTS}`,
    [isoOf(from), isoOf(to)],
  );
  return rows.flatMap((row) => {
    const [answers, begin] = [answersOf(row), Number(row.index) * HOUR_MS];
    return isTroubled(answers) ? [{ ...answers, model: row.model, from: begin, to: begin + HOUR_MS }] : [];
  });
}
