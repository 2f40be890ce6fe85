import { median } from "../statistics";
import { SESSION } from "../suites/stream-plan";
import type { StreamSample } from "../suites/streams";
import { type Group, groups, streamRatio } from "./stream-table";
import { fixed, interval } from "./table";

/** Whole sessions of agents as one Markdown table; empty when there is none. */
export function sessionTable(samples: readonly StreamSample[]): string {
  const found = groups(samples).filter(({ payload }) => payload === SESSION);
  if (found.length === 0) return "";
  return [
    "| Arm | Sessions at once | CPU ms a session | of raw | s a session, p50 | of raw |",
    "|---|--:|--:|--:|--:|--:|",
    ...found.map((group) => lineOf(group, samples)),
  ].join("\n");
}

function lineOf(group: Group, samples: readonly StreamSample[]): string {
  const measured = group.samples.map(cpuMsPerSession).filter(Number.isFinite);
  const cells = [
    group.arm,
    String(group.streams),
    measured.length === 0 ? "–" : fixed(median(measured), 0),
    interval(streamRatio(group, samples, "raw", cpuMsPerSession), 2),
    fixed(median(group.samples.map(sessionSeconds)), 2),
    interval(streamRatio(group, samples, "raw", sessionSeconds), 2),
  ];
  return `| ${cells.join(" | ")} |`;
}

/** Processor time of the gateway for a session; NaN where none is measured. */
function cpuMsPerSession({ cpuMs, turns }: StreamSample): number {
  return (cpuMs ?? Number.NaN) / turns;
}

function sessionSeconds({ turnP50Us }: StreamSample): number {
  return turnP50Us / 1e6;
}
