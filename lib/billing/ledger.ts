import { BatchQueue } from "@/lib/db/batch-queue";
import { AdaptiveConcurrencyLimit } from "@/lib/kernel/adaptive-concurrency";
import { Deadlines } from "@/lib/kernel/deadlines";
import { atCapacity, GatewayError } from "@/lib/kernel/errors";
import type { Waiter } from "@/lib/kernel/waiter";
import { DeadlineError, withDeadline } from "@/lib/kernel/with-deadline";
import type { Database } from "../db/database";
import {
  isAmbiguous,
  isCausedByRows,
  isOverload,
  isReadOnly,
  isTransient,
  takesNoWrites,
} from "../db/database-error";
import { executeLedgerBatch, type LedgerWork, withinLimit } from "./ledger-batch";
import type { LedgerEvent } from "./ledger-event";
import { ReleaseQueue } from "./release-queue";
import {
  type HoldOutcome,
  type HoldRequest,
  type LedgerOutcome,
  type PendingEvents,
  PendingHold,
  PendingSettlement,
  type SettledOutcome,
  type Settlement,
  type SettleOutcome,
} from "./settlement";
import { Spool } from "./spool";
import { SpoolDrain } from "./spool-drain";

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
/** The end of a time limit may be detected this much late. */
const SWEEP_MS = 50;
const BATCH_TIMEOUT_MS = 3_000;
const DRAIN_MS = 5_000;

/**
 * Makes every change of balances: a hold at admission, then exactly one settlement.
 * Source: docs/reliability.md#s2-3, #s2-5, #s2-7.
 */
export class Ledger {
  readonly #options: LedgerOptions;
  readonly #batches: BatchQueue<PendingHold | PendingSettlement, LedgerOutcome>;
  readonly #spool: Spool;
  readonly #drain: SpoolDrain;
  readonly #releases: ReleaseQueue;
  readonly #holdLimit = new AdaptiveConcurrencyLimit();
  readonly #deadlines = new Deadlines(() => performance.now(), SWEEP_MS);
  /** When the database last completed a batch. Units: milliseconds of the monotonic clock. */
  #lastSuccessMs = Number.NEGATIVE_INFINITY;

  private constructor(options: LedgerOptions, spool: Spool) {
    this.#options = options;
    this.#spool = spool;
    this.#batches = new BatchQueue({
      execute: (items, lane) => this.#execute(items, lane),
      isItemError: isCausedByRows,
      lanes: options.database.batchLanes,
      overlaps: options.database.kind === "postgres",
    });
    this.#releases = new ReleaseQueue(options.database);
    this.#drain = new SpoolDrain({
      spool,
      directory: options.spoolDirectory,
      settle: (settlement) => this.#replay(settlement),
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
   * Reserves quota and gives `waiter` the outcome later. A refusal is a value; see `HoldOutcome`. A hold whose outcome
   * is unknown is released later. Rejects: INTERNAL_ERROR when the database does not answer, NO_AVAILABLE_NODE when it
   * is overloaded; then the request must not continue. Units: `nowMs` in milliseconds of the monotonic clock.
   */
  hold(hold: HoldRequest, waiter: Waiter<HoldOutcome>, nowMs = performance.now()): void {
    this.#holdLimit.begin(nowMs);
    const pending = new PendingHold(hold, nowMs, waiter, this.#holdEvents);
    pending.dueMs = nowMs + this.#holdBudgetMs;
    this.#deadlines.watch(pending);
    this.#batches.submit(pending);
  }

  /**
   * True while more holds are in flight than finish in time, or the spool is full; a request that arrives now would
   * only wait for a refusal.
   */
  get atCapacity(): boolean {
    return this.#holdLimit.full || this.#spool.state.problem === "full";
  }

  /**
   * Records a request that has ended, billed or not, and ends its hold. An outcome that `waiter` has received survives
   * any crash: the database has the settlement, or, for "spooled", the local disk. Idempotent by request id. Rejects:
   * when neither the database nor the spool accepts it. Throws: RangeError for an impossible cost. Units: as `hold`.
   */
  settle(settlement: Settlement, waiter: Waiter<SettleOutcome>, nowMs = performance.now()): void {
    const pending = new PendingSettlement(settlement, waiter, this.#settlementEvents);
    this.#reportOverrun(settlement);
    pending.dueMs = nowMs + this.#settleBudgetMs;
    this.#deadlines.watch(pending);
    this.#batches.submit(pending);
  }

  /** Replays the spool of an earlier process into the database at startup. Returns true when nothing remains in it. */
  recover(): Promise<boolean> {
    return this.#drain.once();
  }

  /**
   * For readiness and metrics: holds and settlements in the queue, spooled settlements, and the problem of the spool.
   */
  status(): { waiting: number; spooled: number; spoolProblem: Spool["state"]["problem"] } {
    return {
      waiting: this.#batches.depth,
      spooled: this.#spool.depth,
      spoolProblem: this.#spool.state.problem,
    };
  }

  /** At shutdown: finishes running batches, replays the spool once more for at most five seconds, and closes it. */
  async drain(): Promise<void> {
    await this.#batches.idle();
    this.#releases.stop();
    await withDeadline(this.#drain.stop(), DRAIN_MS).catch(() => {});
    await this.#batches.idle();
    await this.#spool.close();
  }

  readonly #holdEvents: PendingEvents<PendingHold, HoldOutcome> = {
    completed: (pending, outcome) => {
      if (pending.abandoned) {
        if (outcome.held) this.#release(pending.hold, new DeadlineError(this.#holdBudgetMs));
        return;
      }
      this.#endHold(pending, this.#lastSuccessMs);
      pending.waiter.resolve(outcome);
    },
    failed: (pending, cause) => {
      if (isAmbiguous(cause)) this.#release(pending.hold, cause);
      if (!pending.abandoned) void this.#refuseHold(pending, cause);
    },
    /** Every batch that completes restarts the wait, because the queue is moving. */
    expired: (pending, nowMs) => {
      const budgetMs = this.#holdBudgetMs;
      const lastMs = pending.startMs + Math.max(budgetMs, this.#options.maxHoldMs ?? MAX_HOLD_MS);
      pending.dueMs = Math.min(this.#lastSuccessMs + budgetMs, lastMs);
      if (nowMs < pending.dueMs) return;
      if (nowMs < lastMs && this.#holdLimit.few) void this.#waitOn(pending, lastMs);
      else this.#giveUp(pending);
    },
  };

  /**
   * Waits for a hold as long as the database answers pings: with few holds in flight the database is slow, and refusing
   * would not help.
   */
  async #waitOn(pending: PendingHold, lastMs: number): Promise<void> {
    pending.dueMs = lastMs;
    const answers = await this.#options.database.answers(ANSWERS_WITHIN_MS);
    if (pending.ended) return;
    if (answers) pending.dueMs = Math.min(performance.now() + this.#holdBudgetMs, lastMs);
    else this.#giveUp(pending, answers);
  }

  /** Refuses a hold that is late. `answers`: whether the database answers, if that is known. */
  #giveUp(pending: PendingHold, answers?: boolean): void {
    pending.abandoned = !this.#batches.withdraw(pending);
    void this.#refuseHold(pending, new DeadlineError(performance.now() - pending.startMs), answers);
  }

  async #refuseHold(pending: PendingHold, cause: unknown, answers?: boolean): Promise<void> {
    pending.ended = true;
    this.#deadlines.forget(pending);
    const error = await this.#holdError(cause, pending.startMs, answers);
    this.#endHold(pending, performance.now());
    pending.waiter.reject(error);
  }

  #endHold(pending: PendingHold, nowMs: number): void {
    pending.ended = true;
    this.#deadlines.forget(pending);
    this.#holdLimit.end(nowMs - pending.startMs, nowMs);
  }

  /** Releases a hold of unknown outcome, or one whose request was refused. */
  #release(hold: HoldRequest, cause: unknown): void {
    this.#options.onEvent({ kind: "release_queued", requestId: hold.requestId, cause });
    this.#releases.add(hold);
  }

  readonly #settlementEvents: PendingEvents<PendingSettlement, SettledOutcome> = {
    completed: (pending, outcome) => {
      if (pending.ended) return;
      pending.ended = true;
      this.#deadlines.forget(pending);
      pending.waiter.resolve(outcome);
    },
    /** A settlement is sent again when its connection was lost; settlements are idempotent. */
    failed: (pending, cause) => {
      if (pending.ended) return;
      if (pending.resent || !isAmbiguous(cause)) return void this.#spoolSettlement(pending, cause);
      pending.resent = true;
      this.#batches.submit(pending);
    },
    expired: (pending, nowMs) => {
      this.#batches.withdraw(pending);
      void this.#spoolSettlement(pending, new DeadlineError(nowMs - pending.dueMs + this.#settleBudgetMs));
    },
  };

  /** Stores a settlement on the disk when the database did not accept it in time. */
  async #spoolSettlement(pending: PendingSettlement, cause: unknown): Promise<void> {
    pending.ended = true;
    this.#deadlines.forget(pending);
    const { settlement, waiter } = pending;
    if (!isTransient(cause)) return waiter.reject(cause);
    try {
      await this.#spool.append(settlement);
    } catch (error) {
      return waiter.reject(error);
    }
    this.#options.onEvent({ kind: "spooled", requestId: settlement.requestId, cause });
    this.#drain.wake();
    waiter.resolve("spooled");
  }

  /**
   * The error of a hold that failed: 503 when the database answers, otherwise an internal error.
   * Source: docs/contract.md#b5, docs/reliability.md#s2-12.
   */
  async #holdError(cause: unknown, startMs: number, known?: boolean): Promise<GatewayError> {
    if (isReadOnly(cause)) return takesNoWrites(cause);
    const isLate = cause instanceof DeadlineError;
    const ask = () => this.#options.database.answers(ANSWERS_WITHIN_MS);
    const answers = isLate && (this.#lastSuccessMs > startMs || (known ?? (await ask())));
    if (answers || isOverload(cause)) return atCapacity("hold-capacity", cause);
    return new GatewayError(
      "INTERNAL_ERROR",
      "The request could not be admitted; nothing was billed. Try again.",
      { refusal: "database-away", cause },
    );
  }

  /** Settles a settlement from the spool, without a time limit. Throws: the database's error. */
  #replay(settlement: Settlement): Promise<SettledOutcome> {
    return new Promise((resolve, reject) => {
      const events: PendingEvents<PendingSettlement, SettledOutcome> = {
        completed: (_pending, outcome) => resolve(outcome),
        failed: (_pending, cause) => reject(cause),
        expired: () => {},
      };
      this.#batches.submit(new PendingSettlement(settlement, { resolve: () => {}, reject }, events));
    });
  }

  async #execute(items: LedgerWork[], lane: number): Promise<LedgerOutcome[]> {
    const { database, instanceId, quotaStrict, holdSeconds = HOLD_SECONDS } = this.#options;
    const done = executeLedgerBatch(database, { instanceId, quotaStrict, holdSeconds }, items, lane);
    try {
      const outcomes = await (database.kind === "embedded"
        ? done
        : withinLimit(this.#deadlines, done, BATCH_TIMEOUT_MS));
      this.#lastSuccessMs = performance.now();
      return outcomes;
    } catch (error) {
      if (error instanceof DeadlineError) await database.resetBatch(lane);
      throw error;
    }
  }

  get #holdBudgetMs(): number {
    const { holdBudgetMs, database } = this.#options;
    return holdBudgetMs ?? (database.kind === "embedded" ? EMBEDDED_HOLD_BUDGET_MS : HOLD_BUDGET_MS);
  }

  get #settleBudgetMs(): number {
    return this.#options.settleBudgetMs ?? SETTLE_BUDGET_MS;
  }

  #reportOverrun({ model, costMicroCents, heldMicroCents }: Settlement): void {
    const microCents = costMicroCents - heldMicroCents;
    if (microCents > 0n) this.#options.onEvent({ kind: "overrun", model, microCents });
  }
}
