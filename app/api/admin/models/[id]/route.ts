import { deleteModel, findModel, updateModel } from "@/lib/admin/models";
import { actorOf, requireAdmin } from "@/lib/api/api-call";
import { configChanged } from "@/lib/api/changed";
import { json, methods, noContent } from "@/lib/api/handler";
import { modelEntry } from "@/lib/config/file-schema";
import { runtime } from "@/lib/gateway/runtime";

/** One model. Throws: NOT_FOUND, CONFLICT (managed by file, taken name). Source: docs/contract.md#s5. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: async (call) => {
    await requireAdmin(call);
    return json(200, await findModel(runtime().db, call.param("id")));
  },
  PATCH: async (call) => {
    const admin = await requireAdmin(call);
    const change = await call.changes(modelEntry);
    const model = await updateModel(runtime().db, actorOf(call, admin), call.param("id"), change);
    await configChanged();
    return json(200, model);
  },
  DELETE: async (call) => {
    const admin = await requireAdmin(call);
    await deleteModel(runtime().db, actorOf(call, admin), call.param("id"));
    await configChanged();
    return noContent();
  },
});
