import { serveWeb } from "@/lib/gateway/web-adapter";

/** POST /v1/responses, JSON or SSE. Throws: spec 7 and INVALID_REQUEST. Source: docs/responses.md#s1. */
export const POST = serveWeb;
