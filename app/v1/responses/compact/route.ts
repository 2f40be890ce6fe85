import { serveWeb } from "@/lib/gateway/web-adapter";

/** POST /v1/responses/compact. Throws: spec 7 and INVALID_REQUEST. Source: docs/responses.md#s5-3. */
export const POST = serveWeb;
