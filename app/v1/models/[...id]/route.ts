import { serveWeb } from "@/lib/gateway/web-adapter";

/** GET /v1/models/{id}, and Google's calls of a model; ids may hold slashes. Source: docs/contract.md#s6, docs/gemini.md#paths. */
export { serveWeb as GET, serveWeb as POST };
