import { serveWeb } from "@/lib/gateway/web-adapter";

/** POST /v1/messages/count_tokens. Source: contract 6. */
export const POST = serveWeb;
