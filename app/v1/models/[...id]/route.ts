import { serveWeb } from "@/lib/gateway/web-adapter";

/** GET /v1/models/{id}; ids may hold slashes. Source: docs/contract.md#s6. */
export const GET = serveWeb;

/** Google's calls of a model. Source: docs/gemini.md#paths. */
export { serveWeb as POST };
