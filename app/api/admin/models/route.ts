import { wholeList } from "@/lib/accounts/page";
import { createModel, listModels } from "@/lib/admin/models";
import { actorOf, requireAdmin } from "@/lib/api/api-call";
import { configChanged } from "@/lib/api/changed";
import { json, methods } from "@/lib/api/handler";
import { modelEntry } from "@/lib/config/file-schema";
import { runtime } from "@/lib/gateway/runtime";

/** Models with routes and prices. Source: docs/contract.md#s3, #s5. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: async (call) => {
    await requireAdmin(call);
    return json(200, wholeList(await listModels(runtime().db)));
  },
  POST: async (call) => {
    const admin = await requireAdmin(call);
    const model = await createModel(runtime().db, actorOf(call, admin), await call.body(modelEntry));
    await configChanged();
    return json(201, model);
  },
});
