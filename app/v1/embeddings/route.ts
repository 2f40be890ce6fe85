import { serveWeb } from "@/lib/gateway/web-adapter";

/** POST /v1/embeddings. Throws: spec 7 and INVALID_REQUEST. Source: docs/embeddings.md#request. */
export const POST = serveWeb;
