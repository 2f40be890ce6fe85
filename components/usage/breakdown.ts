import { centsToYuan, ratio } from "@/lib/shared/decimal";
import type { Stats } from "../api/types";
import type { Grouping } from "./use-usage-filters";

/** What usage consists of. Units: exact decimal cents. */
export interface UsageCounts {
  requestCount: number;
  errorCount: number;
  promptTokens: number;
  completionTokens: number;
  cacheReadTokens: number;
  cost: string;
}

/** One row of the breakdown: a model, a key, an account, a bucket of time, or the sum of some. */
export interface BreakdownRow extends UsageCounts {
  kind: "one" | "others" | "total";
  id: string;
  /** Empty for a bucket of time and for sums. */
  name: string;
  keyPrefix: string | null;
  /** The account that pays a key or a project, for admins. */
  owner: string | null;
  deleted: boolean;
  /** Null: nothing was measured. */
  averageLatencyMs: number | null;
  p50Ms: number | null;
  p95Ms: number | null;
  /** How many the sum of the others is of. */
  count: number;
}

const plain = { kind: "one", keyPrefix: null, owner: null, deleted: false, count: 1 } as const;

/** The rows of a grouping, the dearest first and times newest first; together they are the totals. */
export function breakdownRows(stats: Stats, by: Grouping): BreakdownRow[] {
  switch (by) {
    case "model":
      return stats.modelBreakdown.map((row) => ({ ...plain, ...row, id: row.model, name: row.model }));
    case "day":
      return stats.buckets.map((row) => ({ ...plain, ...row, id: row.bucketStart, name: "" })).reverse();
    case "key":
    case "user":
    case "project":
    case "member": {
      const { rows = [], others = null } = stats.groups ?? {};
      const named = rows.map((row) => ({ ...plain, ...row }));
      if (others === null) return named;
      return [...named, { ...plain, ...others, kind: "others", id: "others", name: "" }];
    }
  }
}

/** The sum of everything that the statistics cover. */
export function totalRow(stats: Stats): BreakdownRow {
  return { ...plain, ...stats.totals, kind: "total", id: "total", name: "" };
}

/** The share of requests that neither failed nor were refused, cancelled ones too; null without any. */
export function answeredShare({ requestCount, errorCount }: UsageCounts): number | null {
  return requestCount === 0 ? null : 1 - errorCount / requestCount;
}

/** The grouping that statistics can be shown in: they were asked for another one while they load. */
export function shownGrouping(stats: Stats, wanted: Grouping): Grouping {
  const needsGroups = wanted !== "model" && wanted !== "day";
  return needsGroups && stats.groups?.by !== wanted ? "model" : wanted;
}

/** The words of the head of a file. */
export interface BreakdownHeads {
  requests: string;
  failed: string;
  answered: string;
  average: string;
  p50: string;
  p95: string;
  input: string;
  output: string;
  cached: string;
  cost: string;
  share: string;
  prefix: string;
  account: string;
}

/** The table as a file: all rows and their sum, with exact amounts in yuan and shares in percent. */
export function breakdownFile(
  rows: readonly BreakdownRow[],
  table: { by: Grouping; first: string; nameOf: (row: BreakdownRow) => string; heads: BreakdownHeads },
): Array<Array<string | number>> {
  const { by, heads, nameOf } = table;
  const total = rows.find((row) => row.kind === "total")?.cost ?? "0";
  const owners = (by === "key" || by === "project") && rows.some((row) => row.owner !== null);
  const further = [...(by === "key" ? [heads.prefix] : []), ...(owners ? [heads.account] : [])];
  return [
    [
      table.first,
      ...further,
      heads.requests,
      heads.failed,
      `${heads.answered} %`,
      `${heads.average} ms`,
      `${heads.p50} ms`,
      `${heads.p95} ms`,
      heads.input,
      heads.output,
      heads.cached,
      `${heads.cost} CNY`,
      `${heads.share} %`,
    ],
    ...rows.map((row) => [
      nameOf(row),
      ...(by === "key" ? [row.keyPrefix ?? ""] : []),
      ...(owners ? [row.owner ?? ""] : []),
      row.requestCount,
      row.errorCount,
      percentText(answeredShare(row)),
      row.averageLatencyMs ?? "",
      row.p50Ms ?? "",
      row.p95Ms ?? "",
      row.promptTokens,
      row.completionTokens,
      row.cacheReadTokens,
      centsToYuan(row.cost),
      percentText(ratio(row.cost, total)),
    ]),
  ];
}

function percentText(share: number | null): string {
  return share === null ? "" : (share * 100).toFixed(2);
}
