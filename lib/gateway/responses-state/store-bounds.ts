import type { Database } from "@/lib/db/database";
import { onlyRow } from "@/lib/db/rows";

/** What an account and the whole installation may keep. Units: bytes. Source: docs/responses.md#s4-3. */
export interface StoreBounds {
  accountBytes: number;
  totalBytes: number;
}

/** Which bound the oldest responses had to leave for. */
export type StoreBound = "account" | "installation";

/** What bounds work with. */
export interface StoreBoundsOptions {
  database: Pick<Database, "query">;
  bounds: StoreBounds;
  /** Responses were deleted so that younger ones have room. */
  onEvicted(bound: StoreBound, count: number): void;
  /** The installation's bound could not be kept this time. */
  onError(error: unknown): void;
}

/** What a row counts beside its content, as in the database. Units: bytes. */
const ROW_BYTES = 1_024;

/** Rows that one statement deletes at most. */
const ACCOUNT_ROWS = 200;
const TOTAL_ROWS = 5_000;
/** More statements in a row mean that others store as fast as this deletes. */
const MOST_STATEMENTS = 100;
/** What this process stores before it looks at the sum of all again: this share of the bound, but not more than so much. */
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

  /** What all accounts had stored when this process last looked, and what it has stored since. Units: bytes. */
  get totalBytes(): number {
    return this.#totalBytes + (Number.isFinite(this.#uncheckedBytes) ? this.#uncheckedBytes : 0);
  }

  /** True for a response that no account may keep. Units: bytes. */
  isTooLarge(bytes: number): boolean {
    const { accountBytes, totalBytes } = this.bounds;
    return bytes + ROW_BYTES > Math.min(accountBytes, totalBytes);
  }

  /**
   * A response has been stored. `accountBytes`: what its account had stored before. Deletes the oldest responses that are
   * too many with it, of the account before it resolves, of the installation soon after.
   */
  async stored(userId: string, bytes: number, accountBytes: number): Promise<void> {
    this.#uncheckedBytes += bytes + ROW_BYTES;
    const { bounds } = this.#options;
    if (accountBytes + bytes + ROW_BYTES > bounds.accountBytes)
      await this.#evict("account", userId, bounds.accountBytes, bounds.accountBytes);
    const checkBytes = Math.min(CHECK_BYTES, bounds.totalBytes * CHECK_SHARE);
    if (this.#uncheckedBytes >= checkBytes) void this.check();
  }

  /** Looks at the sum of all accounts, and deletes the oldest responses beyond the bound. Never rejects. */
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
      // A little below the bound, so that not every response makes this work.
      this.#totalBytes = await this.#evict("installation", null, totalBytes, totalBytes * (1 - CHECK_SHARE));
    } catch (error) {
      this.#options.onError(error);
    }
  }

  /** Returns what is still stored. Units: bytes. */
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
