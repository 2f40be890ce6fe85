import { moneyRoom } from "@/lib/accounts/budget-states";
import { type GatewayKey, UNUSABLE_KEY } from "@/lib/accounts/gateway-key";
import { findKeyBalance } from "@/lib/accounts/key-balance";
import { isShared } from "@/lib/accounts/key-budgets";
import { GatewayError, isGatewayError } from "@/lib/kernel/errors";
import { centsNumber } from "@/lib/kernel/money";
import { findOwnLogEntry } from "@/lib/reports/logs";
import { accountUseOf } from "./account-use";
import { authenticate } from "./authorize";
import { budgetUseOf, type RuleState, ruleStatesOf } from "./budget-use";
import type { GatewayRequest } from "./gateway-request";
import { jsonReply, type Reply } from "./reply";
import { MAX_KEY_BYTES } from "./responses-state/store";
import type { Gateway } from "./runtime";

/**
 * GET /v1/usage: the remaining quota and limits of the calling key. Money in cents. Throws: INVALID_API_KEY,
 * RATE_LIMITED.
 * Source: docs/contract.md#s6.
 */
export async function showUsage(gateway: Gateway, call: GatewayRequest): Promise<Reply> {
  const key = await authenticate(gateway, call);
  const { db, limiter } = gateway;
  guardOwnBucket(gateway, key.keyId);
  const balance = await findKeyBalance(db, key.keyId);
  if (balance === null) throw new GatewayError("INVALID_API_KEY", UNUSABLE_KEY);
  const left = (money: { quotaMicroCents: bigint; usedMicroCents: bigint; heldMicroCents: bigint }) =>
    money.quotaMicroCents - money.usedMicroCents - money.heldMicroCents;
  const quotaRoom = left(balance) < left(balance.account) ? left(balance) : left(balance.account);
  const rules = await ruleStatesOf(gateway, key.budgets);
  const ruleRoom = ownRoom(rules);
  const room = ruleRoom !== null && ruleRoom < quotaRoom ? ruleRoom : quotaRoom;
  return jsonReply(200, {
    quota: centsNumber(balance.quotaMicroCents),
    usedQuota: centsNumber(balance.usedMicroCents),
    held: centsNumber(balance.heldMicroCents),
    remaining: centsNumber(room),
    plan: { id: key.planId, name: key.planName },
    limits: await limiter.peek(key.keyId, key.limits, key.account),
    accountLimits: await accountUseOf(gateway, key),
    budgets: rules.map(budgetUseOf),
    storedResponses: await storedBytes(gateway, key),
    isValid: true,
    unit: "cents",
  });
}

/**
 * The least that is left of rules that refuse every model; without those whose counter is that of all accounts. Null: no
 * rule limits money. Units: micro-cents.
 */
function ownRoom(rules: readonly RuleState[]): bigint | null {
  const own = rules.filter(([rule]) => rule.models === null && !isShared(rule));
  return moneyRoom(own, ["stop", "hard"]);
}

/**
 * How much the key's account has stored, and how much it may store; null when responses are not stored. Units: bytes.
 */
async function storedBytes({ responses }: Gateway, key: GatewayKey) {
  if (!responses.enabled) return null;
  const { accountBytes: accountLimit } = responses.limits.bounds;
  const accountUsed = await responses.limits.accountBytes(key.userId);
  return { accountUsed, accountLimit, keyLimit: Math.min(MAX_KEY_BYTES, accountLimit), unit: "bytes" };
}

/**
 * GET /v1/usage/{requestId}: the receipt of one of the key's own requests, for streams, whose headers are sent before
 * the cost is known. Throws: INVALID_API_KEY, RATE_LIMITED, NOT_FOUND. Source: docs/contract.md#s6.
 */
export async function showReceipt(gateway: Gateway, call: GatewayRequest): Promise<Reply> {
  const key = await authenticate(gateway, call);
  guardOwnBucket(gateway, key.keyId);
  const requestId = call.path.slice("/v1/usage/".length);
  const entry = await findOwnLogEntry(gateway.db, key.userId, requestId).catch(asUnknown);
  if (entry.tokenId !== key.keyId) throw unknownRequest();
  return jsonReply(200, entry);
}

/** A rate limit of its own, so that polling a balance does not use up the limit for token counts. */
function guardOwnBucket({ admission }: Gateway, keyId: string): void {
  const refusal = admission.ofFreeCall(keyId, "usage", "60 calls a minute are allowed here.");
  if (refusal !== null) throw refusal;
}

/** Replaces NOT_FOUND for a request of another account, or of none, by the message for a key. */
function asUnknown(error: unknown): never {
  throw isGatewayError(error) && error.code === "NOT_FOUND" ? unknownRequest() : error;
}

function unknownRequest(): GatewayError {
  return new GatewayError("NOT_FOUND", "This key has made no such request.");
}
