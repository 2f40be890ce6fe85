import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "postgres";

const STEPS = 5;

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

/** Waits in steps: a process that was busy meanwhile has read nothing, so a pause of its own counts as one step. */
async function noAnswer(withinMs: number): Promise<never> {
  for (let step = 0; step < STEPS; step++) await sleep(withinMs / STEPS, undefined, { ref: false });
  throw new Error(`no answer within ${withinMs} ms`);
}
