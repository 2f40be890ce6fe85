import { serveWeb } from "@/lib/gateway/web-adapter";

/** GET /v1/models. Source: docs/spec.md#s4-3. */
export const GET = serveWeb;
