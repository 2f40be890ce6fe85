import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "postgres";

/** On a machine with too much to do even this answer takes a while. */
const PING_MS = 1_000;
const STEPS = 5;
const MOST_STEPS = 20;

/** One connection that asks nothing but whether the database answers. */
export class ConnectionProbe {
  readonly #open: () => Sql;
  #client: Sql;
  #asking: Promise<void> | null = null;

  constructor(open: () => Sql) {
    this.#open = open;
    this.#client = open();
  }

  /** The present client, for its end. */
  get client(): Sql {
    return this.#client;
  }

  /**
   * Resolves when the database has answered; whoever asks while a ping is under way shares it.
   * Throws: the driver's error, or that there was no answer within a second. The connection is then replaced.
   */
  ping(): Promise<void> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  /** Whether a ping is answered so soon. Never rejects. Units: milliseconds. */
  answers(withinMs: number): Promise<boolean> {
    return Promise.race([this.ping(), noAnswer(withinMs)]).then(
      () => true,
      () => false,
    );
  }

  async #ask(): Promise<void> {
    const client = this.#client;
    try {
      await Promise.race([client.unsafe("SELECT 1"), noAnswer(PING_MS)]);
    } catch (error) {
      this.#client = this.#open();
      client.end({ timeout: 0 }).catch(() => {});
      throw error;
    }
  }
}

/** Waits in steps: one that took much longer says that this process was busy and has read nothing, and does not count. */
async function noAnswer(withinMs: number): Promise<never> {
  const stepMs = withinMs / STEPS;
  let counted = 0;
  for (let step = 0; counted < STEPS && step < MOST_STEPS; step++) {
    const begun = performance.now();
    await sleep(stepMs, undefined, { ref: false });
    if (performance.now() - begun < 1.5 * stepMs) counted += 1;
  }
  throw new Error(`no answer within ${withinMs} ms`);
}
