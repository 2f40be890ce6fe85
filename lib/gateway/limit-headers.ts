import type { GatewayKey } from "@/lib/accounts/gateway-key";
import { isShared, type KeyBudget } from "@/lib/accounts/key-budgets";
import { type LimitState, tighter } from "@/lib/admission/limiter";
import type { UsedWindow } from "@/lib/protocols/adapters/error-format";
import { clientAdapters } from "@/lib/protocols/registry";
import type { GatewayRequest } from "./gateway-request";
import type { Gateway } from "./runtime";

/** Minutes of each period that clients know; a rule for ever has no window. */
const periodMinutes = { day: 1_440, week: 10_080, month: 43_200, quarter: 129_600, year: 525_600 } as const;

const PERMILLE = 1_000n;

const NO_RULES: readonly KeyBudget[] = [];

/**
 * The headers with the limits of a key, or with those of its account if these have less remaining, and with its quota,
 * or the rules that the request meets, if clients of the call's protocol read it.
 * Source: docs/contract.md#s6, docs/responses.md#s2-8.
 */
export function limitHeaders(
  gateway: Pick<Gateway, "balances" | "knownBudgets">,
  call: GatewayRequest,
  key: GatewayKey,
  state: LimitState,
  accountState: LimitState | null,
  rules = NO_RULES,
): Record<string, string> {
  const { errors } = clientAdapters[call.protocol];
  const limits = accountState === null ? state : tighter(state, accountState);
  const headers = errors.limitHeaders(limits, call.receivedAt.getTime());
  if (errors.quotaHeaders === undefined) return headers;
  const windows = rules.length === 0 ? [] : fullestWindows(gateway, rules, call.receivedAt.getTime());
  return Object.assign(headers, errors.quotaHeaders(gateway.balances.usedPercent(key), windows));
}

/** The periods that refuse, the fullest first, of each length one; without what others use too. */
function fullestWindows(
  { knownBudgets }: Pick<Gateway, "knownBudgets">,
  rules: readonly KeyBudget[],
  nowMs: number,
): UsedWindow[] {
  const fullest = new Map<string, UsedWindow>();
  for (const rule of rules) {
    const { period, mode } = rule;
    const state = mode === "warn" || isShared(rule) ? null : knownBudgets.stateOf(rule, nowMs);
    if (period === "total" || state === null || state.endsAtMs === null || state.limit === null) continue;
    const usedPercent = percentOf(state.used + state.held, state.limit);
    if (usedPercent <= (fullest.get(period)?.usedPercent ?? -1)) continue;
    const resetsAtSeconds = Math.floor(state.endsAtMs / 1_000);
    fullest.set(period, { usedPercent, minutes: periodMinutes[period], resetsAtSeconds });
  }
  return [...fullest.values()].sort((a, b) => b.usedPercent - a.usedPercent);
}

function percentOf(used: bigint, limit: bigint): number {
  return Number(used >= limit ? PERMILLE : (used * PERMILLE) / limit) / 10;
}
