"use client";

import type { LogDetail } from "../api/types";
import { fill } from "../i18n/fill";
import type { Format } from "../i18n/format";
import type { Messages } from "../i18n/messages";
import { useFormat, useMessages } from "../i18n/provider";
import { cn } from "../ui/cn";
import { nodeText, reasonText, resultOf, resultText } from "./attempt-text";

/** One bar: a stage of the gateway, or an attempt at a node. */
interface TimelineBar {
  id: string;
  name: string;
  startMs: number;
  endMs: number;
  firstMs: number | null;
  look: "stage" | "good" | "bad" | "waiting";
  result: string;
}

const fills = { stage: "bg-control", good: "bg-success", bad: "bg-danger", waiting: "bg-line" };

/** A shorter time without a stage or an attempt is not shown as waiting. Units: milliseconds. */
const SHORTEST_WAIT_MS = 10;

/** The timeline of a request: stages and attempts as bars, with the same numbers as text. */
export function Waterfall(props: { entry: LogDetail }) {
  const text = useMessages("logs").detail;
  const format = useFormat();
  const bars = barsOf(props.entry, text, format);
  const span = Math.max(1, ...bars.map((bar) => bar.endMs));
  return (
    <>
      <table className="block w-full text-xs">
        <caption className="sr-only">{text.timeline}</caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">{text.stage}</th>
            <th scope="col">{text.start}</th>
            <th scope="col">{text.duration}</th>
            <th scope="col">{text.result}</th>
          </tr>
        </thead>
        <tbody className="block">
          {bars.map((bar) => (
            <tr
              key={bar.id}
              className="grid grid-cols-[minmax(0,5fr)_minmax(0,6fr)_4.5rem] gap-x-3 border-b py-1.5 last:border-b-0"
            >
              <th scope="row" className="text-left font-normal wrap-anywhere">
                {bar.name}
              </th>
              <td>
                <span className="sr-only">{format.duration(bar.startMs)}</span>
                <Bar bar={bar} span={span} />
              </td>
              <td className="tabular text-right whitespace-nowrap">
                {format.duration(bar.endMs - bar.startMs)}
              </td>
              {bar.result !== "" && (
                <td
                  className={cn(
                    "col-span-full wrap-anywhere",
                    bar.look === "bad" ? "text-danger" : "text-muted",
                  )}
                >
                  {bar.result}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {bars.some(({ firstMs }) => firstMs !== null) && (
        <p className="text-xs text-muted">{text.attemptFirstHint}</p>
      )}
    </>
  );
}

function Bar(props: { bar: TimelineBar; span: number }) {
  const { bar, span } = props;
  const percent = (ms: number) => `${(ms / span) * 100}%`;
  return (
    <span aria-hidden className="relative mt-1 block h-2.5 w-full rounded-sm bg-card">
      <span
        className={cn("absolute inset-y-0 min-w-0.5 rounded-sm", fills[bar.look])}
        style={{ left: percent(bar.startMs), width: percent(bar.endMs - bar.startMs) }}
      />
      {bar.firstMs !== null && (
        <span
          className="absolute -inset-y-0.5 w-0.5 bg-fg"
          style={{ left: percent(bar.startMs + bar.firstMs) }}
        />
      )}
    </span>
  );
}

/** Stages, attempts and what was waited for between them, in their order. */
export function barsOf(entry: LogDetail, text: Messages["logs"]["detail"], format: Format): TimelineBar[] {
  const names: Record<string, string> = text.stages;
  const stages = entry.timeline
    .filter((stage) => stage.stage !== "answer" || entry.attempts.length === 0)
    .map(
      (stage): TimelineBar => ({
        id: stage.stage,
        name: names[stage.stage] ?? stage.stage,
        startMs: stage.startMs,
        endMs: stage.endMs,
        firstMs: null,
        look: "stage",
        result: "",
      }),
    );
  const attempts = entry.attempts.map((attempt): TimelineBar => {
    const firstMs = entry.stream ? attempt.firstEventMs : null;
    const result = resultOf(attempt, entry.status);
    const good = /^(ok|success|done|complete|completed|cancelled)$/.test(result);
    const words = [
      resultText(result, text),
      attempt.upstreamStatus === null ? "" : fill(text.attemptStatus, { status: attempt.upstreamStatus }),
      firstMs === null ? "" : fill(text.attemptFirst, { duration: format.duration(firstMs) }),
      reasonText(attempt.reason, text),
    ];
    return {
      id: `attempt ${attempt.n}`,
      name: fill(text.attempt, { n: attempt.n, node: nodeText(attempt.node, text) }),
      startMs: attempt.startedMs,
      endMs: attempt.startedMs + attempt.totalMs,
      firstMs,
      look: good ? "good" : "bad",
      result: words.filter((word) => word !== "").join(" · "),
    };
  });
  const bars = [...stages, ...attempts].sort((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
  return withWaits(bars, text.waits);
}

/**
 * The bars with one more for each time between them, and what the request waited for: between a failed attempt and the
 * next one the pause, else the gateway itself. Source: docs/reliability.md#s2-9.
 */
function withWaits(bars: TimelineBar[], waits: Messages["logs"]["detail"]["waits"]): TimelineBar[] {
  let coveredMs = 0;
  return bars.flatMap((bar, position) => {
    const startMs = coveredMs;
    coveredMs = Math.max(coveredMs, bar.endMs);
    if (bar.startMs - startMs < SHORTEST_WAIT_MS) return [bar];
    const isPause = bars[position - 1]?.look === "bad" && bar.look !== "stage";
    const { name, why } = waits[isPause ? "pause" : "gateway"];
    const id = `waiting before ${bar.id}`;
    const span = { startMs, endMs: bar.startMs, firstMs: null };
    return [{ id, name, ...span, look: "waiting" as const, result: why }, bar];
  });
}
