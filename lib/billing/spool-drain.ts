import { appendFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isTransient } from "../db/database-error";
import type { LedgerEvent } from "./ledger-event";
import type { SettledOutcome, Settlement } from "./settlement";
import { encodeSettlement, type ReplayVerdict, type Spool } from "./spool";

const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 5_000;

/** Replays spooled settlements into the database, with exponential backoff while it does not accept them. */
export class SpoolDrain {
  readonly #spool: Spool;
  readonly #refusedFile: string;
  readonly #settle: (settlement: Settlement) => Promise<SettledOutcome>;
  readonly #onEvent: (event: LedgerEvent) => void;
  readonly #stopping = new AbortController();
  #running: Promise<void> | null = null;
  #replaying: Promise<boolean> | null = null;

  constructor(options: {
    spool: Spool;
    directory: string;
    settle(settlement: Settlement): Promise<SettledOutcome>;
    onEvent(event: LedgerEvent): void;
  }) {
    this.#spool = options.spool;
    this.#refusedFile = path.join(options.directory, "refused.jsonl");
    this.#settle = options.settle;
    this.#onEvent = options.onEvent;
  }

  /** Starts draining in the background, unless it is running. */
  wake(): void {
    if (this.#stopping.signal.aborted) return;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
      if (this.#spool.depth > 0) this.wake();
    });
  }

  /** Replays the spool once and continues in the background if any remain. Returns true when none remain. */
  async once(): Promise<boolean> {
    const done = await this.#replay();
    if (!done) this.wake();
    return done;
  }

  /** Stops the backoff and replays once more. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    await this.#replay();
  }

  async #run(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    while (!(await this.#replay()) && !this.#stopping.signal.aborted) {
      const jittered = pauseMs * (0.5 + Math.random() / 2);
      await sleep(jittered, undefined, { signal: this.#stopping.signal, ref: false }).catch(() => {});
      pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2);
    }
  }

  /** Runs one replay at a time, because two would read the same records. */
  #replay(): Promise<boolean> {
    this.#replaying ??= this.#spool
      .replay((settlements) => this.#apply(settlements))
      .catch((cause: unknown) => {
        this.#onEvent({ kind: "spool_failed", cause });
        return false;
      })
      .finally(() => {
        this.#replaying = null;
      });
    return this.#replaying;
  }

  async #apply(settlements: Settlement[]): Promise<ReplayVerdict> {
    const results = await Promise.allSettled(settlements.map((settlement) => this.#settle(settlement)));
    const failed = results.flatMap((result, index) => {
      const settlement = settlements[index];
      return result.status === "rejected" && settlement ? [{ settlement, cause: result.reason }] : [];
    });
    if (failed.some(({ cause }) => isTransient(cause))) return "stop";
    for (const { settlement, cause } of failed) await this.#storeRefused(settlement, cause);
    this.#onEvent({ kind: "replayed", count: settlements.length - failed.length });
    return "applied";
  }

  /** Stores a settlement that the database refuses permanently, so that it neither blocks the others nor is lost. */
  async #storeRefused(settlement: Settlement, cause: unknown): Promise<void> {
    await appendFile(this.#refusedFile, `${encodeSettlement(settlement)}\n`, { mode: 0o600, flush: true });
    this.#onEvent({ kind: "spool_refused", requestId: settlement.requestId, cause });
  }
}
