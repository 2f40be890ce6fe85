import { requireAdmin } from "@/lib/api/api-call";
import { json, methods } from "@/lib/api/handler";
import { reconciliationOf } from "@/lib/api/views";
import { reconcile } from "@/lib/billing/reconcile";
import { runtime } from "@/lib/gateway/runtime";

/** The reconciliation of all counters with their records. Micro-cents as text. Source: docs/contract.md#s5. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: async (call) => {
    await requireAdmin(call);
    return json(200, reconciliationOf(await reconcile(runtime().db)));
  },
});
