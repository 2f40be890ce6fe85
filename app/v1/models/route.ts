import { serveWeb } from "@/lib/gateway/web-adapter";

/** GET /v1/models. Source: spec 4.3. */
export const GET = serveWeb;
