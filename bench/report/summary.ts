import type { Sample } from "../measure";
import { type Estimate, estimate, median } from "../statistics";

/** One arm in one cell over all rounds. */
export interface Row {
  suite: string;
  payload: string;
  connections: number;
  arm: string;
  perSecond: number;
  p50Us: number;
  p99Us: number;
  /** Per request. */
  cpuMs: number | null;
  mainThreadCpuMs: number | null;
  childrenCpuMs: number | null;
  databaseCpuMs: number | null;
  mockCpuMs: number | null;
  /** Of the gateway process. */
  residentBytes: number | null;
  rounds: number;
}

/** Requests per second of one sample. */
function perSecond({ requests, activeMs }: Sample): number {
  return (requests / activeMs) * 1_000;
}

/** Processor time of one sample's gateway for a request; NaN where none is measured. Units: milliseconds. */
export function cpuPerRequest({ cpuMs, requests }: Sample): number {
  return (cpuMs ?? Number.NaN) / requests;
}

/** The same of the database. Units: milliseconds. */
export function databaseCpuPerRequest({ databaseCpuMs, requests }: Sample): number {
  return (databaseCpuMs ?? Number.NaN) / requests;
}

/** The medians of every arm in every cell, in the order in which they first appear. */
export function rows(samples: readonly Sample[]): Row[] {
  const groups = new Map<string, Sample[]>();
  for (const sample of samples) {
    const name = [sample.suite, sample.payload, sample.connections, sample.arm].join(" ");
    groups.set(name, [...(groups.get(name) ?? []), sample]);
  }
  return [...groups.values()].flatMap(medians);
}

/** The row of one arm in one cell; null when it was not measured. */
export function rowOf(
  samples: readonly Sample[],
  suite: string,
  arm: string,
  connections: number,
  payload = "S",
): Row | null {
  const group = samples.filter(
    (sample) =>
      sample.suite === suite &&
      sample.arm === arm &&
      sample.connections === connections &&
      sample.payload === payload,
  );
  return rows(group)[0] ?? null;
}

/**
 * The ratio of one arm's value to another's, by round: both were measured within seconds, so that changes of the
 * machine cancel out. Null when there is no round with both values.
 */
export function inRoundRatio(
  samples: readonly Sample[],
  of: Row,
  base: string,
  value: (sample: Sample) => number = perSecond,
): Estimate | null {
  const pairs = inRoundPairs(samples, of, base)
    .map(([one, other]) => value(one) / value(other))
    .filter(Number.isFinite);
  return pairs.length === 0 ? null : estimate(pairs);
}

/** How much larger one arm's value is than another's, round by round. Null when there is no round with both. */
export function inRoundDifference(
  samples: readonly Sample[],
  of: Row,
  base: string,
  value: (sample: Sample) => number,
): Estimate | null {
  const pairs = inRoundPairs(samples, of, base).map(([one, other]) => value(one) - value(other));
  return pairs.length === 0 ? null : estimate(pairs);
}

function inRoundPairs(samples: readonly Sample[], of: Row, base: string): [Sample, Sample][] {
  const inCell = samples.filter(
    ({ suite, payload, connections }) =>
      suite === of.suite && payload === of.payload && connections === of.connections,
  );
  return inCell
    .filter(({ arm }) => arm === of.arm)
    .flatMap((one) => {
      const other = inCell.find(({ arm, round }) => arm === base && round === one.round);
      return other ? [[one, other] as [Sample, Sample]] : [];
    });
}

function medians(group: readonly Sample[]): Row[] {
  const [first] = group;
  if (first === undefined) return [];
  const { suite, payload, connections, arm } = first;
  const resident = group.flatMap(({ residentBytes }) => residentBytes ?? []);
  return [
    {
      suite,
      payload,
      connections,
      arm,
      perSecond: median(group.map(perSecond)),
      p50Us: median(group.map(({ p50Us }) => p50Us)),
      p99Us: median(group.map(({ p99Us }) => p99Us)),
      cpuMs: medianPerRequest(group, ({ cpuMs }) => cpuMs),
      mainThreadCpuMs: medianPerRequest(group, ({ mainThreadCpuMs }) => mainThreadCpuMs),
      childrenCpuMs: medianPerRequest(group, ({ childrenCpuMs }) => childrenCpuMs),
      databaseCpuMs: medianPerRequest(group, ({ databaseCpuMs }) => databaseCpuMs),
      mockCpuMs: medianPerRequest(group, ({ mockCpuMs }) => mockCpuMs),
      residentBytes: resident.length === 0 ? null : median(resident),
      rounds: group.length,
    },
  ];
}

function medianPerRequest(group: readonly Sample[], value: (sample: Sample) => number | null): number | null {
  const found = group.flatMap((sample) => {
    const total = value(sample);
    return total === null ? [] : [total / sample.requests];
  });
  return found.length === 0 ? null : median(found);
}
