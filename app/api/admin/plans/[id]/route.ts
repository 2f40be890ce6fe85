import { deletePlan, findPlan, updatePlan } from "@/lib/admin/plans";
import { actorOf, requireAdmin } from "@/lib/api/api-call";
import { configChanged } from "@/lib/api/changed";
import { json, methods, noContent } from "@/lib/api/handler";
import { updatePlanRequest } from "@/lib/api/schemas/admin";
import { runtime } from "@/lib/gateway/runtime";

/** One plan. Throws: NOT_FOUND, CONFLICT (managed by file, in use). Source: docs/contract.md#s5. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: async (call) => {
    await requireAdmin(call);
    return json(200, await findPlan(runtime().db, call.param("id")));
  },
  PATCH: async (call) => {
    const admin = await requireAdmin(call);
    const change = await call.changes(updatePlanRequest);
    const plan = await updatePlan(runtime().db, actorOf(call, admin), call.param("id"), change);
    await configChanged();
    return json(200, plan);
  },
  DELETE: async (call) => {
    const admin = await requireAdmin(call);
    await deletePlan(runtime().db, actorOf(call, admin), call.param("id"));
    await configChanged();
    return noContent();
  },
});
