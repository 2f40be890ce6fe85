import { ownTokenFilter } from "@/lib/accounts/keys";
import { requireUser } from "@/lib/api/api-call";
import { json, methods } from "@/lib/api/handler";
import { statsQuery } from "@/lib/api/schemas/stats";
import { runtime } from "@/lib/gateway/runtime";
import { readStats } from "@/lib/reports/stats";

/**
 * The caller's usage statistics. Throws: INVALID_REQUEST, FORBIDDEN (another's key). Source: docs/spec.md#s2-6, #s4-13.
 */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: async (call) => {
    const user = await requireUser(call);
    const { db, clock, reports, settings } = runtime();
    const { tz, ...query } = call.query(statsQuery);
    const filter = await ownTokenFilter(db.orm, user.id, query);
    const request = { ...filter, timeZone: tz ?? settings.reportTimezone };
    return json(200, await reports.run(user.id, () => readStats(db, request, clock.date())));
  },
});
