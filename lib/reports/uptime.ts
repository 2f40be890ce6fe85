import type { Session } from "@/lib/db/database";
import { DAY_MS, HOUR_MS } from "@/lib/kernel/clock";
import { errorCodeOrder, faultCodes } from "@/lib/kernel/errors";
import { addDays, calendarOf, coveringRollups, floorToGrid, momentsOf, momentsText } from "./stats-range";

/** How many days are shown, today included. */
const UPTIME_DAYS = 90;

/** Below this share of answered requests a model counts as degraded, or as down. Source: docs/contract.md#uptime. */
const DEGRADED_BELOW = 0.99;
const DOWN_BELOW = 0.5;

/** Shares are rounded down to this many parts, so that a failure never reads as none. */
const PARTS = 10_000;

/** How well a model answers. */
export type UptimeState = "operational" | "degraded" | "down" | "idle";

/** The requests of one model that the gateway had to answer, and those that it or its nodes failed to. */
interface Answers {
  requests: number;
  faults: number;
}

interface AnswersRow {
  index: number;
  model: string;
  requests: string;
  faults: string;
}

/** The answers of each model, by the index of their bucket. */
type AnswersByModel = Map<string, Map<number, Answers>>;

const codeAt = (code: (typeof errorCodeOrder)[number]) =>
  `coalesce(sum(error_counts[${errorCodeOrder.indexOf(code) + 1}]), 0)`;
const FAULTS = faultCodes.map(codeAt).join(" + ");

/**
 * The share of requests that each model has answered: over the last 24 hours, and on each of the last 90 days of a time
 * zone. Only failures of the gateway or its nodes lower it; what was refused does not count at all. No volumes and no
 * nodes are in it. Source: docs/contract.md#uptime.
 */
export async function readUptime(db: Session, timeZone: string, now: Date) {
  const calendar = calendarOf(timeZone);
  const nowMs = now.getTime();
  const today = calendar.dateOf(nowMs);
  const dates = Array.from({ length: UPTIME_DAYS }, (_, index) => addDays(today, index + 1 - UPTIME_DAYS));
  const recent = [floorToGrid(nowMs - DAY_MS), floorToGrid(nowMs - HOUR_MS)];
  const [byDay, lately] = await Promise.all([
    sumAnswers(db, dates.map(calendar.startOf), nowMs),
    sumAnswers(db, recent, nowMs),
  ]);
  const of = (model: string) => {
    const days = byDay.get(model);
    const [before, lastHour] = [0, 1].map((index) => lately.get(model)?.get(index) ?? noAnswers());
    const lastDay = addAnswers([before, lastHour]);
    return {
      state: stateOf(shareOf(lastHour) ?? shareOf(lastDay)),
      lastDay: shareOf(lastDay),
      ninetyDays: shareOf(addAnswers([...(days?.values() ?? [])])),
      days: dates.map((_, index) => shareOf(days?.get(index))),
    };
  };
  return {
    at: now.toISOString(),
    timezone: timeZone,
    from: dates[0] ?? today,
    degradedBelow: DEGRADED_BELOW,
    downBelow: DOWN_BELOW,
    of,
  };
}

/** The uptime of every model that was ever called. */
export type Uptime = Awaited<ReturnType<typeof readUptime>>;

/** The uptime of these models, as the API shows it. */
export function uptimeRecord({ of, ...rest }: Uptime, aliases: readonly string[]) {
  return { ...rest, models: aliases.map((id) => ({ id, ...of(id) })) };
}

/** Null: there was nothing to answer. */
function shareOf(answers: Answers | undefined): number | null {
  if (answers === undefined || answers.requests === 0) return null;
  return Math.floor(((answers.requests - answers.faults) * PARTS) / answers.requests) / PARTS;
}

function stateOf(share: number | null): UptimeState {
  if (share === null) return "idle";
  if (share < DOWN_BELOW) return "down";
  return share < DEGRADED_BELOW ? "degraded" : "operational";
}

function noAnswers(): Answers {
  return { requests: 0, faults: 0 };
}

function addAnswers(all: readonly (Answers | undefined)[]): Answers {
  const total = noAnswers();
  for (const answers of all) {
    total.requests += answers?.requests ?? 0;
    total.faults += answers?.faults ?? 0;
  }
  return total;
}

/** The answers from the first of `starts` to `to` (not included). Units: milliseconds since 1970. */
async function sumAnswers(db: Session, starts: readonly number[], to: number): Promise<AnswersByModel> {
  const rollups = await coveringRollups(db, starts, to);
  const rows = await db.query<AnswersRow>(
    `SELECT width_bucket(bucket, (SELECT ${momentsOf("$3")})) - 1 AS index, model,
       (sum(request_count) - sum(error_count) + ${FAULTS})::text AS requests, (${FAULTS})::text AS faults
     FROM ${rollups.table("")} found GROUP BY 1, 2`,
    [...rollups.params, momentsText(starts)],
  );
  const found: AnswersByModel = new Map();
  for (const { index, model, requests, faults } of rows) {
    const ofModel = found.get(model) ?? new Map<number, Answers>();
    ofModel.set(Number(index), { requests: Number(requests), faults: Number(faults) });
    found.set(model, ofModel);
  }
  return found;
}
