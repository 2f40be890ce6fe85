/** Options of a batch queue. */
export interface BatchQueueOptions<Item, Outcome> {
  /** Executes one batch; returns one outcome per item, in their order. */
  execute(items: Item[]): Promise<Outcome[]>;
  /** True for items that precede the others. */
  isUrgent(item: Item): boolean;
  /** True for an error that one item may have caused, so that the others may succeed alone. The batch had no effect. */
  isItemError(error: unknown): boolean;
  maxItems?: number;
}

interface Waiting<Item, Outcome> {
  item: Item;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/** Measured: larger batches gain no throughput and add latency. Source: docs/reliability.md#a1. */
const MAX_ITEMS = 500;
const MAX_GATHER_TICKS = 4;
/** A tick of an overloaded event loop takes hundreds of milliseconds; gathering stops after this time. */
const MAX_GATHER_MS = 5;

/**
 * Natural batching: items that are submitted while a batch runs form the next batch, which starts when the former
 * returns. There is no delay timer: an idle queue adds no latency, a loaded one executes many items per transaction.
 * When an item's error fails a batch, its items run one by one, so that a bad item never fails the others; every other
 * error rejects all of them.
 */
export class BatchQueue<Item, Outcome> {
  readonly #options: BatchQueueOptions<Item, Outcome>;
  readonly #urgent: Waiting<Item, Outcome>[] = [];
  readonly #normal: Waiting<Item, Outcome>[] = [];
  #running: Promise<void> | null = null;

  constructor(options: BatchQueueOptions<Item, Outcome>) {
    this.#options = options;
  }

  /** Items that are waiting for a batch. */
  get depth(): number {
    return this.#urgent.length + this.#normal.length;
  }

  /** Puts an item into the next batch. Throws: what the item's own execution threw. */
  submit(item: Item): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const queue = this.#options.isUrgent(item) ? this.#urgent : this.#normal;
      queue.push({ item, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Removes an item that still waits; its promise then never settles. Returns whether it was waiting. */
  withdraw(item: Item): boolean {
    const queue = this.#options.isUrgent(item) ? this.#urgent : this.#normal;
    const index = queue.findIndex((waiting) => waiting.item === item);
    if (index !== -1) queue.splice(index, 1);
    return index !== -1;
  }

  /** Resolves when no item waits or runs. */
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
   * Waits one tick of the event loop for more items, and further ticks while each adds some: under load this doubles
   * the size of a batch, for a single item it costs one tick.
   */
  async #gather(): Promise<void> {
    const endMs = performance.now() + MAX_GATHER_MS;
    let gathered = 0;
    for (let tick = 0; tick < MAX_GATHER_TICKS && this.depth > gathered; tick += 1) {
      if (performance.now() > endMs) return;
      gathered = this.depth;
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }

  #next(): Waiting<Item, Outcome>[] {
    const max = this.#options.maxItems ?? MAX_ITEMS;
    const batch = this.#urgent.splice(0, max);
    return batch.concat(this.#normal.splice(0, max - batch.length));
  }

  async #runBatch(batch: Waiting<Item, Outcome>[]): Promise<void> {
    try {
      const outcomes = await this.#options.execute(batch.map((waiting) => waiting.item));
      for (const [index, waiting] of batch.entries()) resolveItem(waiting, outcomes[index]);
    } catch (error) {
      if (batch.length === 1 || !this.#options.isItemError(error)) {
        for (const waiting of batch) waiting.reject(error);
        return;
      }
      for (const waiting of batch) await this.#runBatch([waiting]);
    }
  }
}

function resolveItem<Item, Outcome>(waiting: Waiting<Item, Outcome>, outcome: Outcome | undefined): void {
  if (outcome === undefined) waiting.reject(new Error("the batch gave no outcome for this item"));
  else waiting.resolve(outcome);
}

/** Separates records; never occurs inside one. */
const SEPARATOR = "\u001f";

/** A field of a record. */
export type RecordValue = string | number | bigint | boolean | null;

/**
 * Rows as one parameter: the text forms of PostgreSQL records with unit separators between them, for
 * `string_to_array($1, E'\\x1f')::some_type[]`. Null for no rows. Removes the separator and characters that PostgreSQL
 * refuses from texts.
 */
export function recordsText(rows: readonly (readonly RecordValue[])[]): string | null {
  return rows.length === 0 ? null : rows.map(recordText).join(SEPARATOR);
}

/** A text array as one field of a record. */
export function textArray(values: readonly string[]): string {
  return values.length === 0 ? "{}" : `{${values.map(arrayElement).join(",")}}`;
}

/** JSON as one field of a record, without NUL and lone surrogates, which PostgreSQL's jsonb refuses. */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value);
  // JSON.stringify always escapes both. Each match is one whole escape, so an escaped backslash cannot hide one.
  return text.includes("\\u") ? text.replace(/\\(?:u[0-9a-f]{4}|.)/g, storableEscape) : text;
}

function storableEscape(sequence: string): string {
  if (sequence === "\\u0000") return "";
  return /^\\ud[89a-f]/.test(sequence) ? "\ufffd" : sequence;
}

function recordText(values: readonly RecordValue[]): string {
  let text = "";
  let comma = "(";
  for (const value of values) {
    text += comma;
    comma = ",";
    if (value !== null) text += typeof value === "string" ? field(value) : value;
  }
  return `${text})`;
}

/** Quotes a text unless it needs none: ids, dates, plain words. */
function field(text: string): string {
  return /^[\w:.-]+$/.test(text) ? text : quoted(storable(text));
}

function arrayElement(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

/** PostgreSQL reads a doubled character inside quotes as one. Two plain replacements are twice as fast as a pattern. */
function quoted(text: string): string {
  const slashed = text.includes("\\") ? text.replaceAll("\\", "\\\\") : text;
  return `"${slashed.replaceAll('"', '""')}"`;
}

function storable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these two characters must be removed
  const clean = /[\u0000\u001f]/.test(text) ? text.replace(/[\u0000\u001f]/g, "") : text;
  return clean.toWellFormed();
}
