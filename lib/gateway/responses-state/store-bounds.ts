import type { Database } from "@/lib/db/database";
import { onlyRow } from "@/lib/db/rows";

/** How much an account and the whole installation may store. Units: bytes. Source: docs/responses.md#s4-3. */
export interface StoreBounds {
  accountBytes: number;
  totalBytes: number;
}

/** The bound because of which the oldest responses were deleted. */
export type StoreBound = "account" | "installation";

/** What the limits need. */
export interface StoreBoundsOptions {
  database: Pick<Database, "query">;
  bounds: StoreBounds;
  /** Called when responses were deleted to make room for newer ones. */
  onEvicted(bound: StoreBound, count: number): void;
  /** Called when the installation's bound could not be enforced. */
  onError(error: unknown): void;
}

/** What each row counts in addition to its content, as in the database. Units: bytes. */
const ROW_BYTES = 1_024;

/** Rows that one statement deletes at most. */
const ACCOUNT_ROWS = 200;
const TOTAL_ROWS = 5_000;
/** More statements in a row mean that other processes store as fast as this one deletes. */
const MOST_STATEMENTS = 100;
/** How much this process stores before it checks the total again: this share of the bound, at most `CHECK_BYTES`. */
const CHECK_SHARE = 1 / 64;
const CHECK_BYTES = 64 * 1024 * 1024;

interface Eviction {
  freed: bigint;
  evicted: bigint;
  stored: bigint;
}

/** Keeps what is stored within the bounds of accounts and of the installation. Throws: the database's errors. */
export class StoreLimits {
  readonly #options: StoreBoundsOptions;
  #uncheckedBytes = Number.POSITIVE_INFINITY;
  #checking: Promise<void> | null = null;
  #totalBytes = 0;

  constructor(options: StoreBoundsOptions) {
    this.#options = options;
  }

  /** The bounds. */
  get bounds(): StoreBounds {
    return this.#options.bounds;
  }

  /** The total of all accounts at the last check, plus what this process has stored since. Units: bytes. */
  get totalBytes(): number {
    return this.#totalBytes + (Number.isFinite(this.#uncheckedBytes) ? this.#uncheckedBytes : 0);
  }

  /** True for a response that no account may keep. Units: bytes. */
  isTooLarge(bytes: number): boolean {
    const { accountBytes, totalBytes } = this.bounds;
    return bytes + ROW_BYTES > Math.min(accountBytes, totalBytes);
  }

  /**
   * Counts a stored response. `accountBytes`: what its account had stored before. Deletes the oldest responses beyond a
   * bound: of the account before it resolves, of the installation soon after.
   */
  async stored(userId: string, bytes: number, accountBytes: number): Promise<void> {
    this.#uncheckedBytes += bytes + ROW_BYTES;
    const { bounds } = this.#options;
    if (accountBytes + bytes + ROW_BYTES > bounds.accountBytes)
      await this.#evict("account", userId, bounds.accountBytes, bounds.accountBytes);
    const checkBytes = Math.min(CHECK_BYTES, bounds.totalBytes * CHECK_SHARE);
    if (this.#uncheckedBytes >= checkBytes) void this.check();
  }

  /** Checks the total of all accounts, and deletes the oldest responses beyond the bound. Never rejects. */
  check(): Promise<void> {
    this.#checking ??= this.#checkTotal().finally(() => {
      this.#checking = null;
    });
    return this.#checking;
  }

  /** What an account has stored. Units: bytes. */
  async accountBytes(userId: string): Promise<number> {
    const rows = await this.#options.database.query<{ bytes: bigint }>(
      "SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM stored_response_usage WHERE user_id = $1",
      [userId],
    );
    return Number(onlyRow(rows).bytes);
  }

  async #checkTotal(): Promise<void> {
    const { totalBytes } = this.bounds;
    this.#uncheckedBytes = 0;
    try {
      // Deletes to a little below the bound, so that not every response causes this work.
      this.#totalBytes = await this.#evict("installation", null, totalBytes, totalBytes * (1 - CHECK_SHARE));
    } catch (error) {
      this.#options.onError(error);
    }
  }

  /** Returns how much is still stored. Units: bytes. */
  async #evict(bound: StoreBound, userId: string | null, most: number, target: number): Promise<number> {
    const rowsAtOnce = userId === null ? TOTAL_ROWS : ACCOUNT_ROWS;
    for (let statement = 1; ; statement += 1) {
      const rows = await this.#options.database.query<Eviction>(
        "SELECT freed, evicted, stored FROM stored_responses_evict($1, $2, $3, $4)",
        [userId, most, Math.floor(target), rowsAtOnce],
      );
      const row = onlyRow(rows);
      if (row.evicted > 0n) this.#options.onEvicted(bound, Number(row.evicted));
      if (row.freed === 0n || statement === MOST_STATEMENTS) return Number(row.stored);
    }
  }
}
