import { wholeList } from "@/lib/accounts/page";
import { listPlans, planRecordOf } from "@/lib/accounts/plans";
import { requireUser } from "@/lib/api/api-call";
import { json, methods } from "@/lib/api/handler";
import { runtime } from "@/lib/gateway/runtime";

/** Every plan, and which one is the account's. Source: docs/contract.md#s4, #s5. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: async (call) => {
    const user = await requireUser(call);
    const plans = await listPlans(runtime().db);
    const records = plans.map((plan) => ({ ...planRecordOf(plan), current: plan.id === user.planId }));
    return json(200, wholeList(records));
  },
});
