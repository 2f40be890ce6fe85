import { json, methods } from "@/lib/api/handler";

/** Public: proves that the event loop runs; uses nothing else. Source: docs/contract.md#s9. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: async () => json(200, { status: "ok" }),
});

/** Evaluated at every request, never at build time. */
export const dynamic = "force-dynamic";
