import { json, methods } from "@/lib/api/handler";
import { readiness } from "@/lib/api/readiness";

/** Public: 200 when the process can serve requests, else 503 with the reasons. Source: docs/contract.md#s9. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: async () => {
    const { ready, problems, degraded } = await readiness();
    return json(ready ? 200 : 503, { status: ready ? "ready" : "not ready", problems, degraded });
  },
});

/** Evaluated at every request, never at build time. */
export const dynamic = "force-dynamic";
