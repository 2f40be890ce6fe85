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
  timesGoModel: number;
  cpuMsPerRequest: number;
}

const CONNECTIONS = 128;

/** The figures of the headline suite at 128 connections. Throws: when the results lack one of its arms. */
export function benchFacts({ machine, samples }: BenchResults): BenchFacts {
  const headline = samples.filter(
    ({ suite, payload, connections }) =>
      suite === "headline" && payload === "S" && connections === CONNECTIONS,
  );
  const of = (arm: string) => headline.filter((sample) => sample.arm === arm);
  const rate = ({ requests, activeMs }: { requests: number; activeMs: number }) =>
    (requests / activeMs) * 1_000;
  const own = of("tollgate");
  // Arms are compared within a round, as the report of the benchmark does.
  const ratios = own.flatMap((sample) =>
    of("gomodel")
      .filter(({ round }) => round === sample.round)
      .map((other) => rate(sample) / rate(other)),
  );
  return {
    cores: machine.cores,
    requestsPerSecond: median(own.map(rate)),
    timesGoModel: median(ratios),
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
