import { serveWeb } from "@/lib/gateway/web-adapter";

/** GET /v1/models/{id}; ids may hold slashes. Source: contract 6. */
export const GET = serveWeb;
