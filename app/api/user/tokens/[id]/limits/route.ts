import { effectiveLimits } from "@/lib/accounts/gateway-key";
import { planOfKey, requireOwnKey } from "@/lib/accounts/keys";
import { requireUser } from "@/lib/api/api-call";
import { json, methods } from "@/lib/api/handler";
import { runtime } from "@/lib/gateway/runtime";

/** The current use of a key's limits; the request itself is not counted. Source: docs/contract.md#s5. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: async (call) => {
    const user = await requireUser(call);
    const { db, limiter } = runtime();
    const key = await requireOwnKey(db.orm, user.id, call.param("id"));
    const plan = await planOfKey(db, key);
    const state = await limiter.peek(key.id, effectiveLimits(plan, user));
    return json(200, { plan: { id: plan.id, name: plan.name }, ...state });
  },
});
