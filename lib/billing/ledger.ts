import { BatchQueue } from "@/lib/db/batch-queue";
import { AdaptiveConcurrencyLimit } from "@/lib/kernel/adaptive-concurrency-limit";
import { DeadlineError, withDeadline } from "@/lib/kernel/deadline";
import { atCapacity, GatewayError } from "@/lib/kernel/errors";
import type { Database } from "../db/database";
import { isAmbiguous, isOverload, isRowsFault, isTransient } from "../db/database-error";
import {
  executeLedgerBatch,
  type HoldOutcome,
  type HoldRequest,
  type LedgerItem,
  type LedgerItemOutcome,
  type SettledOutcome,
} from "./ledger-batch";
import type { LedgerEvent } from "./ledger-event";
import { ReleaseQueue } from "./release-queue";
import { type Settlement, settlementRow } from "./settlement";
import { Spool } from "./spool";
import { SpoolDrain } from "./spool-drain";

/** What became of a settlement; `spooled`: it is safe on the local disk and reaches the database later. */
export type SettleOutcome = SettledOutcome | "spooled";

/** How a ledger works. Units: milliseconds and seconds by name. */
export interface LedgerOptions {
  database: Database;
  instanceId: string;
  /** Refuse every hold that does not fit: no last flight. */
  quotaStrict: boolean;
  spoolDirectory: string;
  onEvent(event: LedgerEvent): void;
  /** After this a hold ends by itself; longer than any request. */
  holdSeconds?: number;
  /** How long a hold waits for a database that does nothing. */
  holdBudgetMs?: number;
  /** How long it waits for one that is busy with others. */
  mostHoldMs?: number;
  settleBudgetMs?: number;
  spoolBytes?: number;
}

const HOLD_SECONDS = 1_200;
/** With the ping after it a request is refused within a second while the database is cut. */
const HOLD_BUDGET_MS = 700;
/** The embedded database has one queue; a report may be before the hold. */
const EMBEDDED_HOLD_BUDGET_MS = 2_000;
/** Thousands who come at once are served late; under a lasting crowd the gate keeps the waiting shorter than that. */
const MOST_HOLD_MS = 5_000;
const ANSWERS_WITHIN_MS = 200;
const SETTLE_BUDGET_MS = 500;
const BATCH_TIMEOUT_MS = 3_000;
const DRAIN_MS = 5_000;

/**
 * The one place where money moves: a hold at admission, then exactly one settlement.
 * Source: docs/reliability.md#s2-3, #s2-5, #s2-7.
 */
export class Ledger {
  readonly #options: LedgerOptions;
  readonly #lane: BatchQueue<LedgerItem, LedgerItemOutcome>;
  readonly #spool: Spool;
  readonly #drain: SpoolDrain;
  readonly #releases: ReleaseQueue;
  readonly #gate = new AdaptiveConcurrencyLimit();
  /** When the database has last done what it was asked. Units: milliseconds of the monotonic clock. */
  #answeredMs = Number.NEGATIVE_INFINITY;

  private constructor(options: LedgerOptions, spool: Spool) {
    this.#options = options;
    this.#spool = spool;
    this.#lane = new BatchQueue({
      execute: (items) => this.#execute(items),
      isUrgent: (item) => item.kind === "settle",
      isOneItemsFault: isRowsFault,
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
   * Reserves quota. A refusal is a value; see `HoldOutcome`. On an unclear end the reservation is given back later.
   * Throws: INTERNAL_ERROR when the database does not answer, NO_AVAILABLE_NODE when it has too much to do; then the
   * request must not go on.
   */
  async hold(hold: HoldRequest): Promise<HoldOutcome> {
    const item: LedgerItem = { kind: "hold", hold };
    const begunMs = performance.now();
    this.#gate.enter(begunMs);
    const attempt = this.#submitHold(item);
    try {
      return await this.#whileOthersAreServed(attempt, begunMs);
    } catch (cause) {
      if (!this.#lane.withdraw(item)) this.#releaseWhenKnown(hold, attempt);
      throw await this.#notHeld(cause, begunMs);
    } finally {
      const now = performance.now();
      this.#gate.leave(now - begunMs, now);
    }
  }

  /**
   * More holds are under way than can be done in time, or the settlements that wait fill the disk's part of them; a
   * request that came now would only wait for a refusal.
   */
  get crowded(): boolean {
    return this.#gate.full || this.#spool.problem === "full";
  }

  /**
   * Records a request that has ended, billed or not, and frees its hold. Once it resolves, the outcome survives any
   * crash; unless it is "spooled", it can be read in the database at once. Idempotent by request id.
   * Throws: when neither the database nor the spool takes it, or when the settlement itself is impossible.
   */
  async settle(settlement: Settlement): Promise<SettleOutcome> {
    const item = itemOf(settlement);
    this.#reportOverrun(settlement);
    const deadline = performance.now() + (this.#options.settleBudgetMs ?? SETTLE_BUDGET_MS);
    try {
      return await withDeadline(this.#submitTwice(item), deadline - performance.now());
    } catch (cause) {
      if (!isTransient(cause)) throw cause;
      this.#lane.withdraw(item);
      await this.#spool.append(settlement);
      this.#options.onEvent({ kind: "spooled", requestId: settlement.requestId, cause });
      this.#drain.wake();
      return "spooled";
    }
  }

  /** Before the process is ready: brings what a crash left in the spool into the database. Returns whether all is in. */
  recover(): Promise<boolean> {
    return this.#drain.once();
  }

  /** For readiness and metrics: holds and settlements that wait, spooled settlements, what keeps the spool from taking more. */
  status(): { waiting: number; spooled: number; spoolProblem: Spool["problem"] } {
    return { waiting: this.#lane.depth, spooled: this.#spool.depth, spoolProblem: this.#spool.problem };
  }

  /** At the end: finishes what is under way, tries the spool once more for five seconds, and closes it. */
  async drain(): Promise<void> {
    await this.#lane.idle();
    this.#releases.stop();
    await withDeadline(this.#drain.stop(), DRAIN_MS).catch(() => {});
    await this.#lane.idle();
    await this.#spool.close();
  }

  /** The budget begins anew with each batch that comes back: the turn of this hold will come too. Throws: DeadlineError. */
  async #whileOthersAreServed<T>(attempt: Promise<T>, begunMs: number): Promise<T> {
    const budgetMs = this.#holdBudgetMs;
    const lastMs = begunMs + Math.max(budgetMs, this.#options.mostHoldMs ?? MOST_HOLD_MS);
    let ended = false;
    const end = () => {
      ended = true;
    };
    attempt.then(end, end);
    for (let leftMs = budgetMs; ; ) {
      try {
        return await withDeadline(attempt, leftMs);
      } catch (cause) {
        if (ended || !(cause instanceof DeadlineError)) throw cause;
        leftMs = Math.min(this.#answeredMs + budgetMs, lastMs) - performance.now();
        if (leftMs <= 0) throw new DeadlineError(performance.now() - begunMs);
      }
    }
  }

  /**
   * A database that answers is well: there is too much to do, and later there may be less. Source: docs/contract.md#b5.
   */
  async #notHeld(cause: unknown, begunMs: number): Promise<GatewayError> {
    const isLate = cause instanceof DeadlineError;
    const answers =
      isLate && (this.#answeredMs > begunMs || (await this.#options.database.answers(ANSWERS_WITHIN_MS)));
    if (answers || isOverload(cause)) return atCapacity(cause);
    return new GatewayError(
      "INTERNAL_ERROR",
      "The request could not be admitted; nothing was billed. Try again.",
      { cause },
    );
  }

  async #submitHold(item: LedgerItem): Promise<HoldOutcome> {
    const result = await this.#lane.submit(item);
    if (result.kind !== "hold") throw new Error("a hold got the outcome of a settlement");
    return result.outcome;
  }

  async #submitSettlement(item: LedgerItem): Promise<SettledOutcome> {
    const result = await this.#lane.submit(item);
    if (result.kind !== "settle") throw new Error("a settlement got the outcome of a hold");
    return result.outcome;
  }

  /** A connection that ended is made anew at once, and a settlement may be sent twice. */
  async #submitTwice(item: LedgerItem): Promise<SettledOutcome> {
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
      this.#answeredMs = performance.now();
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
