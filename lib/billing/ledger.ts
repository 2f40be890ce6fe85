import { BatchLane } from "../db/batch";
import type { Database } from "../db/client";
import { isAmbiguous } from "../db/database-error";
import {
  executeLedgerBatch,
  type HoldOutcome,
  type HoldRequest,
  type LedgerItem,
  type LedgerItemOutcome,
  type SettledOutcome,
} from "./ledger-batch";
import type { Settlement } from "./settlement";

export type SettleOutcome = SettledOutcome | "spooled";

export interface Ledger {
  hold(request: HoldRequest): Promise<HoldOutcome>;
  settle(settlement: Settlement): Promise<SettleOutcome>;
  drain(): Promise<void>;
}

export interface LedgerOptions {
  database: Database;
  instanceId: string;
  quotaStrict: boolean;
  holdSeconds?: number;
}

export function openLedger(options: LedgerOptions): Ledger {
  const { database, instanceId, quotaStrict, holdSeconds = 1_200 } = options;
  const lane = new BatchLane<LedgerItem, LedgerItemOutcome>({
    execute: (items) => executeLedgerBatch(database, { instanceId, quotaStrict, holdSeconds }, items),
    isUrgent: (item) => item.kind === "settle",
    isAmbiguous,
  });
  return {
    async hold(hold) {
      const result = await lane.submit({ kind: "hold", hold });
      if (result.kind !== "hold") throw new Error("a hold got the outcome of a settlement");
      return result.outcome;
    },
    async settle(settlement) {
      const result = await lane.submit({ kind: "settle", settlement });
      if (result.kind !== "settle") throw new Error("a settlement got the outcome of a hold");
      return result.outcome;
    },
    drain: () => lane.idle(),
  };
}
