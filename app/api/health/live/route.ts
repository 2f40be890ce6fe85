import { json, methods } from "@/lib/api/handler";

/** Public: the process turns its event loop; touches nothing else. Source: docs/contract.md#s9. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: async () => json(200, { status: "ok" }),
});

/** Asked at every call, never at build time. */
export const dynamic = "force-dynamic";
