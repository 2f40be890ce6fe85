import { serveWeb } from "@/lib/gateway/web-adapter";

/** POST /v1/responses/{id}/cancel: always refused. Throws: INVALID_REQUEST. Source: docs/responses.md#s5-1. */
export const POST = serveWeb;
