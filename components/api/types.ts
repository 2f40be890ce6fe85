import type { ErrorCode } from "@/lib/errors";
import type { Protocol } from "@/lib/protocol/protocol";
import type { UsageSource } from "@/lib/usage";

/** The signed-in account. Amounts are decimal-integer strings of cents. */
export interface Profile {
  id: string;
  username: string;
  name: string;
  email: string;
  role: "user" | "admin";
  status: string;
  quota: string;
  usedQuota: string;
  held: string;
  requestCount: string;
  inviteCode: string;
  planId: number;
  createdAt: string;
}

/** What login and registration answer. */
export interface LoginAnswer {
  user: Profile;
  token: string;
  expiresAt: string;
}

/** A page of a list. */
export interface Page<T> {
  data: T[];
  page: number;
  pageSize: number;
  total: number | null;
  nextCursor: string | null;
}

/** A key record: never the secret. Amounts are cents with up to 6 decimals. */
export interface KeyRecord {
  id: string;
  keyPrefix: string;
  name: string;
  status: "active" | "disabled";
  quota: number;
  usedQuota: number;
  held: number;
  planId: number;
  models: string[] | null;
  expiresAt: string | null;
  createdAt: string;
  lastUsedAt: string | null;
}

/** What creating a key answers; the only place where the secret appears. */
export interface CreatedKey {
  apiKey: KeyRecord;
  key: string;
}

/** What can be set when a key is made or changed. */
export interface KeyInput {
  name?: string;
  status?: "active" | "disabled";
  quota?: number;
  models?: string[] | null;
  expiresAt?: string | null;
  planId?: number;
}

/** A tier of limits; null is no limit. */
export interface Plan {
  id: number;
  name: string;
  qps: number | null;
  rpm: number | null;
  tpm: number | null;
  keyQuotaCents: number;
  selfService: boolean;
}

/** One limit with its live use. */
export interface LimitState {
  limit: number | null;
  used: number;
  resetMs: number;
}

/** The live limits of a key. */
export interface KeyLimits {
  plan: Plan;
  qps: LimitState;
  rpm: LimitState;
  tpm: LimitState;
}

/** Prices in cents per million tokens. */
export interface Prices {
  input: number;
  output: number;
  cacheRead: number | null;
  cacheWrite: number | null;
}

/** A model as accounts see it. */
export interface CatalogModel {
  id: string;
  alsoKnownAs: string[];
  displayName: string;
  contextWindow: number | null;
  maxOutputTokens: number | null;
  protocols: Protocol[];
  prices: Prices;
  simulated: boolean;
}

export type LogStatus = "success" | "error" | "cancelled" | "interrupted";

/** One request in the log. */
export interface LogEntry {
  requestId: string;
  createdAt: string;
  tokenId: string;
  tokenName: string;
  keyPrefix: string;
  model: string;
  protocol: Protocol;
  stream: boolean;
  status: LogStatus;
  httpStatus: number;
  errorCode: ErrorCode | null;
  promptTokens: number;
  completionTokens: number;
  totalTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  reasoningTokens: number;
  usageSource: UsageSource;
  cost: string;
  latencyMs: number;
  ttftMs: number | null;
  attemptCount: number;
  warnings: string[];
}

/** One call to one node within a request. */
export interface Attempt {
  n: number;
  node: string;
  protocol: Protocol;
  upstreamModel: string;
  result: string;
  upstreamStatus: number | null;
  startedMs: number;
  headersMs: number | null;
  firstEventMs: number | null;
  totalMs: number;
  reason: string;
}

/** One line of the arithmetic of a request's cost. */
export interface ReceiptLine {
  kind: "input" | "cacheRead" | "cacheWrite" | "output";
  tokens: number;
  centsPerMillion: string;
  cost: string;
}

/** Why a request cost what it cost. */
export interface Receipt {
  lines: ReceiptLine[];
  cost: string;
  held: string;
  wouldHaveCost: string | null;
  priceVersion: number;
  billed: boolean;
}

/** A stage of a request. */
export interface Stage {
  name: string;
  startMs: number;
  endMs: number;
}

/** One request in full. */
export interface LogDetail extends LogEntry {
  errorMessage: string | null;
  clientRequestId: string | null;
  userAgent: string | null;
  attempts: Attempt[];
  receipt: Receipt;
  timeline: Stage[];
}

export type Period = "24h" | "7d" | "30d";

/** Sums over a period. */
export interface StatTotals {
  requestCount: number;
  errorCount: number;
  promptTokens: number;
  completionTokens: number;
  cost: string;
  p50Ms: number | null;
  p95Ms: number | null;
  errors: Partial<Record<ErrorCode, number>>;
}

/** One bucket of one model. */
export interface SeriesPoint {
  bucketStart: string;
  model: string;
  requestCount: number;
  promptTokens: number;
  completionTokens: number;
  cost: string;
  errorCount: number;
  errors: Partial<Record<ErrorCode, number>>;
}

/** One bucket over all models. */
export interface BucketPoint {
  bucketStart: string;
  p50Ms: number | null;
  p95Ms: number | null;
}

/** Sums of one day. */
export interface DayRow {
  date: string;
  requestCount: number;
  promptTokens: number;
  completionTokens: number;
  cost: string;
}

/** Sums of one model. */
export interface ModelRow {
  model: string;
  requestCount: number;
  promptTokens: number;
  completionTokens: number;
  cost: string;
  avgLatencyMs?: number | null;
}

/** Usage statistics. */
export interface Stats {
  totalRequests: number;
  dailyBreakdown: DayRow[];
  modelBreakdown: ModelRow[];
  series: SeriesPoint[];
  buckets?: BucketPoint[];
  bucket: "hour" | "day";
  timezone: string;
  from: string;
  to: string;
  totals: StatTotals;
  previous: StatTotals;
}

/** One movement of an account's balance. */
export interface LedgerEntry {
  id: string;
  createdAt: string;
  kind: string;
  amount: string;
  balanceAfter: string;
  reference: string;
  tokenId?: string | null;
  tokenName?: string | null;
}
