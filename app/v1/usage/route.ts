import { serveWeb } from "@/lib/gateway/web-adapter";

/** GET /v1/usage. Source: contract 6. */
export const GET = serveWeb;
