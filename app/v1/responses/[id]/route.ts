import { serveWeb } from "@/lib/gateway/web-adapter";

/** GET /v1/responses/{id}. Throws: INVALID_API_KEY, RATE_LIMITED, NOT_FOUND. Source: docs/responses.md#s5-1. */
export const GET = serveWeb;

/** DELETE /v1/responses/{id}. Throws: INVALID_API_KEY, RATE_LIMITED, NOT_FOUND. Source: docs/responses.md#s5-1. */
export const DELETE = serveWeb;
