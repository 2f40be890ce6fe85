import { type Estimate, estimate, median } from "../statistics";
import type { StreamSample } from "../suites/streams";
import { fixed, interval } from "./table";

/** One arm under one number of streams over all rounds. */
interface Group {
  payload: string;
  streams: number;
  arm: string;
  samples: StreamSample[];
}

/** All streams as one Markdown table. Differences are taken round by round. */
export function streamTable(samples: readonly StreamSample[]): string {
  return [
    "| Stream | At once | Arm | TTFT p50 ms | TTFT p50 added ms | chunk delay p50 / p99 ms | CPU µs/chunk | RSS MB |",
    "|---|--:|---|--:|--:|--:|--:|--:|",
    ...groups(samples).map((group) => lineOf(group, samples)),
  ].join("\n");
}

/** What an arm adds to the time to the first delta, against no gateway. Units: milliseconds. */
export function addedTtftMs(group: Group, samples: readonly StreamSample[]): Estimate | null {
  const added = group.samples.flatMap((one) => {
    const direct = samples.find(
      (other) =>
        other.arm === "direct" &&
        other.round === one.round &&
        other.payload === one.payload &&
        other.streams === one.streams,
    );
    return direct ? [(one.ttftP50Us - direct.ttftP50Us) / 1_000] : [];
  });
  return added.length === 0 ? null : estimate(added);
}

/** Processor time of the gateway for each delta. Units: microseconds. */
export function cpuUsPerChunk(group: Group): number | null {
  const found = group.samples.flatMap(({ cpuMs, chunks }) =>
    cpuMs === null ? [] : [(cpuMs * 1_000) / chunks],
  );
  return found.length === 0 ? null : median(found);
}

/** The samples by shape, number and arm. */
export function groups(samples: readonly StreamSample[]): Group[] {
  const found = new Map<string, Group>();
  for (const sample of samples) {
    const { payload, streams, arm } = sample;
    const name = `${payload} ${streams} ${arm}`;
    const group = found.get(name) ?? { payload, streams, arm, samples: [] };
    group.samples.push(sample);
    found.set(name, group);
  }
  return [...found.values()];
}

function lineOf(group: Group, samples: readonly StreamSample[]): string {
  const middle = (value: (sample: StreamSample) => number) => median(group.samples.map(value));
  const resident = group.samples.flatMap(({ residentBytes }) => residentBytes ?? []);
  const cells = [
    group.payload,
    String(group.streams),
    group.arm,
    fixed(middle(({ ttftP50Us }) => ttftP50Us) / 1_000, 2),
    interval(addedTtftMs(group, samples), 2),
    `${fixed(middle(({ delayP50Us }) => delayP50Us) / 1_000, 2)} / ${fixed(middle(({ delayP99Us }) => delayP99Us) / 1_000, 2)}`,
    fixed(cpuUsPerChunk(group), 1),
    resident.length === 0 ? "–" : fixed(median(resident) / 2 ** 20, 0),
  ];
  return `| ${cells.join(" | ")} |`;
}
