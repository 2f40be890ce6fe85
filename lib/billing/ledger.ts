import { BatchQueue } from "@/lib/db/batch-queue";
import { DeadlineError, withDeadline } from "@/lib/kernel/clock";
import { AdaptiveConcurrencyLimit } from "@/lib/kernel/concurrency";
import { atCapacity, GatewayError } from "@/lib/kernel/errors";
import type { Database } from "../db/database";
import { isAmbiguous, isCausedByRows, isOverload, isTransient } from "../db/database-error";
import {
  executeLedgerBatch,
  type HoldOutcome,
  type HoldRequest,
  type LedgerEvent,
  type LedgerItem,
  type LedgerItemOutcome,
  type SettledOutcome,
} from "./ledger-batch";
import { ReleaseQueue } from "./release-queue";
import { type Settlement, settlementRow } from "./settlement";
import { Spool } from "./spool";
import { SpoolDrain } from "./spool-drain";

/** The result of a settlement; `spooled`: it is durable on the local disk and reaches the database later. */
export type SettleOutcome = SettledOutcome | "spooled";

/** Options of a ledger. Units: milliseconds and seconds by name. */
export interface LedgerOptions {
  database: Database;
  instanceId: string;
  /** Refuse every hold that exceeds the remaining quota, also the last one that would overdraw it. */
  quotaStrict: boolean;
  spoolDirectory: string;
  onEvent(event: LedgerEvent): void;
  /** A hold expires after this; longer than any request. */
  holdSeconds?: number;
  /** How long a hold waits while the database completes no batch. */
  holdBudgetMs?: number;
  /** How long a hold waits at most, while the database completes other batches. */
  maxHoldMs?: number;
  settleBudgetMs?: number;
  spoolBytes?: number;
}

const HOLD_SECONDS = 1_200;
/** Together with the ping after it, a request is refused within a second while the database is unreachable. */
const HOLD_BUDGET_MS = 700;
/** The embedded database has one queue, in which a report may precede the hold. */
const EMBEDDED_HOLD_BUDGET_MS = 2_000;
/** A burst of thousands of holds may wait this long; under lasting load the concurrency limit keeps waits shorter. */
const MAX_HOLD_MS = 5_000;
const ANSWERS_WITHIN_MS = 200;
const SETTLE_BUDGET_MS = 500;
const BATCH_TIMEOUT_MS = 3_000;
const DRAIN_MS = 5_000;

/**
 * Makes every change of balances: a hold at admission, then exactly one settlement.
 * Source: docs/reliability.md#s2-3, #s2-5, #s2-7.
 */
export class Ledger {
  readonly #options: LedgerOptions;
  readonly #batches: BatchQueue<LedgerItem, LedgerItemOutcome>;
  readonly #spool: Spool;
  readonly #drain: SpoolDrain;
  readonly #releases: ReleaseQueue;
  readonly #holdLimit = new AdaptiveConcurrencyLimit();
  /** When the database last completed a batch. Units: milliseconds of the monotonic clock. */
  #lastSuccessMs = Number.NEGATIVE_INFINITY;

  private constructor(options: LedgerOptions, spool: Spool) {
    this.#options = options;
    this.#spool = spool;
    this.#batches = new BatchQueue({
      execute: (items) => this.#execute(items),
      isUrgent: (item) => item.kind === "settle",
      isItemError: isCausedByRows,
    });
    this.#releases = new ReleaseQueue(options.database);
    this.#drain = new SpoolDrain({
      spool,
      directory: options.spoolDirectory,
      settle: (settlement) => this.#submitSettlement(itemOf(settlement)),
      onEvent: options.onEvent,
    });
  }

  /** Opens the ledger and its spool. Throws: the file system's error when the spool cannot be written. */
  static async open(options: LedgerOptions): Promise<Ledger> {
    const spool = await Spool.open(options.spoolDirectory, options.spoolBytes);
    if (spool.tornFiles > 0) options.onEvent({ kind: "spool_torn", files: spool.tornFiles });
    return new Ledger(options, spool);
  }

  /**
   * Reserves quota. A refusal is a value; see `HoldOutcome`. A hold whose outcome is unknown is released later.
   * Throws: INTERNAL_ERROR when the database does not answer, NO_AVAILABLE_NODE when it is overloaded; then the request
   * must not continue.
   */
  async hold(hold: HoldRequest): Promise<HoldOutcome> {
    const item: LedgerItem = { kind: "hold", hold };
    const startMs = performance.now();
    this.#holdLimit.begin(startMs);
    const attempt = this.#submitHold(item);
    try {
      return await this.#waitForHold(attempt, startMs);
    } catch (cause) {
      if (!this.#batches.withdraw(item)) this.#releaseWhenKnown(hold, attempt);
      throw await this.#holdError(cause, startMs);
    } finally {
      const now = performance.now();
      this.#holdLimit.end(now - startMs, now);
    }
  }

  /**
   * True while more holds are in flight than finish in time, or the spool is full; a request that arrives now would
   * only wait for a refusal.
   */
  get atCapacity(): boolean {
    return this.#holdLimit.full || this.#spool.problem === "full";
  }

  /**
   * Records a request that has ended, billed or not, and ends its hold. Once it resolves, the outcome survives any
   * crash; unless it is "spooled", the database has it. Idempotent by request id.
   * Throws: when neither the database nor the spool accepts it, or when the settlement itself is invalid.
   */
  async settle(settlement: Settlement): Promise<SettleOutcome> {
    const item = itemOf(settlement);
    this.#reportOverrun(settlement);
    const deadline = performance.now() + (this.#options.settleBudgetMs ?? SETTLE_BUDGET_MS);
    try {
      return await withDeadline(this.#submitWithResend(item), deadline - performance.now());
    } catch (cause) {
      if (!isTransient(cause)) throw cause;
      this.#batches.withdraw(item);
      await this.#spool.append(settlement);
      this.#options.onEvent({ kind: "spooled", requestId: settlement.requestId, cause });
      this.#drain.wake();
      return "spooled";
    }
  }

  /** Replays the spool of an earlier process into the database at startup. Returns true when nothing remains in it. */
  recover(): Promise<boolean> {
    return this.#drain.once();
  }

  /**
   * For readiness and metrics: holds and settlements in the queue, spooled settlements, and the problem of the spool.
   */
  status(): { waiting: number; spooled: number; spoolProblem: Spool["problem"] } {
    return { waiting: this.#batches.depth, spooled: this.#spool.depth, spoolProblem: this.#spool.problem };
  }

  /** At shutdown: finishes running batches, replays the spool once more for at most five seconds, and closes it. */
  async drain(): Promise<void> {
    await this.#batches.idle();
    this.#releases.stop();
    await withDeadline(this.#drain.stop(), DRAIN_MS).catch(() => {});
    await this.#batches.idle();
    await this.#spool.close();
  }

  /**
   * Waits for a hold; every batch that completes restarts the wait, because the queue is moving. Throws: DeadlineError.
   */
  async #waitForHold<T>(attempt: Promise<T>, startMs: number): Promise<T> {
    const budgetMs = this.#holdBudgetMs;
    const deadlineMs = startMs + Math.max(budgetMs, this.#options.maxHoldMs ?? MAX_HOLD_MS);
    let ended = false;
    const end = () => {
      ended = true;
    };
    attempt.then(end, end);
    for (let remainingMs = budgetMs; ; ) {
      try {
        return await withDeadline(attempt, remainingMs);
      } catch (cause) {
        if (ended || !(cause instanceof DeadlineError)) throw cause;
        remainingMs = Math.min(this.#lastSuccessMs + budgetMs, deadlineMs) - performance.now();
        if (remainingMs <= 0) throw new DeadlineError(performance.now() - startMs);
      }
    }
  }

  /**
   * The error of a hold that failed: overload when the database answers, otherwise an internal error.
   * Source: docs/contract.md#b5.
   */
  async #holdError(cause: unknown, startMs: number): Promise<GatewayError> {
    const isLate = cause instanceof DeadlineError;
    const answers =
      isLate && (this.#lastSuccessMs > startMs || (await this.#options.database.answers(ANSWERS_WITHIN_MS)));
    if (answers || isOverload(cause)) return atCapacity(cause);
    return new GatewayError(
      "INTERNAL_ERROR",
      "The request could not be admitted; nothing was billed. Try again.",
      { cause },
    );
  }

  async #submitHold(item: LedgerItem): Promise<HoldOutcome> {
    const result = await this.#batches.submit(item);
    if (result.kind !== "hold") throw new Error("a hold got the outcome of a settlement");
    return result.outcome;
  }

  async #submitSettlement(item: LedgerItem): Promise<SettledOutcome> {
    const result = await this.#batches.submit(item);
    if (result.kind !== "settle") throw new Error("a settlement got the outcome of a hold");
    return result.outcome;
  }

  /** Sends a settlement again when its connection was lost; settlements are idempotent. */
  async #submitWithResend(item: LedgerItem): Promise<SettledOutcome> {
    try {
      return await this.#submitSettlement(item);
    } catch (error) {
      if (!isAmbiguous(error)) throw error;
      return this.#submitSettlement(item);
    }
  }

  async #execute(items: LedgerItem[]): Promise<LedgerItemOutcome[]> {
    const { database, instanceId, quotaStrict, holdSeconds = HOLD_SECONDS } = this.#options;
    const done = executeLedgerBatch(database, { instanceId, quotaStrict, holdSeconds }, items);
    try {
      const outcomes = await (database.kind === "embedded" ? done : withDeadline(done, BATCH_TIMEOUT_MS));
      this.#lastSuccessMs = performance.now();
      return outcomes;
    } catch (error) {
      if (error instanceof DeadlineError) await database.resetBatch();
      throw error;
    }
  }

  get #holdBudgetMs(): number {
    const { holdBudgetMs, database } = this.#options;
    return holdBudgetMs ?? (database.kind === "embedded" ? EMBEDDED_HOLD_BUDGET_MS : HOLD_BUDGET_MS);
  }

  #releaseWhenKnown(hold: HoldRequest, attempt: Promise<HoldOutcome>): void {
    const release = (cause: unknown): void => {
      this.#options.onEvent({ kind: "release_queued", requestId: hold.requestId, cause });
      this.#releases.add(hold);
    };
    attempt.then(
      (outcome) => outcome.held && release(new DeadlineError(this.#holdBudgetMs)),
      (error) => isAmbiguous(error) && release(error),
    );
  }

  #reportOverrun({ model, costMicroCents, heldMicroCents }: Settlement): void {
    const microCents = costMicroCents - heldMicroCents;
    if (microCents > 0n) this.#options.onEvent({ kind: "overrun", model, microCents });
  }
}

function itemOf(settlement: Settlement): LedgerItem {
  return { kind: "settle", settlement, row: settlementRow(settlement) };
}
