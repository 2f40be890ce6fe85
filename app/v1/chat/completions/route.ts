import { serveWeb } from "@/lib/gateway/web-adapter";

/** POST /v1/chat/completions, JSON or SSE. Throws: spec 7 and INVALID_REQUEST. Source: spec 4.1. */
export const POST = serveWeb;
