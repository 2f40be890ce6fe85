import { serveWeb } from "@/lib/gateway/web-adapter";

/** GET /v1/models/{id}; ids may hold slashes. Source: docs/contract.md#s6. */
export const GET = serveWeb;
