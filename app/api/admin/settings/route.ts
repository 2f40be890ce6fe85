import { openRegistration, signupQuotaCents } from "@/lib/admin/open-registration";
import { readSettings, updateSettings } from "@/lib/admin/settings";
import { actorOf, requireAdmin } from "@/lib/api/api-call";
import { json, methods } from "@/lib/api/handler";
import { settingsRequest } from "@/lib/api/schemas/admin";
import { runtime } from "@/lib/gateway/runtime";

/** Settings that admins change at run time. Source: docs/contract.md#s4. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: async (call) => {
    await requireAdmin(call);
    return json(200, await settingsView());
  },
  PATCH: async (call) => {
    const admin = await requireAdmin(call);
    const change = await call.body(settingsRequest);
    await updateSettings(runtime().db, actorOf(call, admin), change);
    return json(200, await settingsView());
  },
});

async function settingsView() {
  const { db, settings, catalog } = runtime();
  return {
    ...(await readSettings(db)),
    signupQuotaCents: signupQuotaCents(settings, catalog.current),
    openRegistration: await openRegistration(db, settings, catalog.current),
  };
}
