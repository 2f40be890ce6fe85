import type { StreamSample } from "../suites/streams";
import { addedTtftMs, cpuUsPerChunk, type Group, groups, streamRatio, ttftMs } from "./stream-table";
import type { Target } from "./targets";

const PROTOCOLS = {
  tollgate: { label: "same protocol", of: "raw", mostCpu: 1.25 },
  converted: { label: "converted", of: "raw", mostCpu: 1.4 },
  responses: { label: "converted for a Responses client", of: "tollgate", mostCpu: 1.5 },
} as const;

type Way = (typeof PROTOCOLS)[keyof typeof PROTOCOLS];

/** What the report calls the arm that a chunk is compared with. */
const COMPARED = { raw: "raw's", tollgate: "a forwarded stream's" } as const;

/** The longest added time to the first delta, by the number of streams. Units: milliseconds. */
const ADDED_TTFT_MS: Readonly<Record<number, number>> = { 1: 1, 100: 1.5 };
const AT_ONCE = 500;
const TTFT_OF_RAW = 1.5;

/**
 * Time to the first delta at a realistic rate, against no gateway and, when many are opened in one moment, against
 * raw; the cost of a delta at a rate that saturates a core. Source: docs/performance.md#s3.
 */
export function streamTargets(samples: readonly StreamSample[]): Target[] {
  return groups(samples).flatMap((group) => {
    const found = Object.entries(PROTOCOLS).find(([arm]) => arm === group.arm);
    if (found === undefined) return [];
    const [, way] = found;
    return group.payload === "500x5"
      ? costOfChunk(group, samples, way)
      : firstDelta(group, samples, way.label);
  });
}

function firstDelta(group: Group, samples: readonly StreamSample[], label: string): Target[] {
  const where = `${group.streams} streams at once, ${label}`;
  if (group.streams === AT_ONCE) {
    const ratio = streamRatio(group, samples, "raw", ttftMs);
    const what = `time to first token, p50, of raw's, ${where}`;
    return ratio === null ? [] : [atMost(what, TTFT_OF_RAW, "x", ratio.median)];
  }
  const most = ADDED_TTFT_MS[group.streams];
  const added = addedTtftMs(group, samples);
  if (most === undefined || added === null) return [];
  return [atMost(`time to first token added, p50, ${where}`, most, "ms", added.median)];
}

function costOfChunk(group: Group, samples: readonly StreamSample[], way: Way): Target[] {
  const { label, of, mostCpu } = way;
  const ratio = streamRatio(group, samples, of, cpuUsPerChunk);
  const what = `processor time for a chunk, of ${COMPARED[of]}, ${group.streams} streams at once, ${label}`;
  return ratio === null ? [] : [atMost(what, mostCpu, "x", ratio.median)];
}

function atMost(what: string, target: number, unit: string, measured: number): Target {
  return { what, target, atLeast: false, unit, measured };
}
