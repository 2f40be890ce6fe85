import { serveWeb } from "@/lib/gateway/web-adapter";

/** POST /v1/messages/count_tokens. Source: docs/contract.md#s6. */
export const POST = serveWeb;
