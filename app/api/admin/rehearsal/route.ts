import { rehearse } from "@/lib/admin/rehearsal";
import { requireAdmin } from "@/lib/api/api-call";
import { json, methods } from "@/lib/api/handler";
import { rehearsalRequest } from "@/lib/api/schemas/admin";
import { runtime } from "@/lib/gateway/runtime";

/** Simulates requests for a model with nodes in given states; sends nothing. Source: docs/contract.md#s5. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: async (call) => {
    await requireAdmin(call);
    const request = await call.body(rehearsalRequest);
    const { catalog, health, random } = runtime();
    return json(
      200,
      rehearse(catalog.current, (target) => health.availability(target), request, random),
    );
  },
});
