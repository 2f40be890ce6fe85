import { serveWeb } from "@/lib/gateway/web-adapter";

/** POST /v1/messages, JSON or SSE. Throws: spec 7 and INVALID_REQUEST. Source: docs/spec.md#s4-2. */
export const POST = serveWeb;
