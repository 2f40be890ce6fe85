import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Metrics } from "@/lib/ops/metrics";
import { sendError } from "./http-server";

/** Headers that proxies and CDNs add. Names are compared in lower case, with `-` for `_`. */
const ADDED_BY_PROXIES =
  /(^|-)(forwarded(-|$)|(client-?|connecting-|remote-|originating-)(ip|addr)$)|^(via$|cf-|cdn-|x-(real|original|envoy|amzn|azure|appengine|proxyuser)(-|$))/;

/**
 * Serves `/metrics` to requests with the token; without a configured token, to direct requests from loopback.
 * Source: docs/contract.md#s9, #b20.
 */
export async function serveMetrics(
  request: IncomingMessage,
  response: ServerResponse,
  metrics: Metrics,
  token: string | null,
): Promise<void> {
  if (!isAuthorized(request, token)) {
    return sendError(response, 401, "UNAUTHORIZED", "Send METRICS_TOKEN as bearer token.");
  }
  const text = await metrics.text();
  response.writeHead(200, { "content-type": metrics.registry.contentType, "cache-control": "no-store" });
  response.end(text);
}

function isAuthorized(request: IncomingMessage, token: string | null): boolean {
  if (token === null) {
    return isLoopback(request.socket.remoteAddress) && !Object.keys(request.headers).some(isAddedByProxy);
  }
  const given = Buffer.from(request.headers.authorization ?? "");
  const expected = Buffer.from(`Bearer ${token}`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function isAddedByProxy(name: string): boolean {
  return ADDED_BY_PROXIES.test(name.replaceAll("_", "-"));
}

function isLoopback(address: string | undefined): boolean {
  return address === "::1" || /^(::ffff:)?127\./.test(address ?? "");
}
