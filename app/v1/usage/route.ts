import { serveWeb } from "@/lib/gateway/web-adapter";

/** GET /v1/usage. Source: docs/contract.md#s6. */
export const GET = serveWeb;
