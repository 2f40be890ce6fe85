/** What the landing page reads of the published results of the benchmark. */
export interface BenchResults {
  machine: { cores: number };
  samples: ReadonlyArray<{
    suite: string;
    payload: string;
    connections: number;
    arm: string;
    round: number;
    requests: number;
    activeMs: number;
    cpuMs: number | null;
  }>;
}

/** Measured figures with everything switched on, as medians of the rounds. */
export interface BenchFacts {
  cores: number;
  requestsPerSecond: number;
  /** Of the gateway written in Go. */
  timesGoModel: number;
  timesPortkey: number;
  cpuMsPerRequest: number;
}

const CONNECTIONS = 128;
/** The only load that Portkey's gateway was measured with. */
export const PORTKEY_CONNECTIONS = 32;

/** The figures of the headline suite, at 128 connections but for Portkey's. Throws: when the results lack one of its arms. */
export function benchFacts({ machine, samples }: BenchResults): BenchFacts {
  const headline = samples.filter(({ suite, payload }) => suite === "headline" && payload === "S");
  const of = (arm: string, at = CONNECTIONS) =>
    headline.filter((sample) => sample.connections === at && sample.arm === arm);
  const rate = ({ requests, activeMs }: { requests: number; activeMs: number }) =>
    (requests / activeMs) * 1_000;
  const own = of("tollgate");
  // Arms are compared within a round, as the report of the benchmark does.
  const times = (arm: string, at = CONNECTIONS) =>
    median(
      of("tollgate", at).flatMap((sample) =>
        of(arm, at)
          .filter(({ round }) => round === sample.round)
          .map((other) => rate(sample) / rate(other)),
      ),
    );
  return {
    cores: machine.cores,
    requestsPerSecond: median(own.map(rate)),
    timesGoModel: times("gomodel"),
    timesPortkey: times("portkey", PORTKEY_CONNECTIONS),
    cpuMsPerRequest: median(own.map(({ cpuMs, requests }) => (cpuMs ?? Number.NaN) / requests)),
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (upper === undefined || lower === undefined || Number.isNaN(upper + lower))
    throw new Error("the published results of the benchmark lack a figure of the landing page");
  return (lower + upper) / 2;
}
