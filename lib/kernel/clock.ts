/** The source of time; tests inject their own. */
export interface Clock {
  /** Monotonic milliseconds with fractions; for durations and windows. */
  nowMs(): number;
  /** Wall-clock time; for stored and displayed dates. */
  date(): Date;
}

/** The clock of the operating system. */
export const systemClock: Clock = {
  nowMs: () => performance.now(),
  date: () => new Date(),
};

const WALL_FRESH_MS = 1_000;

/** Wall-clock time of moments of the monotonic clock: how far the two are apart is read again each second. */
export class WallClock {
  readonly #clock: Clock;
  #apartMs = 0;
  #readAtMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The date of a moment that has just been read from the monotonic clock. Units: milliseconds. */
  dateOf(nowMs: number): Date {
    if (nowMs - this.#readAtMs >= WALL_FRESH_MS) {
      this.#apartMs = this.#clock.date().getTime() - nowMs;
      this.#readAtMs = nowMs;
    }
    return new Date(this.#apartMs + nowMs);
  }
}

/** The work did not finish before its deadline. */
export class DeadlineError extends Error {
  constructor(readonly limitMs: number) {
    super(`no answer within ${limitMs} ms`);
    this.name = "DeadlineError";
  }
}

/**
 * The result of `work`, or a DeadlineError after `limitMs`. A result that has arrived but was not read yet, because
 * the event loop was busy, still counts. Units: milliseconds. Throws: DeadlineError; what the work throws.
 */
export function withDeadline<T>(work: Promise<T>, limitMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    // Timers run before sockets are read; the immediate lets the loop read a waiting answer first.
    const timer = setTimeout(() => setImmediate(() => reject(new DeadlineError(limitMs))), limitMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

const RETRY_READ_MS = 1_000;

/**
 * A value that is read at most once in `freshMs`, however many ask for it: who asks during a read waits for that one.
 * When a read fails, the value before it serves until the next one, which begins after a second, and after twice as long
 * with each further failure, up to `freshMs`. Units: milliseconds.
 */
export class CachedRead<Value> {
  readonly #read: () => Promise<Value>;
  readonly #freshMs: number;
  readonly #nowMs: () => number;
  #last: { value: Promise<Value>; untilMs: number } | null = null;
  #known: Value | undefined;
  #retryMs = RETRY_READ_MS;

  constructor(options: { read: () => Promise<Value>; freshMs: number; nowMs: () => number }) {
    this.#read = options.read;
    this.#freshMs = options.freshMs;
    this.#nowMs = options.nowMs;
  }

  /** The value of the last read that succeeded, however old; undefined before the first one. */
  get known(): Value | undefined {
    return this.#known;
  }

  /** The value. Throws: what reads throw while none has succeeded. */
  get(): Promise<Value> {
    const nowMs = this.#nowMs();
    if (this.#last !== null && nowMs < this.#last.untilMs) return this.#last.value;
    // Fresh while it is read, so that no second read runs beside it.
    const last = { value: this.#read(), untilMs: Number.POSITIVE_INFINITY };
    last.value = last.value.then(
      (value) => {
        last.untilMs = this.#nowMs() + this.#freshMs;
        this.#retryMs = RETRY_READ_MS;
        if (this.#last === last) this.#known = value;
        return value;
      },
      (error: unknown) => {
        last.untilMs = this.#nowMs() + Math.min(this.#retryMs, this.#freshMs);
        this.#retryMs = Math.min(2 * this.#retryMs, this.#freshMs);
        if (this.#known === undefined) throw error;
        return this.#known;
      },
    );
    this.#last = last;
    return last.value;
  }

  /** Forgets the value: the next one who asks gets a new one. */
  clear(): void {
    this.#last = null;
    this.#known = undefined;
  }
}

/** A second in milliseconds. */
export const SECOND_MS = 1_000;

/** A minute in milliseconds. */
export const MINUTE_MS = 60 * SECOND_MS;

/** An hour in milliseconds. */
export const HOUR_MS = 60 * MINUTE_MS;

/** Twenty-four hours in milliseconds. */
export const DAY_MS = 24 * HOUR_MS;

/** Calendar days as `YYYY-MM-DD`, both included. */
export interface DayRange {
  from: string;
  to: string;
}

/** The most days of statistics in one answer. */
export const MAX_RANGE_DAYS = 92;

/** How many days a range has; 1 when it begins and ends on the same. */
export function daysBetween({ from, to }: DayRange): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
}

/** Why there are no statistics of these days, or null. `today`: the date in the zone of the days. */
export function dayRangeProblem(
  range: DayRange,
  today: string,
): "incomplete" | "order" | "long" | "future" | null {
  if (!isDay(range.from) || !isDay(range.to)) return "incomplete";
  if (range.from > range.to) return "order";
  if (range.to > today) return "future";
  return daysBetween(range) > MAX_RANGE_DAYS ? "long" : null;
}

/** A real day from 1970 on: the database does not know the year 0, which is before the first ones. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < "1970") return false;
  const moment = Date.parse(text);
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(text);
}

/** What a `LinkedSet` contains. The fields belong to the set: undefined outside, null at an end. */
export interface Linked<Member> {
  before?: Member | null | undefined;
  after?: Member | null | undefined;
}

/**
 * Members in order of arrival, for members that come and go with each request. A member is in one such set at most.
 * Unlike this one, a `Set` lets each of its outgrown tables refer to the next. Once such a table is in the old
 * generation, its members and those of all later tables stay in memory until a full collection.
 */
export class LinkedSet<Member extends Linked<Member>> {
  #first: Member | null = null;
  #last: Member | null = null;
  /** The member that `forEach` visits next. */
  #next: Member | null = null;

  /** True without members. */
  get isEmpty(): boolean {
    return this.#first === null;
  }

  /** Adds a member; one that is in the set stays in its place. */
  add(member: Member): void {
    if (member.before !== undefined) return;
    member.before = this.#last;
    member.after = null;
    if (this.#last === null) this.#first = member;
    else this.#last.after = member;
    this.#last = member;
  }

  /** Removes a member; does nothing when it is not in the set. */
  delete(member: Member): void {
    const { before, after = null } = member;
    if (before === undefined) return;
    if (before === null) this.#first = after;
    else before.after = after;
    if (after === null) this.#last = before;
    else after.before = before;
    if (this.#next === member) this.#next = after;
    member.before = undefined;
    member.after = undefined;
  }

  /** Visits each member once; a visit may add and delete members. Visits must not overlap. */
  forEach(visit: (member: Member) => void): void {
    for (let member = this.#first; member !== null; member = this.#next) {
      this.#next = member.after ?? null;
      visit(member);
    }
  }
}

/** Something that is looked at from time to time, because it may have waited too long. */
export interface Watched extends Linked<Watched> {
  /** Looks at the time, in milliseconds of a monotonic clock. Returns false when it need not be watched any more. */
  onSweep(nowMs: number): boolean;
}

/** Times of minutes and seconds need no timer of their own. */
const SWEEP_MS = 250;

/** One timer for everything that may wait too long: it looks at each, by default every quarter of a second. */
export class Deadlines {
  readonly #watched = new LinkedSet<Watched>();
  readonly #nowMs: () => number;
  readonly #sweepMs: number;
  #timer: NodeJS.Timeout | null = null;

  /** `nowMs`: a monotonic clock. */
  constructor(nowMs: () => number, sweepMs = SWEEP_MS) {
    this.#nowMs = nowMs;
    this.#sweepMs = sweepMs;
  }

  /** Watches until `forget`, or until `onSweep` returns false. */
  watch(watched: Watched): void {
    this.#watched.add(watched);
    if (this.#timer !== null) return;
    this.#timer = setInterval(this.#sweepSoon, this.#sweepMs);
    this.#timer.unref();
  }

  /** Watches no longer. */
  forget(watched: Watched): void {
    this.#watched.delete(watched);
  }

  /** Timers run before sockets are read; the immediate lets the loop read an answer that has arrived in time. */
  readonly #sweepSoon = (): void => {
    setImmediate(this.#sweep);
  };

  readonly #sweep = (): void => {
    const nowMs = this.#nowMs();
    this.#watched.forEach((watched) => {
      if (!watched.onSweep(nowMs)) this.#watched.delete(watched);
    });
    if (!this.#watched.isEmpty || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  };
}

/** Upper bounds of the latency buckets; one more bucket holds everything above. Units: milliseconds. */
export const LATENCY_BOUNDS_MS: readonly number[] = Array.from({ length: 39 }, (_, index) =>
  Math.round(2 ** (index / 2)),
);

/** Number of latency buckets. */
export const LATENCY_BUCKETS = LATENCY_BOUNDS_MS.length + 1;

/** Index of the bucket that contains a latency. Units: milliseconds in. */
export function latencyBucket(latencyMs: number): number {
  const found = LATENCY_BOUNDS_MS.findIndex((bound) => latencyMs <= bound);
  return found === -1 ? LATENCY_BOUNDS_MS.length : found;
}

/**
 * Quantile of a histogram by linear interpolation inside its bucket; null when it is empty.
 * Units: `quantile` 0..1, milliseconds out.
 */
export function histogramQuantile(counts: readonly number[], quantile: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = quantile * total;
  let seen = 0;
  for (const [index, count] of counts.entries()) {
    if (count > 0 && seen + count >= rank) return interpolate(index, (rank - seen) / count);
    seen += count;
  }
  return LATENCY_BOUNDS_MS.at(-1) ?? null;
}

function interpolate(index: number, share: number): number {
  const low = index === 0 ? 0 : (LATENCY_BOUNDS_MS[index - 1] ?? 0);
  const high = LATENCY_BOUNDS_MS[index] ?? low * 2;
  return Math.round(low + (high - low) * share);
}
