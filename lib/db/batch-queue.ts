/** An item of a batch queue, which calls exactly one of the two methods, once, unless the item is withdrawn. */
export interface BatchItem<Outcome> {
  /** Items of one partition run in order; batches on different lanes never contain items of the same partition. */
  readonly partition: string;
  /** Precedes items that are not urgent. */
  readonly urgent: boolean;
  completed(outcome: Outcome): void;
  failed(error: unknown): void;
}

/** Options of a batch queue. */
export interface BatchQueueOptions<Item, Outcome> {
  /**
   * Executes one batch on one of the lanes; returns one outcome per item, in their order. Lanes count from 0. A lane
   * executes its batches one after the other, in the order of the calls, of which two may be open.
   */
  execute(items: Item[], lane: number): Promise<Outcome[]>;
  /** True for an error that one item may have caused, so that the others may succeed alone. The batch had no effect. */
  isItemError(error: unknown): boolean;
  /** Connections on which batches run at the same time. */
  lanes: number;
  /** True when the database has other cores than this process, so that both can work at the same time. */
  overlaps: boolean;
  maxItems?: number;
}

/** Measured: larger batches gain no throughput and add latency. Source: docs/reliability.md#a1. */
const MAX_ITEMS = 500;

/** While one half of the items is in the database, this process works on the other. Source: docs/performance.md#s5. */
const PARTS = 2;

/** Smaller parts cost the database more than they gain. */
const MIN_PART = 8;

/** The second batch of a lane waits in the database's connection until the first one has ended. */
const LANE_DEPTH = 2;

/** How fast the estimate of the load falls, with each batch that ends. */
const CROWD_DECAY = 0.9;

const MAX_GATHER_TICKS = 4;

/** A tick of an overloaded event loop takes hundreds of milliseconds; gathering stops after this time. */
const MAX_GATHER_MS = 5;

/** A connection that executes batches in the order in which they were sent. */
interface Lane {
  readonly number: number;
  batches: number;
}

/**
 * Natural batching: items that are submitted while a batch runs form the next batch. There is no delay timer: an idle
 * queue adds no latency, a loaded one executes many items per transaction. Under load a batch carries half of the items,
 * and a lane gets the next one while the first runs as soon as it is full, so that the database and this process work at
 * the same time. Batches of one partition that overlap are on one lane, which executes them in order.
 * When an item's error fails a batch, its items run one by one, so that a bad item never fails the others; every other
 * error fails all of them.
 */
export class BatchQueue<Item extends BatchItem<Outcome>, Outcome> {
  readonly #options: BatchQueueOptions<Item, Outcome>;
  #urgent: Item[] = [];
  #normal: Item[] = [];
  readonly #lanes: readonly Lane[];
  /** The lane that runs items of a partition, and how many of them. */
  readonly #owners = new Map<string, { readonly lane: Lane; items: number }>();
  /** Items in running batches. */
  #running = 0;
  /** The number of items that wait or run under the present load. */
  #crowd = 0;
  #gathering = false;
  #gathered = 0;
  #gatherTicks = 0;
  #gatherEndMs = 0;
  #onIdle: (() => void)[] = [];

  constructor(options: BatchQueueOptions<Item, Outcome>) {
    this.#options = options;
    this.#lanes = Array.from({ length: options.lanes }, (_, number) => ({ number, batches: 0 }));
  }

  /** Items that are waiting for a batch. */
  get depth(): number {
    return this.#urgent.length + this.#normal.length;
  }

  /** Puts an item into the next batch of a lane that is free to run it. */
  submit(item: Item): void {
    if (item.urgent) this.#urgent.push(item);
    else this.#normal.push(item);
    const owner = this.#owners.get(item.partition);
    if (owner === undefined || this.#hasRoom(owner.lane)) this.#gather();
  }

  /** Removes an item that still waits; neither of its methods is then called. Returns whether it was waiting. */
  withdraw(item: Item): boolean {
    for (const queue of [this.#urgent, this.#normal]) {
      const index = queue.indexOf(item);
      if (index === -1) continue;
      queue.splice(index, 1);
      this.#reportIdle();
      return true;
    }
    return false;
  }

  /** Resolves when no item waits or runs. */
  idle(): Promise<void> {
    if (this.depth === 0 && this.#running === 0) return Promise.resolve();
    return new Promise((resolve) => this.#onIdle.push(resolve));
  }

  /** The size of a batch under the present load. */
  get #full(): number {
    const { overlaps, maxItems = MAX_ITEMS } = this.#options;
    return overlaps ? Math.min(maxItems, Math.max(MIN_PART, Math.ceil(this.#crowd / PARTS))) : maxItems;
  }

  /** An idle lane takes any batch; a lane that already runs one takes only full batches. */
  #hasRoom({ batches }: Lane): boolean {
    return batches === 0 || (this.#options.overlaps && batches < LANE_DEPTH && this.depth >= this.#full);
  }

  /**
   * Waits one tick of the event loop for more items, and further ticks while each adds some: under load this doubles
   * the size of a batch, for a single item it costs one tick.
   */
  #gather(): void {
    if (this.#gathering || this.depth === 0) return;
    this.#gathering = true;
    this.#gathered = this.depth;
    this.#gatherTicks = 0;
    this.#gatherEndMs = performance.now() + MAX_GATHER_MS;
    setImmediate(this.#gatherTick);
  }

  readonly #gatherTick = (): void => {
    this.#gatherTicks += 1;
    const waiting = this.depth;
    const more = this.#gatherTicks < MAX_GATHER_TICKS && waiting > this.#gathered && waiting < this.#full;
    if (more && performance.now() <= this.#gatherEndMs) {
      this.#gathered = waiting;
      setImmediate(this.#gatherTick);
      return;
    }
    this.#gathering = false;
    this.#startAll();
  };

  /** Starts what can run: first on idle lanes, so that batches of different partitions run at the same time. */
  #startAll(): void {
    for (let batches = 0; batches < LANE_DEPTH && this.depth > 0; batches++) {
      for (const lane of this.#lanes) {
        if (lane.batches === batches && this.#hasRoom(lane)) this.#start(lane);
      }
    }
  }

  #start(lane: Lane): void {
    const batch = this.#take(lane, lane.batches === 0 ? 1 : this.#full);
    if (batch.length === 0) return;
    lane.batches += 1;
    this.#running += batch.length;
    for (const { partition } of batch) {
      const owner = this.#owners.get(partition);
      if (owner === undefined) this.#owners.set(partition, { lane, items: 1 });
      else owner.items += 1;
    }
    void this.#run(batch, lane);
  }

  /** Removes from the queue what a lane may run now, urgent items first; nothing when those are fewer than `least`. */
  #take(lane: Lane, least: number): Item[] {
    const mayRun = ({ partition }: Item) => (this.#owners.get(partition)?.lane ?? lane) === lane;
    const batch = this.#urgent.concat(this.#normal).filter(mayRun).slice(0, this.#full);
    if (batch.length < least) return [];
    const taken = new Set(batch);
    this.#urgent = this.#urgent.filter((item) => !taken.has(item));
    this.#normal = this.#normal.filter((item) => !taken.has(item));
    return batch;
  }

  #finish(batch: readonly Item[], lane: Lane): void {
    this.#crowd = Math.max(this.#running + this.depth, this.#crowd * CROWD_DECAY);
    this.#running -= batch.length;
    lane.batches -= 1;
    for (const { partition } of batch) {
      const owner = this.#owners.get(partition);
      if (owner === undefined) continue;
      owner.items -= 1;
      if (owner.items === 0) this.#owners.delete(partition);
    }
    this.#startAll();
    this.#reportIdle();
  }

  #reportIdle(): void {
    if (this.depth > 0 || this.#running > 0) return;
    const waiting = this.#onIdle;
    this.#onIdle = [];
    for (const resolve of waiting) resolve();
  }

  /** Sends the next batch before it hands out the outcomes, so that the database works while this process does. */
  #run(batch: Item[], lane: Lane): Promise<void> {
    const finish = () => this.#finish(batch, lane);
    return this.#options.execute(batch, lane.number).then(
      (outcomes) => {
        finish();
        batch.forEach((item, index) => {
          complete(item, outcomes[index]);
        });
      },
      (error: unknown) => this.#fail(batch, lane.number, error).finally(finish),
    );
  }

  async #fail(batch: readonly Item[], lane: number, error: unknown): Promise<void> {
    if (batch.length === 1 || !this.#options.isItemError(error)) {
      for (const item of batch) item.failed(error);
      return;
    }
    for (const item of batch) await this.#runAlone(item, lane);
  }

  async #runAlone(item: Item, lane: number): Promise<void> {
    let outcomes: Outcome[];
    try {
      outcomes = await this.#options.execute([item], lane);
    } catch (error) {
      item.failed(error);
      return;
    }
    complete(item, outcomes[0]);
  }
}

function complete<Outcome>(item: BatchItem<Outcome>, outcome: Outcome | undefined): void {
  if (outcome === undefined) item.failed(new Error("the batch gave no outcome for this item"));
  else item.completed(outcome);
}
