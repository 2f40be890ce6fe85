import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { Database } from "@/lib/db/database";
import { makeAccount } from "./billing";
import { type StoredRule, storeRule } from "./budget-history";
import { zoneWithMidnightAt } from "./midnight";

const PLENTY = 10n ** 15n;
/** A day of the rules ends so long after they are made, and others are made after as long again. */
const MIDNIGHT_AFTER_MS = 1_500;
const PAUSE_MS = 20;

/** Rules of every unit that many histories meet at once, and that refuse nothing; every few seconds other ones. */
export class CommonRules {
  readonly #database: Database;
  readonly #userId: string;
  readonly #made: StoredRule[][] = [];
  #renewAtMs = Number.NEGATIVE_INFINITY;
  #running = true;

  private constructor(database: Database, userId: string) {
    this.#database = database;
    this.#userId = userId;
  }

  /** Makes the account that has them. */
  static async make(database: Database): Promise<CommonRules> {
    const { userId } = await makeAccount(database, { account: PLENTY, keys: [] });
    return new CommonRules(database, userId);
  }

  /** The rules of this moment. */
  async current(): Promise<readonly StoredRule[]> {
    const nowMs = Date.now();
    const last = this.#made.at(-1);
    if (last !== undefined && nowMs < this.#renewAtMs) return last;
    this.#renewAtMs = nowMs + 2 * MIDNIGHT_AFTER_MS;
    const made: StoredRule[] = [];
    this.#made.push(made);
    const timeZone = zoneWithMidnightAt(nowMs + MIDNIGHT_AFTER_MS);
    const rule = { limit: PLENTY, timeZone, ofMember: false, period: "day" } as const;
    for (const different of [
      { unit: "money", mode: "hard" },
      { unit: "tokens", mode: "stop" },
      { unit: "requests", mode: "hard" },
      { unit: "money", mode: "warn", limit: 0n },
    ] as const)
      made.push(await storeRule(this.#database, this.#userId, { ...rule, ...different }));
    return made;
  }

  /** Until `stop`: what their windows hold is the sum of the open holds whenever it is looked at. */
  async expectNothingToHeal(): Promise<void> {
    while (this.#running) {
      const windows = await this.#database.query<{ id: bigint }>(
        `SELECT id FROM budget_windows WHERE budget_id = ANY($1::uuid[])`,
        [
          `{${
            this.#made
              .at(-1)
              ?.map(({ budgetId }) => budgetId)
              .join(",") ?? ""
          }}`,
        ],
      );
      for (const { id } of windows) {
        const healed = await this.#database.query("SELECT budget_heal_held($1) AS healed", [id]);
        expect(healed).toEqual([{ healed: false }]);
      }
      await sleep(PAUSE_MS);
    }
  }

  stop(): void {
    this.#running = false;
  }

  /**
   * The windows of each together have what the model has, follow each other, and count what was held within their time.
   * Returns how many rules have more than one.
   */
  async expectSums(): Promise<number> {
    let midnights = 0;
    const outside = await this.#database.query(
      `SELECT h.request_id FROM usage_holds h JOIN budget_windows w ON w.id = ANY(h.windows)
       WHERE w.budget_id = ANY($1::uuid[]) AND NOT (h.created_at >= w.starts_at AND h.created_at < w.ends_at)`,
      [
        `{${this.#made
          .flat()
          .map(({ budgetId }) => budgetId)
          .join(",")}}`,
      ],
    );
    expect(outside).toEqual([]);
    for (const { budgetId, window } of this.#made.flat()) {
      const [row] = await this.#database.query<{ windows: bigint }>(
        `SELECT coalesce(sum(used), 0)::text AS used, coalesce(sum(held), 0)::text AS held, count(*) AS windows,
           coalesce(bool_and(apart), true) AS apart
         FROM (SELECT used, held, coalesce(starts_at = lag(ends_at) OVER (ORDER BY ends_at), true) AS apart
           FROM budget_windows WHERE budget_id = $1) AS w`,
        [budgetId],
      );
      expect(row).toMatchObject({ used: String(window.used), held: String(window.held), apart: true });
      if (row !== undefined && row.windows > 1n) midnights += 1;
    }
    return midnights;
  }
}
