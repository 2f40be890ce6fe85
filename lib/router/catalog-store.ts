import { CONFIG_CHANNEL, readConfigVersion } from "@/lib/db/config-version";
import type { Database } from "@/lib/db/database";
import type { CatalogSnapshot } from "./catalog";
import { loadCatalog } from "./load-catalog";

/** Interval of version checks; a change is detected within this time. */
const CHECK_INTERVAL_MS = 2_000;

/** How a store loads the configuration, and its callbacks. */
export interface CatalogSource {
  load(): Promise<CatalogSnapshot>;
  readVersion(): Promise<string>;
  /** Called when a background check or reload failed; the old snapshot stays. */
  onError(error: unknown): void;
  onChange?(snapshot: CatalogSnapshot): void;
  /** Subscribes to announced changes; the result ends the subscription. */
  subscribe?(changed: () => void): Promise<() => Promise<void>>;
}

/**
 * The snapshot in memory. Requests read `current`; loading happens in the background, on demand and when the
 * version in the database has changed. Source: docs/architecture.md#s1-8.
 */
export class CatalogStore {
  #timer: NodeJS.Timeout | null = null;
  #loading: Promise<CatalogSnapshot> | null = null;
  #reloadRequested = false;
  #change: Promise<unknown> | null = null;
  #unsubscribe: (() => Promise<void>) | null = null;
  readonly #source: CatalogSource;

  private constructor(
    source: CatalogSource,
    /** The snapshot that requests read; only the store replaces it. */
    public current: CatalogSnapshot,
  ) {
    this.#source = source;
  }

  /** Loads the first snapshot and starts the version checks. Throws: the driver's error when the first load fails. */
  static async open(source: CatalogSource, checkIntervalMs = CHECK_INTERVAL_MS): Promise<CatalogStore> {
    const store = new CatalogStore(source, await source.load());
    source.onChange?.(store.current);
    store.#timer = setInterval(() => void store.check(), checkIntervalMs);
    store.#timer.unref();
    store.#unsubscribe = (await source.subscribe?.(() => void store.reload().catch(source.onError))) ?? null;
    return store;
  }

  /** Loads a new snapshot; callers that arrive during a load get the next one, so that it includes their change. */
  async reload(): Promise<CatalogSnapshot> {
    if (this.#loading !== null) {
      this.#reloadRequested = true;
      return this.#loading;
    }
    this.#loading = this.#loadUntilSettled();
    try {
      return await this.#loading;
    } finally {
      this.#loading = null;
    }
  }

  /** Compares the version once and reloads if it differs or a future price has taken effect. Never rejects. */
  async check(): Promise<void> {
    try {
      const { nextPriceAt } = this.current;
      const priceDue = nextPriceAt !== null && nextPriceAt.getTime() <= Date.now();
      if (priceDue || (await this.#source.readVersion()) !== this.current.version) await this.reload();
    } catch (error) {
      this.#source.onError(error);
    }
  }

  /**
   * Runs a change of several steps without loading in between, then reloads. When the change fails, the old snapshot
   * stays. Throws: what the change throws; the driver's error. Source: docs/contract.md#b15.
   */
  async reloadAfter(change: () => Promise<unknown>): Promise<CatalogSnapshot> {
    while (this.#loading !== null) await this.#loading.catch(() => {});
    const running = change();
    this.#change = running.catch(() => {});
    try {
      await running;
    } finally {
      this.#change = null;
    }
    return this.reload();
  }

  /** Stops the version checks and the subscription. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    await this.#unsubscribe?.();
  }

  async #loadUntilSettled(): Promise<CatalogSnapshot> {
    do {
      if (this.#change !== null) await this.#change;
      this.#reloadRequested = false;
      this.current = await this.#source.load();
    } while (this.#reloadRequested);
    this.#source.onChange?.(this.current);
    return this.current;
  }
}

/** A store over the database that also reloads when another process announces a change. */
export function openCatalog(
  database: Database,
  onError: (error: unknown) => void,
  onChange?: (snapshot: CatalogSnapshot) => void,
): Promise<CatalogStore> {
  return CatalogStore.open({
    load: () => loadCatalog(database),
    readVersion: () => readConfigVersion(database),
    onError,
    onChange,
    subscribe: (changed) => database.listen(CONFIG_CHANNEL, changed),
  });
}
