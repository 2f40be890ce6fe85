import { findKeyBalance } from "@/lib/accounts/gateway-key";
import { centsNumber } from "@/lib/billing/money";
import { GatewayError } from "@/lib/errors";
import { runtime } from "@/lib/runtime";
import { authenticate } from "./authenticate";
import type { Call } from "./call";
import { rateLimited } from "./rate-limited";
import { jsonReply, type Reply } from "./reply";

/** GET /v1/usage: what the calling key has left. Money in cents. Throws: INVALID_API_KEY, RATE_LIMITED. Source: contract 6. */
export async function showUsage(call: Call): Promise<Reply> {
  const key = await authenticate(call);
  const { db, limiter, flood } = runtime();
  const waitMs = flood.forCountTokens(key.keyId);
  if (waitMs > 0) throw rateLimited("60 calls a minute are allowed here.", waitMs);
  const balance = await findKeyBalance(db, key.keyId);
  if (balance === null)
    throw new GatewayError("INVALID_API_KEY", "The API key is missing, invalid or revoked.");
  const left = (money: { quotaMicroCents: bigint; usedMicroCents: bigint; heldMicroCents: bigint }) =>
    money.quotaMicroCents - money.usedMicroCents - money.heldMicroCents;
  const room = left(balance) < left(balance.account) ? left(balance) : left(balance.account);
  return jsonReply(200, {
    quota: centsNumber(balance.quotaMicroCents),
    usedQuota: centsNumber(balance.usedMicroCents),
    held: centsNumber(balance.heldMicroCents),
    remaining: centsNumber(room > 0n ? room : 0n),
    plan: { id: key.planId, name: key.planName },
    limits: await limiter.peek(key.keyId, key.limits),
    isValid: true,
    unit: "cents",
  });
}
