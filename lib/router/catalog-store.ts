import { CONFIG_CHANNEL, readConfigVersion } from "@/lib/db/config-channel";
import type { Database } from "@/lib/db/database";
import type { CatalogSnapshot } from "./catalog";
import { loadCatalog } from "./load-catalog";

/** How often the version is compared; a change is seen after at most this long. */
const CHECK_EVERY_MS = 2_000;

/** Where a store gets the configuration from, and whom it tells. */
export interface CatalogSource {
  load(): Promise<CatalogSnapshot>;
  readVersion(): Promise<string>;
  /** A background check or reload failed; the old snapshot stays. */
  onError(error: unknown): void;
  onChange?(snapshot: CatalogSnapshot): void;
  /** Calls back when a change is announced; the result ends that. */
  subscribe?(changed: () => void): Promise<() => Promise<void>>;
}

/**
 * The snapshot in memory. Requests read `current`; loading happens in the background, on demand and when the
 * version in the database has changed. Source: docs/architecture.md#s1-8.
 */
export class CatalogStore {
  private timer: NodeJS.Timeout | null = null;
  private loading: Promise<CatalogSnapshot> | null = null;
  private again = false;
  private change: Promise<unknown> | null = null;
  private unsubscribe: (() => Promise<void>) | null = null;

  private constructor(
    private readonly source: CatalogSource,
    private snapshot: CatalogSnapshot,
  ) {}

  /** Loads the first snapshot and begins to watch. Throws: the driver's error when the first load fails. */
  static async open(source: CatalogSource, checkEveryMs = CHECK_EVERY_MS): Promise<CatalogStore> {
    const store = new CatalogStore(source, await source.load());
    source.onChange?.(store.snapshot);
    store.timer = setInterval(() => void store.check(), checkEveryMs);
    store.timer.unref();
    store.unsubscribe = (await source.subscribe?.(() => void store.reload().catch(source.onError))) ?? null;
    return store;
  }

  get current(): CatalogSnapshot {
    return this.snapshot;
  }

  /** Loads now; whoever asks while a load runs gets the one after it, so that their own change is in it. */
  async reload(): Promise<CatalogSnapshot> {
    if (this.loading !== null) {
      this.again = true;
      return this.loading;
    }
    this.loading = this.loadUntilSettled();
    try {
      return await this.loading;
    } finally {
      this.loading = null;
    }
  }

  /** Compares the version once and reloads if it differs or a future price has begun. Never rejects. */
  async check(): Promise<void> {
    try {
      const { nextPriceAt } = this.snapshot;
      const priceDue = nextPriceAt !== null && nextPriceAt.getTime() <= Date.now();
      if (priceDue || (await this.source.readVersion()) !== this.snapshot.version) await this.reload();
    } catch (error) {
      this.source.onError(error);
    }
  }

  /**
   * Loads nothing while a change of many steps is made, and what was made once it is whole. When it fails, the snapshot
   * of before stays. Throws: what the change throws; the driver's error. Source: docs/contract.md#b15.
   */
  async reloadAfter(change: () => Promise<unknown>): Promise<CatalogSnapshot> {
    while (this.loading !== null) await this.loading.catch(() => {});
    const made = change();
    this.change = made.catch(() => {});
    try {
      await made;
    } finally {
      this.change = null;
    }
    return this.reload();
  }

  /** Ends the watching. */
  async close(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
    await this.unsubscribe?.();
  }

  private async loadUntilSettled(): Promise<CatalogSnapshot> {
    do {
      if (this.change !== null) await this.change;
      this.again = false;
      this.snapshot = await this.source.load();
    } while (this.again);
    this.source.onChange?.(this.snapshot);
    return this.snapshot;
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
