import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "postgres";

const STEPS = 5;
const MOST_STEPS = 20;

/** One connection that asks nothing but whether the database answers. */
export class Pulse {
  readonly #open: () => Sql;
  #client: Sql;

  constructor(open: () => Sql) {
    this.#open = open;
    this.#client = open();
  }

  /** The present client, for its end. */
  get client(): Sql {
    return this.#client;
  }

  /** Throws: the driver's error, or that there was no answer in time. The connection is then replaced. */
  async ping(withinMs: number): Promise<void> {
    const client = this.#client;
    try {
      await Promise.race([client.unsafe("SELECT 1"), noAnswer(withinMs)]);
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
