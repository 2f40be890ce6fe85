import type { GatewayRequest } from "./gateway-request";
import type { Reply } from "./reply";
import type { Gateway } from "./runtime";

const EXPOSED = "request-id, x-request-id, retry-after, x-tollgate-cost, x-tollgate-warnings";

/** The CORS headers of a call from an allowed origin; none otherwise. Source: docs/contract.md#s2 (`CORS_ORIGINS`). */
export function corsHeaders(
  { settings }: Pick<Gateway, "settings">,
  call: Pick<GatewayRequest, "headers">,
): Record<string, string> {
  const origin = call.headers.origin;
  if (origin === undefined || !settings.corsOrigins.includes(origin)) return noHeaders;
  return { "access-control-allow-origin": origin, "access-control-expose-headers": EXPOSED, vary: "origin" };
}

const noHeaders: Record<string, string> = {};

/** The answer to a preflight request. */
export function preflight(gateway: Gateway, call: GatewayRequest): Reply {
  const allowed = corsHeaders(gateway, call) !== noHeaders;
  const headers: Record<string, string> = allowed
    ? {
        "access-control-allow-methods": "GET, POST, DELETE",
        "access-control-allow-headers": call.headers["access-control-request-headers"] ?? "*",
        "access-control-max-age": "600",
      }
    : {};
  return { status: 204, headers, body: "" };
}
