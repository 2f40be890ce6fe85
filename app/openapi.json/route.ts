import { answerRoute } from "@/lib/api/serve";

/** GET /openapi.json, for hosts without our server. Source: docs/architecture.md#s1-10. */
export { answerRoute as GET };

/** Evaluated at every request, never at build time. */
export const dynamic = "force-dynamic";
