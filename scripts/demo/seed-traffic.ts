import { limitMembers } from "@/lib/billing/limit-members";
import type { Settlement } from "@/lib/billing/settlement";
import type { StoredAttempt } from "@/lib/db/schema/usage";
import { DAY_MS, HOUR_MS } from "@/lib/kernel/durations";
import { callMessages, upstreamFailed } from "@/lib/kernel/error-messages";
import type { ErrorCode } from "@/lib/kernel/errors";
import { newRequestId } from "@/lib/kernel/request-id";
import { NO_USAGE, type Usage } from "@/lib/kernel/usage";
import type { CatalogModel, CatalogSnapshot } from "@/lib/router/catalog";
import { costMicroCents } from "@/lib/shared/prices/cost";
import { type PriceVersion, STANDARD_TERMS } from "@/lib/shared/prices/price-version";
import { savingMicroCents } from "@/lib/shared/prices/saving";
import { pricesOfDeclared } from "@/lib/shared/prices/stored-price";
import { longTailed, weighted } from "./random";
import { EARLIER_PRICE, UNREACHABLE_NODE } from "./seed-plan";

const HOURS = 30 * 24;
const REQUESTS_PER_HOUR = 8.4;
/** The hold exists by then. */
const STARTED_MS = 4;
/** How long a failed attempt took, and the pause after it. Source: docs/reliability.md#s2-9. */
const FAILED_MS = 12;
const PAUSE_MS = 140;

/** A key with traffic. */
export interface TrafficSource {
  keyId: string;
  userId: string;
  weight: number;
  models: string[] | null;
  /** For keys that have ended: hours since their last traffic. */
  quietHours: number;
}

interface Ending {
  weight: number;
  status: Settlement["status"];
  httpStatus: number;
  errorCode: ErrorCode | null;
  message: string | null;
  billed: boolean;
  attempted: boolean;
}

const LIMIT = 20;
const LIMIT_MESSAGE = `The plan Free allows ${LIMIT} requests per minute. Please try again in 4s.`;

const FAILED_MESSAGE = upstreamFailed("The server had an error while processing your request.");
const QUOTA_MESSAGE =
  "The quota of this key does not cover this request: 0 cents are left. Raise the quota or lower max_tokens.";

const ENDINGS: readonly Ending[] = [
  ending(930, "success", 200, null, null, true, true),
  ending(18, "cancelled", 499, null, null, true, true),
  ending(4, "error", 502, "UPSTREAM_ERROR", FAILED_MESSAGE, false, true),
  ending(14, "error", 429, "RATE_LIMITED", LIMIT_MESSAGE, false, false),
  ending(9, "error", 400, "INVALID_REQUEST", "messages: at least one message is required.", false, false),
  ending(1, "error", 503, "NO_AVAILABLE_NODE", null, false, true),
  ending(4, "error", 402, "QUOTA_EXCEEDED", QUOTA_MESSAGE, false, false),
  ending(2, "interrupted", 200, "UPSTREAM_ERROR", upstreamFailed(callMessages.streamBroke), false, true),
];

function ending(
  weight: number,
  status: Settlement["status"],
  httpStatus: number,
  errorCode: ErrorCode | null,
  message: string | null,
  billed: boolean,
  attempted: boolean,
): Ending {
  return { weight, status, httpStatus, errorCode, message, billed, attempted };
}

/** The programs that call. */
const CLIENTS = {
  chat: { streamed: "OpenAI/JS 5.23.0", whole: "OpenAI/Python 1.109.1" },
  messages: { streamed: "claude-cli/2.0.14 (external, cli)", whole: "Anthropic/Python 0.69.0" },
};

/** An hour with far more traffic than its limits allow, and than its nodes can answer. */
const BUSY = { hoursAgo: 149, times: 16, more: 200 };
/** Hours in which the first node of each route failed. */
const OUTAGE = { fromHoursAgo: 270, toHoursAgo: 267 };
const BUSY_WEIGHTS: Partial<Record<ErrorCode, number>> = { RATE_LIMITED: 260, NO_AVAILABLE_NODE: 120 };
const BUSY_ENDINGS: readonly Ending[] = ENDINGS.map((each) => ({
  ...each,
  weight: (each.errorCode && BUSY_WEIGHTS[each.errorCode]) ?? each.weight,
}));

/**
 * Thirty days of simulated requests until now, oldest first: more by day, on workdays and recently, with a busy hour, an
 * outage of a node and a change of a price.
 */
export function demoTraffic(
  catalog: CatalogSnapshot,
  sources: readonly TrafficSource[],
  now: Date,
  random: () => number,
): Settlement[] {
  const settlements: Settlement[] = [];
  for (let hoursAgo = HOURS; hoursAgo > 0; hoursAgo -= 1) {
    const start = now.getTime() - hoursAgo * HOUR_MS;
    const moments = Array.from(
      { length: requestsIn(start, hoursAgo, random) },
      () => start + random() * HOUR_MS,
    );
    const live = sources.filter((source) => source.quietHours < hoursAgo);
    for (const moment of moments.sort((left, right) => left - right))
      settlements.push(
        oneRequest({ catalog, now, random, ...eventsOf(hoursAgo) }, weighted(live, random), new Date(moment)),
      );
  }
  return settlements;
}

/** What holds in one hour of the month. */
interface Scene {
  catalog: CatalogSnapshot;
  now: Date;
  random: () => number;
  endings: readonly Ending[];
  /** The first node of each route fails. */
  outage: boolean;
}

function eventsOf(hoursAgo: number): Pick<Scene, "endings" | "outage"> {
  return {
    endings: hoursAgo === BUSY.hoursAgo ? BUSY_ENDINGS : ENDINGS,
    outage: hoursAgo <= OUTAGE.fromHoursAgo && hoursAgo > OUTAGE.toHoursAgo,
  };
}

/** The price in force at a moment. */
function priceAt(model: CatalogModel, createdAt: Date, now: Date): PriceVersion {
  const { alias, daysAgo, version, declared } = EARLIER_PRICE;
  const before = createdAt.getTime() < now.getTime() - daysAgo * DAY_MS;
  return model.alias === alias && before ? { version, ...pricesOfDeclared(declared) } : model.price;
}

function requestsIn(start: number, hoursAgo: number, random: () => number): number {
  const moment = new Date(start);
  const byHour = 1 + 0.9 * Math.sin(((moment.getUTCHours() - 8) / 24) * 2 * Math.PI);
  const byDay = [0, 6].includes(moment.getUTCDay()) ? 0.45 : 1.2;
  const growth = 0.7 + (0.6 * (HOURS - hoursAgo)) / HOURS;
  const busy = hoursAgo === BUSY.hoursAgo ? BUSY.times : 1;
  return (
    Math.floor(REQUESTS_PER_HOUR * byHour * byDay * growth * busy + random()) + (busy > 1 ? BUSY.more : 0)
  );
}

function oneRequest(scene: Scene, source: TrafficSource, createdAt: Date): Settlement {
  const { catalog, random } = scene;
  const model = chooseModel(catalog, source, random);
  const embeds = model.kind === "embedding";
  // Only a stream can break off, and embeddings have none.
  const endings = embeds ? scene.endings.filter(({ status }) => status !== "interrupted") : scene.endings;
  const end = weighted(endings, random);
  const answered = end.billed || end.status === "interrupted";
  const usage = answered ? madeUpUsage(embeds, random) : { ...NO_USAGE };
  const price = priceAt(model, createdAt, scene.now);
  const worth = costMicroCents(usage, price, STANDARD_TERMS);
  const protocol = model.alias.startsWith("claude") ? "messages" : "chat";
  const stream = end.status === "interrupted" || (random() < 0.6 && !embeds);
  const routes = end.attempted ? triedRoutes(scene, model, end) : [];
  const ttftMs = longTailed(420, random) + Math.max(0, routes.length - 1) * (FAILED_MS + PAUSE_MS);
  const latencyMs = end.attempted ? ttftMs + Math.round(usage.output * 9) : longTailed(4, random);
  const attempts = madeUpAttempts(scene, routes, end, { ttftMs, latencyMs });
  return {
    requestId: newRequestId(createdAt.getTime()),
    keyId: source.keyId,
    userId: source.userId,
    model: model.alias,
    protocol,
    operation: embeds ? "embed" : "generate",
    stream,
    status: end.status,
    httpStatus: end.httpStatus,
    errorCode: end.errorCode,
    errorMessage: end.errorCode === "NO_AVAILABLE_NODE" ? callMessages.noNode(model.alias) : end.message,
    usage,
    usageSource: end.billed ? "upstream" : answered ? "estimated" : "none",
    billingSource: !end.billed ? "none" : end.status === "cancelled" ? "partial" : "upstream",
    costMicroCents: end.billed ? worth : 0n,
    wouldHaveCostMicroCents: end.billed || worth === 0n ? null : worth,
    cacheSavingMicroCents: end.billed ? savingMicroCents(usage, price, STANDARD_TERMS) : 0n,
    nodeCostMicroCents: answered ? nodeCostOf(model, attempts, usage) : null,
    priceVersion: price.version,
    pricedAs: null,
    heldMicroCents: end.attempted ? worth * 2n : 0n,
    latencyMs,
    ttftMs: answered ? ttftMs : null,
    attempts,
    nodeId: answered ? (attempts.at(-1)?.nodeId ?? null) : null,
    warnings: random() < 0.08 ? ["clamped:max_tokens"] : [],
    timeline: madeUpTimeline(end, latencyMs),
    createdAt,
    clientRequestId: null,
    userAgent: stream ? CLIENTS[protocol].streamed : CLIENTS[protocol].whole,
  };
}

/** What the node of the last attempt charges; null where its route has no cost. */
function nodeCostOf(model: CatalogModel, attempts: readonly StoredAttempt[], usage: Usage): bigint | null {
  const nodeId = attempts.at(-1)?.nodeId;
  const cost = model.routes.find((route) => route.nodeId === nodeId)?.cost ?? null;
  return cost === null ? null : costMicroCents(usage, cost, STANDARD_TERMS);
}

/** When each stage ended; a refused request has only the stages up to its refusal. */
function madeUpTimeline(end: Ending, latencyMs: number): Record<string, number> {
  if (end.attempted)
    return { auth: 1, plan: 1, limits: 2, hold: 4, answer: latencyMs - 2, settle: latencyMs };
  const stages = ["auth", "plan", "limits", "hold"].slice(0, { 400: 1, 429: 3 }[end.httpStatus] ?? 4);
  const ends = stages.map((stage, index) => [stage, ((index + 1) / stages.length) * latencyMs] as const);
  return {
    ...Object.fromEntries(ends),
    ...(end.errorCode === "RATE_LIMITED" && { [limitMembers.key.rpm]: LIMIT }),
  };
}

function chooseModel(catalog: CatalogSnapshot, source: TrafficSource, random: () => number): CatalogModel {
  const open = [...catalog.models.values()]
    .filter(({ alias }) => source.models?.includes(alias) ?? true)
    .sort((left, right) => (left.alias < right.alias ? -1 : 1));
  return weighted(
    open.map((model) => ({ ...model, weight: model.alias.startsWith("demo") ? 1 : 4 })),
    random,
  );
}

function madeUpUsage(embeds: boolean, random: () => number): Usage {
  const input = longTailed(4200, random);
  if (embeds) return { ...NO_USAGE, inputUncached: input };
  const cacheRead = random() < 0.35 ? Math.round(input * (0.5 + random() * 0.45)) : 0;
  const output = longTailed(520, random);
  const reasoning = random() < 0.2 ? Math.round(output * 0.4) : 0;
  return { inputUncached: input - cacheRead, cacheRead, cacheWrite: 0, output, reasoning };
}

/** How the attempt that got an answer ended, as the gateway records it. */
const ANSWER_RESULTS: Record<Settlement["status"], string> = {
  success: "ok",
  error: "ok",
  cancelled: "cancelled",
  interrupted: "truncated",
};

/** The routes up to the one that answered; the first of several may have failed. */
function triedRoutes({ outage }: Scene, model: CatalogModel, end: Ending): CatalogModel["routes"] {
  const severalTried = end.httpStatus >= 500 || outage || firstNodeFails(model);
  return severalTried ? model.routes : model.routes.slice(0, 1);
}

/** One attempt for each route that was tried; the last one lasts until the request ends. */
function madeUpAttempts(
  { catalog }: Scene,
  routes: CatalogModel["routes"],
  end: Ending,
  times: { ttftMs: number; latencyMs: number },
): StoredAttempt[] {
  const failed = end.httpStatus >= 500;
  return routes.map((route, index) => {
    const node = catalog.nodes.get(route.nodeId);
    const result = ANSWER_RESULTS[end.status];
    const isLast = index === routes.length - 1;
    const ok = !failed && isLast;
    const reached = node?.name !== UNREACHABLE_NODE;
    const failure =
      end.httpStatus === 502 && reached
        ? { result: "server", upstreamStatus: 500 }
        : { result: "connect", upstreamStatus: null };
    const startedMs = STARTED_MS + index * (FAILED_MS + PAUSE_MS);
    return {
      n: index + 1,
      nodeId: route.nodeId,
      nodeName: node?.name ?? "",
      protocol: node?.protocol ?? "chat",
      upstreamModel: route.upstreamModel,
      ...(ok ? { result, upstreamStatus: 200 } : failure),
      startedMs,
      headersMs: ok ? Math.max(1, times.ttftMs - startedMs - 1) : null,
      firstEventMs: ok ? Math.max(1, times.ttftMs - startedMs) : null,
      totalMs: isLast ? Math.max(1, times.latencyMs - startedMs - 2) : FAILED_MS,
      reason: `priority ${route.priority}, weight ${route.weight}`,
    };
  });
}

/** Routes that demonstrate failover. */
function firstNodeFails(model: CatalogModel): boolean {
  return /resilient|failover/.test(model.alias);
}
