import { serveWeb } from "@/lib/gateway/web-adapter";

/** POST /v1/responses/input_tokens. Throws: spec 7 and INVALID_REQUEST. Source: docs/responses.md#s5-2. */
export const POST = serveWeb;
