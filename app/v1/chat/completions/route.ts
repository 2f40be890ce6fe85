import { serveWeb } from "@/lib/gateway/web-adapter";

/** POST /v1/chat/completions, JSON or SSE. Throws: spec 7 and INVALID_REQUEST. Source: docs/spec.md#s4-1. */
export const POST = serveWeb;
