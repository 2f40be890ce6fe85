import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "postgres";

/** Generous, because even this statement is slow on an overloaded machine. */
const PING_MS = 1_000;
const STEPS = 5;
const MAX_STEPS = 20;

/** A separate connection that only checks whether the database answers. */
export class ConnectionProbe {
  readonly #open: () => Sql;
  #client: Sql;
  #pinging: Promise<void> | null = null;

  constructor(open: () => Sql) {
    this.#open = open;
    this.#client = open();
  }

  /** The current client, so that the caller can end it. */
  get client(): Sql {
    return this.#client;
  }

  /**
   * Resolves when the database answers; concurrent callers share one ping.
   * Throws: the driver's error, or a timeout after a second. The connection is then replaced.
   */
  ping(): Promise<void> {
    this.#pinging ??= this.#sendPing().finally(() => {
      this.#pinging = null;
    });
    return this.#pinging;
  }

  /** True when a ping is answered within the time. Never rejects. Units: milliseconds. */
  answers(withinMs: number): Promise<boolean> {
    return Promise.race([this.ping(), rejectAfter(withinMs)]).then(
      () => true,
      () => false,
    );
  }

  async #sendPing(): Promise<void> {
    const client = this.#client;
    try {
      await Promise.race([client.unsafe("SELECT 1"), rejectAfter(PING_MS)]);
    } catch (error) {
      this.#client = this.#open();
      client.end({ timeout: 0 }).catch(() => {});
      throw error;
    }
  }
}

/** Waits in steps. A step that took much longer does not count: the event loop was blocked and read no answer. */
async function rejectAfter(withinMs: number): Promise<never> {
  const stepMs = withinMs / STEPS;
  let counted = 0;
  for (let step = 0; counted < STEPS && step < MAX_STEPS; step++) {
    const startMs = performance.now();
    await sleep(stepMs, undefined, { ref: false });
    if (performance.now() - startMs < 1.5 * stepMs) counted += 1;
  }
  throw new Error(`no answer within ${withinMs} ms`);
}
