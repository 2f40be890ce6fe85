import type { SocketBounds } from "./bounds";

/** One turn of a lane. */
export interface LaneWork {
  /** Null: the lane without a name. */
  readonly lane: string | null;
  readonly bytes: number;
  /** Never rejects. */
  perform(): Promise<void>;
  /** It will not be performed. */
  drop(): void;
}

type LaneBounds = Pick<SocketBounds, "running" | "waitingInLane" | "waitingOnSocket">;

/**
 * The turns of one socket: those of a lane one after the other, those of different lanes at once. Source:
 * docs/websocket.md#lanes.
 */
export class Lanes {
  readonly #bounds: LaneBounds;
  readonly #waitingBytes: number;
  readonly #onIdle: () => void;
  /** The lanes with a running turn. */
  readonly #busy = new Set<string | null>();
  /** In order of arrival. */
  #waiting: LaneWork[] = [];
  #bytes = 0;

  /** `waitingBytes`: how much may wait. `onIdle`: called when the last turn has ended and none waits. */
  constructor(bounds: LaneBounds, waitingBytes: number, onIdle: () => void) {
    this.#bounds = bounds;
    this.#waitingBytes = waitingBytes;
    this.#onIdle = onIdle;
  }

  /** True without a running or waiting turn. */
  get isIdle(): boolean {
    return this.#busy.size === 0 && this.#waiting.length === 0;
  }

  /** Begins a turn, or lets it wait for its lane. False: too many wait. */
  add(work: LaneWork): boolean {
    const { running, waitingInLane, waitingOnSocket } = this.#bounds;
    if (!this.#busy.has(work.lane) && this.#busy.size < running) {
      this.#begin(work);
      return true;
    }
    const ahead = this.#waiting.filter(({ lane }) => lane === work.lane).length;
    if (ahead >= waitingInLane || this.#waiting.length >= waitingOnSocket) return false;
    if (this.#bytes + work.bytes > this.#waitingBytes) return false;
    this.#waiting.push(work);
    this.#bytes += work.bytes;
    return true;
  }

  /** Drops the turns that wait. */
  clear(): void {
    const dropped = this.#waiting;
    this.#waiting = [];
    this.#bytes = 0;
    for (const work of dropped) work.drop();
  }

  #begin(work: LaneWork): void {
    this.#busy.add(work.lane);
    void work.perform().finally(() => this.#ended(work.lane));
  }

  #ended(lane: string | null): void {
    this.#busy.delete(lane);
    while (this.#busy.size < this.#bounds.running) {
      const next = this.#waiting.findIndex((work) => !this.#busy.has(work.lane));
      const work = this.#waiting[next];
      if (work === undefined) break;
      this.#waiting.splice(next, 1);
      this.#bytes -= work.bytes;
      this.#begin(work);
    }
    if (this.isIdle) this.#onIdle();
  }
}
