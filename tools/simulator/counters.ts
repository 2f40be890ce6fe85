/** What the simulated provider has done since its start or the last reset. */
export interface Counts {
  requests: number;
  streams: number;
  /** Answers that were sent whole, and calls refused or failed on purpose. */
  completed: number;
  failed: number;
  /** Calls whose client left before the end. */
  aborted: number;
  inFlight: number;
  /** Tokens of completed answers, as told in their usage. */
  promptTokens: number;
  completionTokens: number;
  byModel: Record<string, number>;
}

/** One request as it arrived. */
export interface RecordedRequest {
  method: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

const MAX_MODELS = 1000;

/** Fresh counts. */
export function noCounts(): Counts {
  return {
    requests: 0,
    streams: 0,
    completed: 0,
    failed: 0,
    aborted: 0,
    inFlight: 0,
    promptTokens: 0,
    completionTokens: 0,
    byModel: {},
  };
}

/** Counts one call of a model; names beyond a bound are counted together. Shape: how often it has been called now. */
export function countModel(counts: Counts, model: string): number {
  const known = counts.byModel[model];
  const name = known === undefined && Object.keys(counts.byModel).length >= MAX_MODELS ? "(others)" : model;
  const calls = (counts.byModel[name] ?? 0) + 1;
  counts.byModel[name] = calls;
  return calls;
}

/** The last requests, oldest first, in bounded memory. */
export class RequestRecord {
  readonly #capacity = 200;
  readonly #bodyCharacters = 256 * 1024;
  #kept: RecordedRequest[] = [];

  /** Keeps a request; the oldest one goes when there are too many. */
  add(request: RecordedRequest): void {
    const body = request.body.length > this.#bodyCharacters ? "" : request.body;
    this.#kept.push(body === request.body ? request : { ...request, body });
    if (this.#kept.length > 2 * this.#capacity) this.#kept = this.#kept.slice(-this.#capacity);
  }

  /** The kept requests. */
  list(): RecordedRequest[] {
    return this.#kept.slice(-this.#capacity);
  }

  /** Forgets all. */
  clear(): void {
    this.#kept = [];
  }
}
