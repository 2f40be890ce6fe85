import { setTimeout as sleep } from "node:timers/promises";
import type { Session } from "@/lib/db/database";
import type { HoldRequest } from "./settlement";

/** Holds beyond this are not queued; the reaper releases them when they expire. */
const MAX_QUEUED = 10_000;

const FIRST_PAUSE_MS = 100;

const MAX_PAUSE_MS = 10_000;

/**
 * Releases holds of unknown outcome as soon as the database answers. A release is idempotent and also refuses a hold
 * that arrives after it. The reaper releases what remains in the queue when the process ends.
 */
export class ReleaseQueue {
  readonly #session: Session;
  readonly #queued: HoldRequest[] = [];
  readonly #stopping = new AbortController();
  #running = false;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Queues a hold for release. */
  add(hold: HoldRequest): void {
    if (this.#queued.length >= MAX_QUEUED || this.#stopping.signal.aborted) return;
    this.#queued.push(hold);
    if (this.#running) return;
    this.#running = true;
    void this.#run().finally(() => {
      this.#running = false;
    });
  }

  /** Stops the queue; the database completes a release in flight. */
  stop(): void {
    this.#stopping.abort();
  }

  async #run(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    for (let hold = this.#queued[0]; hold && !this.#stopping.signal.aborted; hold = this.#queued[0]) {
      if (await this.#release(hold)) {
        this.#queued.shift();
        pauseMs = FIRST_PAUSE_MS;
      } else {
        await this.#pause(pauseMs);
        pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2);
      }
    }
  }

  async #release({ requestId, keyId, userId }: HoldRequest): Promise<boolean> {
    try {
      await this.#session.query("SELECT quota_release($1, $2, $3)", [requestId, keyId, userId]);
      return true;
    } catch {
      // The failure of the hold was reported already; the cause is the same until the database answers.
      return false;
    }
  }

  async #pause(pauseMs: number): Promise<void> {
    const jittered = pauseMs * (0.5 + Math.random() / 2);
    await sleep(jittered, undefined, { signal: this.#stopping.signal, ref: false }).catch(() => {});
  }
}
