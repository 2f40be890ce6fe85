/** How a batch lane works. */
export interface BatchQueueOptions<Item, Outcome> {
  /** Does one batch; one outcome per item, in their order. */
  execute(items: Item[]): Promise<Outcome[]>;
  /** True for items that go before the others. */
  isUrgent(item: Item): boolean;
  /** True when an error is one item's fault, so that the others may do better alone. Nothing of the batch was done. */
  isOneItemsFault(error: unknown): boolean;
  maxItems?: number;
}

interface Waiting<Item, Outcome> {
  item: Item;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/** Measured: larger batches gain nothing and make the others wait. Source: docs/reliability.md#a1. */
const MAX_ITEMS = 500;
const MAX_TURNS = 4;
/** A turn of a loop with too much to do takes hundreds of milliseconds; what has come is enough then. */
const GATHER_MS = 5;

/**
 * Natural batching: what is submitted while a batch is under way forms the next one, which leaves when the former
 * returns. No timer: an idle lane adds nothing, a loaded lane does many items in one transaction.
 * When one item's fault fails a batch, its items are tried one by one, so that a bad item never fails its neighbours;
 * every other error is the error of all of them.
 */
export class BatchQueue<Item, Outcome> {
  readonly #options: BatchQueueOptions<Item, Outcome>;
  readonly #urgent: Waiting<Item, Outcome>[] = [];
  readonly #ordinary: Waiting<Item, Outcome>[] = [];
  #running: Promise<void> | null = null;

  constructor(options: BatchQueueOptions<Item, Outcome>) {
    this.#options = options;
  }

  /** Items that are waiting for a batch. */
  get depth(): number {
    return this.#urgent.length + this.#ordinary.length;
  }

  /** Puts an item into the next batch. Throws: what the item's own execution threw. */
  submit(item: Item): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const queue = this.#options.isUrgent(item) ? this.#urgent : this.#ordinary;
      queue.push({ item, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Takes an item back that is still waiting; its promise then never settles. Returns whether it was. */
  withdraw(item: Item): boolean {
    const queue = this.#options.isUrgent(item) ? this.#urgent : this.#ordinary;
    const index = queue.findIndex((waiting) => waiting.item === item);
    if (index !== -1) queue.splice(index, 1);
    return index !== -1;
  }

  /** Resolves when nothing is waiting or under way. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #run(): Promise<void> {
    while (this.depth > 0) {
      await this.#gather();
      await this.#runBatch(this.#next());
    }
    this.#running = null;
  }

  /**
   * What becomes ready in this turn of the event loop joins the batch, and in the next turns while each brings more:
   * under load that doubles a batch, alone it costs one turn.
   */
  async #gather(): Promise<void> {
    const endMs = performance.now() + GATHER_MS;
    let gathered = 0;
    for (let turn = 0; turn < MAX_TURNS && this.depth > gathered; turn += 1) {
      if (performance.now() > endMs) return;
      gathered = this.depth;
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }

  #next(): Waiting<Item, Outcome>[] {
    const max = this.#options.maxItems ?? MAX_ITEMS;
    const batch = this.#urgent.splice(0, max);
    return batch.concat(this.#ordinary.splice(0, max - batch.length));
  }

  async #runBatch(batch: Waiting<Item, Outcome>[]): Promise<void> {
    try {
      const outcomes = await this.#options.execute(batch.map((waiting) => waiting.item));
      for (const [index, waiting] of batch.entries()) settleOne(waiting, outcomes[index]);
    } catch (error) {
      if (batch.length === 1 || !this.#options.isOneItemsFault(error)) {
        for (const waiting of batch) waiting.reject(error);
        return;
      }
      for (const waiting of batch) await this.#runBatch([waiting]);
    }
  }
}

function settleOne<Item, Outcome>(waiting: Waiting<Item, Outcome>, outcome: Outcome | undefined): void {
  if (outcome === undefined) waiting.reject(new Error("the batch gave no outcome for this item"));
  else waiting.resolve(outcome);
}
