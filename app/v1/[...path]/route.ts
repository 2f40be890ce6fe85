import { serveWeb } from "@/lib/gateway/web-adapter";

/** Every other path under /v1: a JSON error in the format of its protocol. Source: docs/contract.md#s7. */
export {
  serveWeb as DELETE,
  serveWeb as GET,
  serveWeb as OPTIONS,
  serveWeb as PATCH,
  serveWeb as POST,
  serveWeb as PUT,
};
