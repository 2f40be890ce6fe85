import { requireAdmin } from "@/lib/api/api-call";
import { json, methods } from "@/lib/api/handler";
import { adminStatsQuery } from "@/lib/api/schemas/stats";
import { runtime } from "@/lib/gateway/runtime";
import { readAdminStats } from "@/lib/reports/admin-reports";

/** Usage statistics of all accounts, or of one. Source: docs/contract.md#s5. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: async (call) => {
    const admin = await requireAdmin(call);
    const { db, clock, reports, settings } = runtime();
    const { tz, ...query } = call.query(adminStatsQuery);
    const request = { ...query, timeZone: tz ?? settings.reportTimezone };
    return json(200, await reports.run(admin.id, () => readAdminStats(db, request, clock.date())));
  },
});
