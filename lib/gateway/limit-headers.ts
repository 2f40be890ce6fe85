import type { GatewayKey } from "@/lib/accounts/gateway-key";
import { type LimitState, tighter } from "@/lib/admission/limiter";
import { clientAdapters } from "@/lib/protocols/registry";
import type { GatewayRequest } from "./gateway-request";
import type { Gateway } from "./runtime";

/**
 * The headers with the limits of a key, or with those of its account if these have less remaining, and with its quota
 * if clients of the call's protocol read it.
 * Source: docs/contract.md#s6, docs/responses.md#s2-8.
 */
export function limitHeaders(
  { balances }: Pick<Gateway, "balances">,
  call: GatewayRequest,
  key: GatewayKey,
  state: LimitState,
  accountState: LimitState | null,
): Record<string, string> {
  const { errors } = clientAdapters[call.protocol];
  const limits = accountState === null ? state : tighter(state, accountState);
  const headers = errors.limitHeaders(limits, call.receivedAt.getTime());
  if (errors.quotaHeaders === undefined) return headers;
  return Object.assign(headers, errors.quotaHeaders(balances.usedPercent(key)));
}
