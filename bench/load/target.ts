/** Where a load goes. */
export interface Target {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** What a load generator has seen. Units: microseconds. */
export interface LoadResult {
  requests: number;
  p50Us: number;
  p99Us: number;
  maxUs: number;
  /** Answers that were not 2xx, and broken connections. */
  failures: number;
}

/** What a paced load generator has seen. Units: microseconds. */
export interface PacedResult {
  served: number;
  /** 503. */
  refused: number;
  /** Of these, without Retry-After. */
  unhinted: number;
  /** Any other status. */
  others: number;
  broken: number;
  /** Of all answers, refusals too. */
  p50Us: number;
  p99Us: number;
}

/** A load that is running. */
export interface Load<Result = LoadResult> {
  pid: number;
  /** Ends it and tells what it has seen. Throws: when the generator has ended by itself. */
  finish(): Promise<Result>;
}
