import { runtime } from "@/lib/gateway/runtime";
import type { Call } from "./call";
import type { Reply } from "./reply";

const EXPOSED = "request-id, x-request-id, retry-after, x-tollgate-cost, x-tollgate-warnings";

/** The CORS headers of a call from an allowed origin; none otherwise. Source: docs/contract.md#s2 (`CORS_ORIGINS`). */
export function corsHeaders(call: Pick<Call, "headers">): Record<string, string> {
  const origin = call.headers.origin;
  if (origin === undefined || !runtime().settings.corsOrigins.includes(origin)) return {};
  return { "access-control-allow-origin": origin, "access-control-expose-headers": EXPOSED, vary: "origin" };
}

/** The answer to a preflight request. */
export function preflight(call: Call): Reply {
  const allowed = Object.keys(corsHeaders(call)).length > 0;
  const headers: Record<string, string> = allowed
    ? {
        "access-control-allow-methods": "GET, POST",
        "access-control-allow-headers": call.headers["access-control-request-headers"] ?? "*",
        "access-control-max-age": "600",
      }
    : {};
  return { status: 204, headers, body: "" };
}
