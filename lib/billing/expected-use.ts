import { LRUCache } from "lru-cache";
import type { Session } from "@/lib/db/database";

const MILLION = 1_000_000;

/** A request changes the average by this part. */
const WEIGHT = 16;

/** The average of fewer requests of a key says little: that of the alias is used. */
const ENOUGH = 8;

const MAX_AVERAGES = 10_000;

/** The newest requests of the log that averages begin with. */
const NEWEST = 2_000;

/** What a request may use at most and has used. Units: micro-cents, tokens. */
export interface Use {
  mostMicroCents: bigint;
  microCents: bigint;
  mostTokens: number;
  tokens: number;
}

/** Shares of the most, in millionths. */
interface Average {
  money: number;
  tokens: number;
  requests: number;
}

/** What a request is expected to use. Units: micro-cents, tokens. */
export interface Expected {
  microCents: bigint;
  tokens: number;
}

/**
 * What requests use of the most that they may use, as running averages by key and alias: a request that runs counts with this
 * much in rules that stop. Per process. Source: docs/budgets.md#expected.
 */
export class ExpectedUse {
  // Unlike `max`, a size limit does not reserve memory for entries in advance.
  readonly #averages = new LRUCache<string, Average>({ maxSize: MAX_AVERAGES, sizeCalculation: () => 1 });

  /** Takes a billed request into the averages of its key and of its alias. */
  note(keyId: string, alias: string, use: Use): void {
    this.#note(`${keyId} ${alias}`, use);
    this.#note(alias, use);
  }

  /** What a request of this key is expected to use: between a hundredth of the most and all of it, rounded up. */
  of(keyId: string, alias: string, most: { microCents: bigint; tokens: number }): Expected {
    const average = this.#enough(`${keyId} ${alias}`) ?? this.#enough(alias);
    if (average === null) return { microCents: most.microCents, tokens: most.tokens };
    const money = BigInt(bounded(average.money));
    return {
      microCents: (most.microCents * money + BigInt(MILLION - 1)) / BigInt(MILLION),
      tokens: Math.ceil((most.tokens * bounded(average.tokens)) / MILLION),
    };
  }

  /** Begins with the newest requests of the log. Throws: the driver's error. */
  async load(db: Session): Promise<void> {
    const rows = await db.query<{ key_id: string; model: string; cost: bigint; held: bigint }>(
      `SELECT key_id, model, cost_micro_cents AS cost, held_micro_cents AS held FROM request_log
       WHERE cost_micro_cents > 0 AND held_micro_cents > 0 ORDER BY created_at DESC LIMIT ${NEWEST}`,
    );
    for (const { key_id: keyId, model, cost, held } of rows.reverse()) {
      const share = Number((BigInt(cost) * BigInt(MILLION)) / BigInt(held));
      this.note(keyId, model, {
        mostMicroCents: BigInt(held),
        microCents: BigInt(cost),
        mostTokens: MILLION,
        tokens: share,
      });
    }
  }

  #enough(name: string): Average | null {
    const average = this.#averages.get(name);
    return average !== undefined && average.requests >= ENOUGH ? average : null;
  }

  #note(name: string, use: Use): void {
    const money =
      use.mostMicroCents === 0n ? MILLION : Number((use.microCents * BigInt(MILLION)) / use.mostMicroCents);
    const tokens = use.mostTokens === 0 ? MILLION : Math.round((use.tokens / use.mostTokens) * MILLION);
    const before = this.#averages.get(name);
    if (before === undefined) {
      this.#averages.set(name, { money, tokens, requests: 1 });
      return;
    }
    before.requests += 1;
    // The first requests count alike.
    const weight = Math.min(WEIGHT, before.requests);
    before.money += Math.round((money - before.money) / weight);
    before.tokens += Math.round((tokens - before.tokens) / weight);
  }
}

function bounded(millionths: number): number {
  return Math.min(MILLION, Math.max(MILLION / 100, millionths));
}
