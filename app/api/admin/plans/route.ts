import { wholeList } from "@/lib/accounts/page";
import { createPlan, listPlansWithUse } from "@/lib/admin/plans";
import { actorOf, requireAdmin } from "@/lib/api/api-call";
import { configChanged } from "@/lib/api/changed";
import { json, methods } from "@/lib/api/handler";
import { createPlanRequest } from "@/lib/api/schemas/admin";
import { runtime } from "@/lib/gateway/runtime";

/** Plans with the number of keys and accounts on each. Source: docs/contract.md#s3, #s5. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: async (call) => {
    await requireAdmin(call);
    return json(200, wholeList(await listPlansWithUse(runtime().db)));
  },
  POST: async (call) => {
    const admin = await requireAdmin(call);
    const plan = await createPlan(runtime().db, actorOf(call, admin), await call.body(createPlanRequest));
    await configChanged();
    return json(201, plan);
  },
});
