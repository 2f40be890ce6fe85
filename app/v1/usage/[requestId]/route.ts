import { serveWeb } from "@/lib/gateway/web-adapter";

/** GET /v1/usage/{requestId}. Source: docs/contract.md#s6. */
export const GET = serveWeb;
