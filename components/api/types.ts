import type { z } from "zod";
import type * as account from "@/lib/api/schemas/account";
import type * as catalog from "@/lib/api/schemas/catalog";
import type * as logs from "@/lib/api/schemas/logs";
import type * as stats from "@/lib/api/schemas/stats";

/** The signed-in account. Amounts are decimal-integer strings of cents. */
export type Profile = z.output<typeof account.profile>;

/** The response of login and registration. */
export type LoginAnswer = z.output<typeof account.loginResponse>;

/** A complete list. */
export interface Whole<T> {
  data: T[];
}

/** A page of a list. */
export interface Page<T> {
  data: T[];
  page: number | null;
  pageSize: number;
  total: number | null;
  nextCursor: string | null;
}

/** A key record: never the secret. Amounts are cents with up to 6 decimals. */
export type KeyRecord = z.output<typeof account.keyRecord>;

/** The response of creating a key; the only one with the secret. */
export type CreatedKey = z.output<typeof account.createKeyResponse>;

/** The fields of a new or changed key. */
export type KeyInput = z.input<typeof account.updateKeyRequest>;

/** A tier of limits; null is no limit. */
export type Plan = z.output<typeof catalog.planRecord> & { current?: boolean };

/** The live limits of a key. */
export type KeyLimits = z.output<typeof account.keyLimits>;

/** One limit with its live use. */
export type LimitState = KeyLimits["qps"];

/** A model as accounts see it. Prices in cents per million tokens. */
export type CatalogModel = z.output<typeof catalog.modelRecord>;

/** One request in the log. */
export type LogEntry = z.output<typeof logs.logEntry>;

/** One request in full. */
export type LogDetail = z.output<typeof logs.logDetail>;

/** Usage statistics. */
export type Stats = z.output<typeof stats.stats>;

export type Period = Stats["period"];

/** Sums over a period. */
export type StatTotals = Stats["totals"];

/** One bucket of one model. */
export type SeriesPoint = Stats["series"][number];

/** One movement of an account's balance. */
export type LedgerEntry = z.output<typeof catalog.ledgerEntry>;
