import { readSettings, updateSettings } from "@/lib/admin/settings";
import { actorOf, requireAdmin } from "@/lib/api/guard";
import { methods } from "@/lib/api/handler";
import { json } from "@/lib/api/respond";
import { settingsRequest } from "@/lib/api/schemas/admin";
import { runtime } from "@/lib/runtime";

/** What admins may set while the gateway runs. Source: contract 4. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: async (call) => {
    await requireAdmin(call);
    return json(200, await readSettings(runtime().db));
  },
  PATCH: async (call) => {
    const admin = await requireAdmin(call);
    const change = await call.body(settingsRequest);
    return json(200, await updateSettings(runtime().db, actorOf(call, admin), change));
  },
});
