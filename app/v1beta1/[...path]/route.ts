import { serveWeb } from "@/lib/gateway/web-adapter";

/** Google's API, of every version alike. Source: docs/gemini.md#paths. */
export {
  serveWeb as DELETE,
  serveWeb as GET,
  serveWeb as OPTIONS,
  serveWeb as PATCH,
  serveWeb as POST,
  serveWeb as PUT,
};
