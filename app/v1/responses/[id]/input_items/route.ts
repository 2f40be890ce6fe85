import { serveWeb } from "@/lib/gateway/web-adapter";

/** GET /v1/responses/{id}/input_items. Throws: as the response itself. Source: docs/responses.md#s5-1. */
export const GET = serveWeb;
